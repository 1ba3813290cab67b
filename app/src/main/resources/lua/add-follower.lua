-- Adds a follower to the shard for the time of the follow. When the last shard is full, a new one is opened after it.
-- If the follower is in another shard, because an unfollow from there broke off, it is removed there. So a follower is
-- in one shard at most. Running it again changes nothing.
--
-- KEYS[1]  directory of the shards, a hash: last, the number of the last shard; count, the number of all followers; for
--          each shard but the first, its number with the time at which it begins. These fields are absent while there
--          is a single shard. removed, how many followers were ever removed
-- KEYS[2]  the first shard, then the others, and the one that comes after the last
-- ARGV[1]  user id of the follower
-- ARGV[2]  score, ms of the follow
-- ARGV[3]  most followers in a shard before a new one is opened
-- Returns  { "done" }, or { "last", number } of the last shard when the directory has another number of shards
-- Cost     O(M log N)

local last = tonumber(redis.call('HGET', KEYS[1], 'last') or 0)
if #KEYS ~= last + 3 then
  return { 'last', tostring(last) }
end
local score = tonumber(ARGV[2])
local right = last
while right > 0 and score < tonumber(redis.call('HGET', KEYS[1], right)) do
  right = right - 1
end

local shard = KEYS[right + 2]
local size = redis.call('ZCARD', shard)
if right == last and size >= tonumber(ARGV[3]) and not redis.call('ZSCORE', shard, ARGV[1])
  and score > tonumber(redis.call('ZREVRANGE', shard, 0, 0, 'WITHSCORES')[2]) then
  if last == 0 then
    redis.call('HSET', KEYS[1], 'count', size)
  end
  last = last + 1
  redis.call('HSET', KEYS[1], 'last', last, last, ARGV[2])
  shard = KEYS[last + 2]
end
local added = redis.call('ZADD', shard, ARGV[2], ARGV[1])
if last > 0 then
  for i = 2, last + 2 do
    if KEYS[i] ~= shard then
      added = added - redis.call('ZREM', KEYS[i], ARGV[1])
    end
  end
  redis.call('HINCRBY', KEYS[1], 'count', added)
end
return { 'done' }
