-- Stores a post or a user that nobody can see yet. Never overwrites another one. The second time it still writes
-- something, so that replicas can confirm the first write.
--
-- KEYS[1]  the post or the user
-- ARGV     field names and values; the first three tell it from any other one with the same id
-- Returns  { "1" } when it is stored, also when it was stored before; { "0" } when another one has this id
-- Cost     O(M)

if redis.call('EXISTS', KEYS[1]) == 1 then
  local there = redis.call('HMGET', KEYS[1], ARGV[1], ARGV[3], ARGV[5])
  local same = there[1] == ARGV[2] and there[2] == ARGV[4] and there[3] == ARGV[6]
  if same then
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  end
  return { same and '1' or '0' }
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return { '1' }
