-- Notes that an instance has done a step of the way of a post. The first time counts.
--
-- KEYS[1]  what is known of the way
-- ARGV[1]  the step and the instance
-- ARGV[2]  time in ms
-- ARGV[3]  how many seconds the key is kept
-- Returns  { "1" }, or { "0" } when it was noted before
-- Cost     O(1)

local noted = redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return { tostring(noted) }
