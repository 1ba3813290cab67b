-- Turns an entry of the log that is much work into pieces that any instance takes: in one step, so that each entry is
-- split once and nothing is lost.
--
-- KEYS[1]  the commit log
-- KEYS[2]  stream of the pieces
-- KEYS[3]  unfinished pieces by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  entry id
-- ARGV[3]  type of the entry
-- ARGV[4]  post id
-- ARGV[5]  author's user id
-- ARGV[6]  when each piece begins, ms of the follow, ascending; a piece ends where the next begins, the last nowhere
-- Returns  { pieces added }: "0" when it was split before

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
