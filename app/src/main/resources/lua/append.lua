-- Appends one entry to the commit log and tells every instance of it and of the one before, by id and nonce: after a
-- fail-over an id may be given again. The nonce is an entry's first field.
--
-- KEYS[1]  the commit log
-- ARGV[1]  bus channel
-- ARGV[2]  nonce of the entry
-- ARGV[3]  type, then field names and values
-- Returns  { id, nonce }

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id = redis.call('XADD', KEYS[1], '*', 'nonce', ARGV[2], 'type', unpack(ARGV, 3))
redis.call('PUBLISH', ARGV[1],
  table.concat({ last and last[1] .. '.' .. last[2][2] or '0-0', id, 'nonce', ARGV[2], 'type', unpack(ARGV, 3) }, ' '))
return { id, ARGV[2] }
