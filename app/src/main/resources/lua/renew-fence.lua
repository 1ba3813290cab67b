-- Prolongs the caller's own claim of a fence, never shortens it, and never makes it anew: once it has lapsed, or another
-- has replaced it, somebody may have written in between.
--
-- KEYS[1]  the fence
-- ARGV[1]  the caller's lease
-- ARGV[2]  how long it counts from now, in milliseconds
-- Returns  { "1" } it is the caller's, { "0" } it is not

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return { '0' }
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return { '1' }
