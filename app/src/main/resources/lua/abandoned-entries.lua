-- Finds pending entries that nobody works on any more. Those that are no longer in the stream are acknowledged, and
-- their ids go to the dead-letter stream so that somebody sees them. Redis 6.2 would hand such entries out forever,
-- without content. Redis 7.0 and later forget them silently.
--
-- KEYS[1]  a stream
-- KEYS[2]  the dead-letter stream
-- KEYS[3]  index of unfinished tasks, only if KEYS[1] is the stream of tasks
-- ARGV[1]  consumer group
-- ARGV[2]  minimum time since anybody worked on the entry, in ms
-- ARGV[3]  most pending entries to check
-- ARGV[4]  most entries in the dead-letter stream, roughly
-- Returns  ids of those that are in the stream, oldest first
-- Cost     O(M log N)

local abandoned = {}
for _, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[2], '-', '+', ARGV[3])) do
  if #redis.call('XRANGE', KEYS[1], pending[1], pending[1]) == 1 then
    abandoned[#abandoned + 1] = pending[1]
  else
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'stream', KEYS[1], 'entry', pending[1], 'error',
      'it is not in the stream any more')
    redis.call('XACK', KEYS[1], ARGV[1], pending[1])
    if KEYS[3] then
      redis.call('ZREM', KEYS[3], pending[1])
    end
  end
end
return abandoned
