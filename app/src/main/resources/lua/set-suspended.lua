-- Commits that a user is suspended, or no longer. A user who is suspended has no session any more: each was made under an
-- older auth generation. Nothing is written when the caller's lease no longer guards the user. If the user has that state
-- already, the answer is the same, because the first answer may have been lost.
--
-- KEYS[1]  the user
-- KEYS[2]  fence of the user
-- ARGV[1]  owner of the caller's lease
-- ARGV[2]  the state: "suspended" or "active"
-- ARGV[3]  the current time, in ms
-- Returns  { "1" } when the user has that state, { "0" } when there is no such user, {} when the lease is over
-- Cost     O(1)

local state = redis.call('HGET', KEYS[1], 'state')
if not state or state == 'deleted' then
  return { '0' }
end
if state == ARGV[2] then
  return { '1' }
end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {}
end
redis.call('HSET', KEYS[1], 'state', ARGV[2])
if ARGV[2] == 'suspended' then
  redis.call('HSET', KEYS[1], 'suspended', ARGV[3])
  redis.call('HINCRBY', KEYS[1], 'auth', 1)
else
  redis.call('HDEL', KEYS[1], 'suspended')
end
return { '1' }
