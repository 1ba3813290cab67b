-- Notes that a write of several steps begins. Whoever finds the note after its time brings the write to an end.
--
-- KEYS[1]  intents, by when to look after them in ms
-- ARGV[1]  the intent
-- ARGV[2]  how long the write may take, in ms
-- Returns  { "1" }

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
return { '1' }
