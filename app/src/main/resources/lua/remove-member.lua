-- ZREM as a script, so that it can have a deadline. The answer says whether this run has removed it, because that is
-- logged once.
--
-- KEYS[1]  a sorted set
-- ARGV[1]  the member to remove
-- Returns  { "1" }, or { "0" } when it was not there
-- Cost     O(log N)

return { tostring(redis.call('ZREM', KEYS[1], ARGV[1])) }
