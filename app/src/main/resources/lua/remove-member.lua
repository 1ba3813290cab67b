-- ZREM as a script, so that it can have a deadline.
--
-- KEYS[1]  a sorted set
-- ARGV[1]  the member to remove
-- Returns  {}
-- Cost     O(log N)

redis.call('ZREM', KEYS[1], ARGV[1])
return {}
