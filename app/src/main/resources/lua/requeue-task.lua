-- Puts a task that is not finished behind the others, so that a large task does not hold up the others. Running it
-- again changes nothing.
--
-- KEYS[1]  stream of tasks
-- KEYS[2]  unfinished tasks, by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  id of the task
-- Returns  { "1" }, or { "0" } when it was requeued or removed before
-- Cost     O(log N)

local task = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if not task then
  return { '0' }
end
-- The answer does not matter. After a fail-over the group may not know that the task was handed out.
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
local score = redis.call('ZSCORE', KEYS[2], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
local id = redis.call('XADD', KEYS[1], '*', unpack(task[2]))
if score then
  redis.call('ZREM', KEYS[2], ARGV[2])
  redis.call('ZADD', KEYS[2], score, id)
end
return { '1' }
