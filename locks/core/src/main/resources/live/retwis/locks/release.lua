-- Deletes one's own key, never another owner's.
-- KEYS: 1 the lock's key. ARGV: 1 owner. Returns 1 deleted, 0 not mine.
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
	return 0
end
return redis.call('del', KEYS[1])
