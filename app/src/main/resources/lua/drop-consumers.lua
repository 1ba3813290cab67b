-- Removes consumers that have not asked for entries for a long time and have no pending entries.
--
-- KEYS[1]  a stream
-- ARGV[1]  consumer group
-- ARGV[2]  minimum idle time, in ms
-- Returns  { number of consumers removed }
-- Cost     O(M)

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
