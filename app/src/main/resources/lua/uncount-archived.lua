-- Lowers the number of archived posts that a list of their author's posts says. When the archive has none left, the list
-- no longer says that it goes on there. It goes on saying so while posts are being added to the archive.
--
-- KEYS[1]  the list
-- ARGV[1]  how many posts the archive has fewer
-- ARGV[2]  1 when the archive has no posts of the author
-- Returns  { "1" }, or { "0" } when the list says nothing of the archive

local count = redis.call('ZSCORE', KEYS[1], '#')
if not count then
  return { '0' }
end
local left = math.max(tonumber(count) - ARGV[1], 0)
if left == 0 and ARGV[2] == '1' then
  redis.call('ZREM', KEYS[1], '+', '#')
else
  redis.call('ZADD', KEYS[1], left, '#')
end
return { '1' }
