-- Lets a deleted post expire that the archive has deleted.
--
-- KEYS[1]  the post
-- ARGV[1]  how long it is kept, in seconds
-- Returns  { "1" }, or { "0" } when the post is no hash or not deleted
-- Cost     O(1)

if redis.pcall('HEXISTS', KEYS[1], 'deleted') ~= 1 then
  return { '0' }
end
redis.call('HDEL', KEYS[1], 'archived')
redis.call('EXPIRE', KEYS[1], ARGV[1])
return { '1' }
