-- Counts the followers of a user whose shards have a directory, and puts its count right if told to.
--
-- KEYS[1]  directory of the shards, as add-follower.lua has it
-- KEYS[2]  the first shard, then the others
-- ARGV[1]  "fix" to put the count right
-- Returns  { followers, count of the directory }, or {} when it tells of other shards than were named

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
