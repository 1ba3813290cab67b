-- Splits a log entry that is much work into tasks, which any instance can take. This is one atomic step, so each entry
-- is split once and nothing is lost. An entry that was postponed is a task already, see postpone-entry.lua. The new tasks
-- take the place of that one.
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

local millis = string.match(ARGV[2], '^%d+')

local function postponed()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], millis, millis)) do
    local task = redis.call('XRANGE', KEYS[2], id, id)[1]
    if task and task[2][2] == ARGV[2] and task[2][3] == 'postponed' then
      return id
    end
  end
end

if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  local id = postponed()
  if not id then
    return { '0' }
  end
  redis.call('XACK', KEYS[2], ARGV[1], id)
  redis.call('ZREM', KEYS[3], id)
  redis.call('XDEL', KEYS[2], id)
end
for i = 6, #ARGV do
  local id = redis.call('XADD', KEYS[2], '*', 'entry', ARGV[2], 'type', ARGV[3], 'post', ARGV[4], 'user', ARGV[5],
    'from', ARGV[i], 'until', ARGV[i + 1] or '')
  redis.call('ZADD', KEYS[3], millis, id)
end
return { tostring(#ARGV - 5) }
