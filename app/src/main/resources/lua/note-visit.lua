-- Stores when a user was last here. It does not create a user who is gone.
--
-- KEYS[1]  the user
-- ARGV[1]  time of the visit, in ms
-- Returns  { "1" }, or { "0" } when there is no such user
-- Cost     O(1)

if redis.call('HEXISTS', KEYS[1], 'password') == 0 then
  return { '0' }
end
redis.call('HSET', KEYS[1], 'active', ARGV[1])
return { '1' }
