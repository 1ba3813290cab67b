-- Takes the key if nobody has it. The same hash that Redisson's lock makes.
-- KEYS: 1 the lock's key. ARGV: 1 owner, 2 lease in milliseconds. Returns 1 taken, 0 somebody has it.
if redis.call('exists', KEYS[1]) == 1 then
	return 0
end
redis.call('hset', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
