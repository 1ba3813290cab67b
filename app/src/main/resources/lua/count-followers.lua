-- Counts the followers of a user who has several shards, and corrects the stored count if asked to.
--
-- KEYS[1]  directory of the shards, see add-follower.lua
-- KEYS[2]  the first shard, then the others
-- ARGV[1]  "fix" to correct the count
-- Returns  { followers, stored count }, or {} when the directory has another number of shards
-- Cost     O(M)

if tonumber(redis.call('HGET', KEYS[1], 'last') or -1) ~= #KEYS - 2 then
  return {}
end
local all = 0
for i = 2, #KEYS do
  all = all + redis.call('ZCARD', KEYS[i])
end
local count = redis.call('HGET', KEYS[1], 'count') or '0'
if ARGV[1] == 'fix' then
  redis.call('HSET', KEYS[1], 'count', all)
end
return { tostring(all), count }
