-- Counts one failed log-in. The window begins with the first one.
--
-- KEYS[1]  the counter
-- ARGV[1]  window in ms
-- Returns  { count, ms until the counter expires }

local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return { tostring(count), tostring(redis.call('PTTL', KEYS[1])) }
