-- Puts a piece that is not done yet behind the others, so that much work holds up nobody else's. Sent again it changes
-- nothing.
--
-- KEYS[1]  stream of the pieces
-- KEYS[2]  unfinished pieces by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  the piece's id
-- Returns  { "1" }, or { "0" } when that was known

local piece = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if not piece or redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return { '0' }
end
local score = redis.call('ZSCORE', KEYS[2], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
local id = redis.call('XADD', KEYS[1], '*', unpack(piece[2]))
if score then
  redis.call('ZREM', KEYS[2], ARGV[2])
  redis.call('ZADD', KEYS[2], score, id)
end
return { '1' }
