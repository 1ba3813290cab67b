-- The commit of a registration: the name belongs to the user, if it was nobody's or is theirs already.
--
-- KEYS[1]  the name
-- ARGV[1]  user id
-- Returns  { user id that the name belongs to now }

local owner = redis.call('GET', KEYS[1])
if not owner then
  redis.call('SET', KEYS[1], ARGV[1])
  return { ARGV[1] }
end
return { owner }
