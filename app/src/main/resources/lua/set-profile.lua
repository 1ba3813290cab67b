-- Stores what users say about themselves. It does not create a user who is gone. Running it again changes nothing.
--
-- KEYS[1]  the user
-- ARGV[1]  name to show
-- ARGV[2]  bio
-- Returns  { "1" }, or { "0" } when there is no such user

if redis.call('HEXISTS', KEYS[1], 'password') == 0 then
  return { '0' }
end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'bio', ARGV[2])
return { '1' }
