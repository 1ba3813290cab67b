-- Lets a deleted post expire, once it is in no list any more. Until then it tells writes that are still in progress
-- that the post is deleted. The archive may have a post although nothing says so here: a node that crashed has lost
-- that. So an old post counts as one that the archive may have.
--
-- KEYS[1]  the post
-- ARGV[1]  how long it is kept, in seconds
-- ARGV[2]  from which age on the archive may have a post, in ms; "" without an archive
-- Returns  { "1" }, or { "0" } when the post is not deleted; { "archived" } when the archive may have it, too. Then it
--          stays until the archive has deleted it; { "unknown" } when the key is no hash
-- Cost     O(1)

local deleted = redis.pcall('HEXISTS', KEYS[1], 'deleted')
if deleted == 0 then
  return { '0' }
end
if deleted ~= 1 then
  return { 'unknown' }
end
local created = tonumber(redis.call('HGET', KEYS[1], 'created'))
local movable = tonumber(ARGV[2])
if created and movable and created < redis.call('TIME')[1] * 1000 - movable then
  redis.call('HSET', KEYS[1], 'archived', '1')
end
if redis.call('HEXISTS', KEYS[1], 'archived') == 1 then
  return { 'archived' }
end
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return { '1' }
