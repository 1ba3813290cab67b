-- Takes a follower out of the shard of the follow's time, unless there is another follow since. Sent again it changes
-- nothing.
--
-- KEYS[1]  directory of the shards, as add-follower.lua has it
-- KEYS[2]  the shard that the caller takes for the right one
-- ARGV[1]  number of KEYS[2], from 0
-- ARGV[2]  follower's user id
-- ARGV[3]  ms of the follow
-- Returns  { "done", "1" or "0" when there was nothing to take out }, or { "shard", number } when KEYS[2] is not the right one

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
