-- Extends the caller's own claim of a fence. It never shortens a claim. It never renews a claim that has expired or was
-- replaced, because somebody else may have written in between.
--
-- KEYS[1]  the fence
-- ARGV[1]  owner of the caller's lease
-- ARGV[2]  how long the lease lasts from now, in ms
-- Returns  { "1" } when the fence is the caller's, { "0" } when it is not
-- Cost     O(1)

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return { '0' }
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return { '1' }
