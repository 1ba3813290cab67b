-- Deletes a hash that is exactly what its repairer saw. Sent again it answers the same.
--
-- KEYS[1]  the hash
-- KEYS[2]  its fence register, when the repair is guarded
-- ARGV[1]  owner of the lease
-- ARGV     then field names and values that it must have; an empty value: must not have
-- Returns  { "1" } it is gone, { "0" } it is another now, { "fence" } the lease is over

if KEYS[2] and redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return { 'fence' }
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  return { '1' }
end
for i = 2, #ARGV, 2 do
  if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 1] then
    return { '0' }
  end
end
redis.call('DEL', KEYS[1])
return { '1' }
