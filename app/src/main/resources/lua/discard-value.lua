-- Deletes a string if it still is what the repair has seen. Running it again answers the same.
--
-- KEYS[1]  the string
-- KEYS[2]  its fence, if a lock guards the repair
-- ARGV[1]  owner of the lease
-- ARGV[2]  the value that it must have
-- Returns  { "1" } the string is gone, { "0" } it has changed, { "fence" } the lease is over
-- Cost     O(1)

if KEYS[2] and redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return { 'fence' }
end
local value = redis.call('GET', KEYS[1])
if not value then
  return { '1' }
end
if value ~= ARGV[2] then
  return { '0' }
end
redis.call('DEL', KEYS[1])
return { '1' }
