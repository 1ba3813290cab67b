-- Counts the consumers of an older release that are at work.
--
-- KEYS[1]  the commit log
-- ARGV[1]  consumer group
-- ARGV[2]  what the names of the others begin with
-- ARGV[3]  who has asked for nothing for so long is gone, in ms
-- Returns  { consumers }

local count = 0
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local info = {}
  for i = 1, #consumer, 2 do
    info[consumer[i]] = consumer[i + 1]
  end
  if string.sub(info['name'], 1, #ARGV[2]) ~= ARGV[2] and info['idle'] < tonumber(ARGV[3]) then
    count = count + 1
  end
end
return { tostring(count) }
