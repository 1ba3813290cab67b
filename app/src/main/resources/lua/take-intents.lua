-- Takes over intents whose time is over, from those who declared them or from an instance that took them and died. What is
-- taken over is marked: from then on it is not the one that its write names, so that a step that comes late is refused.
--
-- KEYS[1]  intents, by when to look after them in ms
-- ARGV[1]  most intents to take
-- ARGV[2]  how long they are the caller's, in ms
-- ARGV[3]  the mark that they begin with then
-- Returns  the intents with their mark

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local later = string.format('%.0f', now + ARGV[2])
local taken = {}
for _, intent in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])) do
  if string.sub(intent, 1, #ARGV[3]) ~= ARGV[3] then
    redis.call('ZREM', KEYS[1], intent)
    intent = ARGV[3] .. intent
  end
  redis.call('ZADD', KEYS[1], later, intent)
  taken[#taken + 1] = intent
end
return taken
