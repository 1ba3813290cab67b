-- Stores a post that nobody can see yet. Never overwrites another post. The second time it still writes something, so
-- that replicas can confirm the first write.
--
-- KEYS[1]  the post
-- ARGV     field names and values, beginning with author, created and body
-- Returns  { "1" } when it is stored, also when the same post was stored before; { "0" } when another post has this id
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
