-- The commit of a registration: the name belongs to the user, if it was nobody's or is theirs already. Nothing is written
-- once another lease than the caller's guards the name; an answer that was lost is given again all the same.
--
-- KEYS[1]  the name
-- KEYS[2]  its fence
-- ARGV[1]  user id
-- ARGV[2]  the caller's lease
-- Returns  { user id that the name belongs to now }, or {} when the lease is over

local owner = redis.call('GET', KEYS[1])
if owner then
  return { owner }
end
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return {}
end
redis.call('SET', KEYS[1], ARGV[1])
return { ARGV[1] }
