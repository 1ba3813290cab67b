-- A piece of an entry is done, or cannot be: nothing of it is kept. Sent again it changes nothing.
--
-- KEYS[1]  stream of the pieces
-- KEYS[2]  unfinished pieces by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  the piece's id
-- Returns  { "1" }, or { "0" } when that was known

redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[2])
return { tostring(redis.call('XDEL', KEYS[1], ARGV[2])) }
