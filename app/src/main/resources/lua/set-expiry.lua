-- Sets an expiry on a key that has none. An existing expiry is kept.
--
-- KEYS[1]  the key
-- ARGV[1]  ms to live
-- Returns  { "1" }
-- Cost     O(1)

if redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return { '1' }
