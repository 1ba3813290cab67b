-- Says that this consumer still works on entries that it was handed, so that nobody takes them over.
--
-- KEYS[1]  a stream
-- ARGV[1]  consumer group
-- ARGV[2]  consumer
-- ARGV[3]  ids of the entries
-- Returns  { number of entries that still belong to this consumer }
-- Cost     O(M log N)

local renewed = 0
for i = 3, #ARGV do
  if redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1, ARGV[2])[1] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'JUSTID')
    renewed = renewed + 1
  end
end
return { tostring(renewed) }
