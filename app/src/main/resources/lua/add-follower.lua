-- Adds a follower to the shard of the follow's time. The last shard is followed by a new one when it is full; nothing
-- moves. Sent again it changes nothing.
--
-- KEYS[1]  directory of the shards: last, count, and by number the time at which each but the first begins, none of these
--          while there is one shard; removed, how many were ever taken out
-- KEYS[2]  the shard that the caller takes for the right one
-- KEYS[3]  the shard after it
-- ARGV[1]  number of KEYS[2], from 0
-- ARGV[2]  follower's user id
-- ARGV[3]  score, ms of the follow
-- ARGV[4]  most followers in a shard before another opens
-- Returns  { "done" }, or { "shard", number } when KEYS[2] is not the right one

local last = tonumber(redis.call('HGET', KEYS[1], 'last') or 0)
local score = tonumber(ARGV[3])
local right = last
while right > 0 and score < tonumber(redis.call('HGET', KEYS[1], right)) do
  right = right - 1
end
if right ~= tonumber(ARGV[1]) then
  return { 'shard', tostring(right) }
end

local shard = KEYS[2]
local size = redis.call('ZCARD', shard)
if right == last and size >= tonumber(ARGV[4]) and not redis.call('ZSCORE', shard, ARGV[2])
  and score > tonumber(redis.call('ZREVRANGE', shard, 0, 0, 'WITHSCORES')[2]) then
  if last == 0 then
    redis.call('HSET', KEYS[1], 'count', size)
  end
  redis.call('HSET', KEYS[1], 'last', last + 1, last + 1, ARGV[3])
  shard = KEYS[3]
  last = last + 1
end
local added = redis.call('ZADD', shard, ARGV[3], ARGV[2])
if last > 0 then
  redis.call('HINCRBY', KEYS[1], 'count', added)
end
return { 'done' }
