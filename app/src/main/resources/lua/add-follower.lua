-- Adds a follower to the shard for the time of the follow. When the last shard is full, a new one is opened after it.
-- Existing followers never move. Running it again changes nothing.
--
-- KEYS[1]  directory of the shards, a hash: last, the number of the last shard; count, the number of all followers; for
--          each shard but the first, its number with the time at which it begins. These fields are absent while there
--          is a single shard. removed, how many followers were ever removed
-- KEYS[2]  the shard that the caller expects to be the right one
-- KEYS[3]  the shard after it
-- ARGV[1]  number of KEYS[2], from 0
-- ARGV[2]  user id of the follower
-- ARGV[3]  score, ms of the follow
-- ARGV[4]  most followers in a shard before a new one is opened
-- Returns  { "done" }, or { "shard", number } of the right shard when KEYS[2] is another one

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
