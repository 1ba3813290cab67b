-- Raises the time to live of one's own key to the lease, never lowers it, never touches another owner's.
-- KEYS: 1 the lock's key. ARGV: 1 owner, 2 lease in milliseconds. Returns 1 mine, 0 not mine.
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
	return 0
end
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
	redis.call('pexpire', KEYS[1], ARGV[2])
end
return 1
