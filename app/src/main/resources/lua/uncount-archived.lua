-- Lowers the number of archived posts that a list of their author's posts says. When there are none left, the list no
-- longer says that it goes on in the archive.
--
-- KEYS[1]  the list
-- ARGV[1]  how many posts the archive has fewer
-- Returns  { "1" }, or { "0" } when the list says nothing of the archive

local count = redis.call('ZSCORE', KEYS[1], '#')
if not count then
  return { '0' }
end
if tonumber(count) > tonumber(ARGV[1]) then
  redis.call('ZINCRBY', KEYS[1], -ARGV[1], '#')
else
  redis.call('ZREM', KEYS[1], '+', '#')
end
return { '1' }
