-- Sets the number of archived posts that a list of their author's posts says, unless it has changed meanwhile. Without
-- archived posts the list no longer says that it goes on in the archive.
--
-- KEYS[1]  the list
-- ARGV[1]  the number that was there before
-- ARGV[2]  the number of archived posts that are not in the list
-- Returns  { "1" }, or { "0" } when another number is there
-- Cost     O(log N)

if tonumber(redis.call('ZSCORE', KEYS[1], '#') or -1) ~= tonumber(ARGV[1]) then
  return { '0' }
end
if tonumber(ARGV[2]) > 0 then
  redis.call('ZADD', KEYS[1], ARGV[2], '#')
else
  redis.call('ZREM', KEYS[1], '+', '#')
end
return { '1' }
