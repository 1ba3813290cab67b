-- Prolongs one's own note in the register, never shortens it, and never writes it anew.
-- KEYS: 1 the register. ARGV: 1 owner, 2 time in milliseconds. Returns 1 mine, 0 lapsed or another's.
if redis.call('get', KEYS[1]) ~= ARGV[1] then
	return 0
end
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
	redis.call('pexpire', KEYS[1], ARGV[2])
end
return 1
