-- The time of the log in ms: that of its node. After a fail-over the clock of the node may be behind the log. New entries
-- then have the time of the newest one, and this answers with the time after it, so that it is after all entries.
--
-- KEYS[1]  the log
-- Returns  { ms since the epoch }
-- Cost     O(1)

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if newest then
  local last = tonumber(string.match(newest[1], '^%d+'))
  now = last > now and last + 1 or now
end
return { string.format('%.0f', now) }
