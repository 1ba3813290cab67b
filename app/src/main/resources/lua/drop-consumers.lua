-- Forgets consumers that have asked for nothing for long and have nothing left to do.
--
-- KEYS[1]  the commit log
-- ARGV[1]  consumer group
-- ARGV[2]  how long, in ms
-- Returns  { consumers dropped }

local dropped = 0
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local info = {}
  for i = 1, #consumer, 2 do
    info[consumer[i]] = consumer[i + 1]
  end
  if info['pending'] == 0 and info['idle'] > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], info['name'])
    dropped = dropped + 1
  end
end
return { tostring(dropped) }
