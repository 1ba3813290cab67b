-- Repairs what a list of an author's posts says of those in the archive, if it still says what the repair has seen. The
-- time of the newest archived post is never lowered.
--
-- KEYS[1]  the list
-- ARGV[1]  score of "+" that was seen, or nothing
-- ARGV[2]  score of "#" that was seen, or nothing
-- ARGV[3]  ms of the newest archived post
-- ARGV[4]  number of archived posts; with 0 the list says nothing of the archive any more
-- Returns  { "1" }, or { "0" } when the list says something else now
-- Cost     O(log N)

local newest = redis.call('ZSCORE', KEYS[1], '+')
local count = redis.call('ZSCORE', KEYS[1], '#')
if tonumber(newest or '') ~= tonumber(ARGV[1]) or tonumber(count or '') ~= tonumber(ARGV[2]) then
  return { '0' }
end
if ARGV[4] == '0' then
  redis.call('ZREM', KEYS[1], '+', '#')
else
  redis.call('ZADD', KEYS[1], string.format('%.0f', math.max(tonumber(newest or 0), tonumber(ARGV[3]))), '+')
  redis.call('ZADD', KEYS[1], ARGV[4], '#')
end
return { '1' }
