-- Acknowledges pending entries that are not in the stream any more, and keeps their ids where somebody looks. Redis 6.2
-- hands such entries out again and again, without content; from 7.0 on it forgets them without a word.
--
-- KEYS[1]  a stream
-- KEYS[2]  stream of what cannot be done
-- KEYS[3]  of pieces those that are unfinished, if it is a stream of pieces
-- ARGV[1]  consumer group
-- ARGV[2]  for how long nobody has worked on them, in ms
-- ARGV[3]  how many pending entries to look at
-- ARGV[4]  what is kept of those that cannot be done
-- Returns  { entries buried }

local buried = 0
for _, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[2], '-', '+', ARGV[3])) do
  if #redis.call('XRANGE', KEYS[1], pending[1], pending[1]) == 0 then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'stream', KEYS[1], 'entry', pending[1], 'error',
      'it is not in the stream any more')
    redis.call('XACK', KEYS[1], ARGV[1], pending[1])
    if KEYS[3] then
      redis.call('ZREM', KEYS[3], pending[1])
    end
    buried = buried + 1
  end
end
return { tostring(buried) }
