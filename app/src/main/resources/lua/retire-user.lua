-- Removes the name and the picture of a deleted user whose other data is gone, and lets the rest of the hash expire.
-- Until then the hash tells writes that are still in progress that the user is deleted. Running it again changes
-- nothing.
--
-- KEYS[1]  the user
-- KEYS[2]  the user's picture
-- ARGV[1]  how long the rest is kept, in seconds
-- Returns  { "1" }, or { "0" } when the user is not deleted
-- Cost     O(1)

if redis.call('HGET', KEYS[1], 'state') ~= 'deleted' then
  return { '0' }
end
redis.call('HDEL', KEYS[1], 'username', 'created')
redis.call('DEL', KEYS[2])
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return { '1' }
