-- Answers whether instances of an older release may still process the log. A live consumer takes a new entry soon,
-- unless another one is faster. Before Redis 7.2 that is the only sign of life of a consumer. So the older consumers
-- are gone when an entry is old enough and none of them was active since it was appended.
--
-- KEYS[1]  the commit log
-- ARGV[1]  consumer group
-- ARGV[2]  prefix of the names of this release's consumers
-- ARGV[3]  how old the entry must be, in ms
-- Returns  { "1" } an older release may be at work, { "0" } none is
-- Cost     O(M)

local idle
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local info = {}
  for i = 1, #consumer, 2 do
    info[consumer[i]] = consumer[i + 1]
  end
  if string.sub(info['name'], 1, #ARGV[2]) ~= ARGV[2] then
    idle = math.min(idle or info['idle'], info['idle'])
  end
end
if not idle then
  return { '0' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since = string.format('%.0f', now - idle + 1)
local entry = redis.call('XRANGE', KEYS[1], since, '+', 'COUNT', 1)[1]
local gone = entry and now - tonumber(string.match(entry[1], '^%d+')) >= tonumber(ARGV[3])
return { gone and '0' or '1' }
