-- Writes a counter under a guard, and keeps a list of what was accepted.
-- KEYS: 1 the counter, 2 the register of the guard, 3 the list. ARGV: 1 the guard (owner, token or none), 2 owner,
-- 3 token, 4 the new value. Returns 1 written, 0 refused.
if ARGV[1] == 'owner' and redis.call('get', KEYS[2]) ~= ARGV[2] then
	return 0
end
if ARGV[1] == 'token' then
	if tonumber(ARGV[3]) < tonumber(redis.call('get', KEYS[2]) or '0') then
		return 0
	end
	redis.call('set', KEYS[2], ARGV[3])
end
redis.call('set', KEYS[1], ARGV[4])
redis.call('rpush', KEYS[3], ARGV[2] .. '=' .. ARGV[4])
return 1
