-- Reads the first elements of a key, whatever its type is.
--
-- KEYS[1]  the key
-- ARGV[1]  most elements
-- ARGV[2]  most bytes of a string
-- Returns  of a sorted set member, score, member, score, …, highest first; of a hash field, value, …; of a list its
--          elements; of a string its beginning; of a stream for each entry, newest first, its id, the number of texts in
--          its fields and values, and these; then for each consumer group "group", its name, its consumers, its pending
--          entries and the last entry that it was given
-- Cost     O(log N + M)

local type = redis.call('TYPE', KEYS[1]).ok
if type == 'zset' then
  return redis.call('ZREVRANGE', KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')
elseif type == 'hash' then
  return redis.call('HSCAN', KEYS[1], 0, 'COUNT', ARGV[1])[2]
elseif type == 'list' then
  return redis.call('LRANGE', KEYS[1], 0, ARGV[1] - 1)
elseif type == 'string' then
  return { redis.call('GETRANGE', KEYS[1], 0, ARGV[2] - 1) }
elseif type ~= 'stream' then
  return {}
end
local answer = {}
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[1])) do
  answer[#answer + 1] = entry[1]
  answer[#answer + 1] = tostring(#entry[2])
  for _, text in ipairs(entry[2]) do
    answer[#answer + 1] = text
  end
end
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local facts = {}
  for i = 1, #group, 2 do
    facts[group[i]] = group[i + 1]
  end
  for _, text in ipairs({ 'group', facts.name, tostring(facts.consumers), tostring(facts.pending),
    facts['last-delivered-id'] }) do
    answer[#answer + 1] = text
  end
end
return answer
