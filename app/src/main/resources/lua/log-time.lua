-- The time of the log in ms: that of its node, but not before its newest entry. After a fail-over the clock of the node
-- may be behind the log. New entries then have the time of the newest one.
--
-- KEYS[1]  the log
-- Returns  { ms since the epoch }
-- Cost     O(1)

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if newest then
  now = math.max(now, tonumber(string.match(newest[1], '^%d+')))
end
return { string.format('%.0f', now) }
