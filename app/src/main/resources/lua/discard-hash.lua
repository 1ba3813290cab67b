-- Deletes a hash if it still is what the repair has seen. Running it again answers the same.
--
-- KEYS[1]  the hash
-- KEYS[2]  its fence, if a lock guards the repair
-- ARGV[1]  owner of the lease
-- ARGV[2]  field names and values that the hash must have; an empty value means that the field must be absent
-- Returns  { "1" } the hash is gone, { "0" } it has changed, { "fence" } the lease is over
-- Cost     O(N)

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
