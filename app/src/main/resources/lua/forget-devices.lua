-- After a change of the password: forgets the browsers in which a user has logged in. What a late log-in with the former
-- password does afterwards is refused by keep-device.lua. A later change has forgotten them already.
--
-- KEYS[1]  the user's browsers
-- ARGV[1]  hash of the browser that stays; "" for none
-- ARGV[2]  auth generation that begins with the new password
-- ARGV[3]  how long browsers are remembered, in seconds
-- Returns  {}
-- Cost     O(N)

if tonumber(redis.call('HGET', KEYS[1], 'generation') or 0) > tonumber(ARGV[2]) then
  return {}
end
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if all[i] ~= ARGV[1] then
    redis.call('HDEL', KEYS[1], all[i])
  end
end
redis.call('HSET', KEYS[1], 'generation', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return {}
