-- Removes a follower from the shard for the time of the follow. A newer follow by the same user stays. Running it again
-- changes nothing.
--
-- KEYS[1]  directory of the shards, see add-follower.lua
-- KEYS[2]  the shard that the caller expects to be the right one
-- ARGV[1]  number of KEYS[2], from 0
-- ARGV[2]  user id of the follower
-- ARGV[3]  ms of the follow
-- Returns  { "done", "1" } when removed, { "done", "0" } when there was nothing to remove, { "shard", number } of the
--          right shard when KEYS[2] is another one
-- Cost     O(log N + M)

local last = tonumber(redis.call('HGET', KEYS[1], 'last') or 0)
local right = last
while right > 0 and tonumber(ARGV[3]) < tonumber(redis.call('HGET', KEYS[1], right)) do
  right = right - 1
end
if right ~= tonumber(ARGV[1]) then
  return { 'shard', tostring(right) }
end
local since = redis.call('ZSCORE', KEYS[2], ARGV[2])
if not since or tonumber(since) ~= tonumber(ARGV[3]) then
  return { 'done', '0' }
end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('HINCRBY', KEYS[1], 'removed', 1)
if last > 0 then
  redis.call('HINCRBY', KEYS[1], 'count', -1)
end
return { 'done', '1' }
