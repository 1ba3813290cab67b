-- Splits a log entry that is much work into tasks, which any instance can take. This is one atomic step, so each entry
-- is split once and nothing is lost.
--
-- KEYS[1]  the commit log
-- KEYS[2]  stream of tasks
-- KEYS[3]  unfinished tasks, by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  entry id
-- ARGV[3]  type of the entry
-- ARGV[4]  post id
-- ARGV[5]  user id of the author
-- ARGV[6]  where the tasks' ranges of follow times begin, in ms, ascending; a range ends where the next one begins, and
--          the last one has no end
-- Returns  { number of tasks added }, "0" when the entry was split before
-- Cost     O(M log N)

if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return { '0' }
end
local millis = string.match(ARGV[2], '^%d+')
for i = 6, #ARGV do
  local id = redis.call('XADD', KEYS[2], '*', 'entry', ARGV[2], 'type', ARGV[3], 'post', ARGV[4], 'user', ARGV[5],
    'from', ARGV[i], 'until', ARGV[i + 1] or '')
  redis.call('ZADD', KEYS[3], millis, id)
end
return { tostring(#ARGV - 5) }
