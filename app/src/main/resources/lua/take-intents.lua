-- Takes over intents whose time is over. They come from the writes that declared them, or from an instance that took
-- them over and died. An intent that is taken over gets a mark, so it differs from the intent that its write names. A
-- late step of that write is then refused.
-- If the clock of the node has gone back, as after a fail-over, intents are due too late. These become due earlier.
--
-- KEYS[1]  intents, by the ms at which somebody has to finish them
-- ARGV[1]  most intents to take
-- ARGV[2]  how long they belong to the caller, in ms
-- ARGV[3]  the mark, a prefix
-- ARGV[4]  how long any write may take, in ms
-- Returns  the intents, with their mark
-- Cost     O(M log N)

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local later = string.format('%.0f', now + ARGV[2])
local latest = string.format('%.0f', now + ARGV[4])
for _, intent in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. latest, '+inf', 'LIMIT', 0, ARGV[1])) do
  redis.call('ZADD', KEYS[1], latest, intent)
end
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
