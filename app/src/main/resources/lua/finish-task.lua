-- Removes a task that is finished. Running it again changes nothing.
--
-- KEYS[1]  stream of tasks
-- KEYS[2]  unfinished tasks, by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  id of the task
-- Returns  { "1" }, or { "0" } when it was removed before
-- Cost     O(log N)

redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[2])
return { tostring(redis.call('XDEL', KEYS[1], ARGV[2])) }
