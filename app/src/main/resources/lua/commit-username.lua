-- Commits a registration: the name belongs to the user, unless somebody else has it. Nothing is written when the
-- caller's lease no longer guards the name. If the name is taken already, the answer is its owner, because the first
-- answer may have been lost.
--
-- KEYS[1]  the name
-- KEYS[2]  fence of the name
-- ARGV[1]  user id
-- ARGV[2]  owner of the caller's lease
-- Returns  { user id that the name now belongs to }, or {} when the lease is over
-- Cost     O(1)

local owner = redis.call('GET', KEYS[1])
if owner then
  return { owner }
end
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return {}
end
redis.call('SET', KEYS[1], ARGV[1])
return { ARGV[1] }
