-- Notes that a write of several steps begins. An instance that finds the note after its time finishes the write.
--
-- KEYS[1]  intents, by the ms at which somebody has to finish them
-- ARGV[1]  the intent
-- ARGV[2]  how long the write may take, in ms
-- Returns  { "1" }
-- Cost     O(log N)

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
return { '1' }
