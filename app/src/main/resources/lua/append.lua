-- Appends one entry to the commit log and tells every instance of it and of the one before, by id and nonce: after a
-- fail-over an id may be given again. An entry's first fields are its nonce and its number: one more than that of the
-- entry before, so that entries are counted without reading them.
--
-- KEYS[1]  the commit log
-- ARGV[1]  bus channel
-- ARGV[2]  nonce of the entry
-- ARGV[3]  type, then field names and values
-- Returns  { id, nonce }

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local number = last and last[2][3] == 'n' and last[2][4] + 1 or 1
local fields = { 'nonce', ARGV[2], 'n', string.format('%.0f', number), 'type', unpack(ARGV, 3) }
local id = redis.call('XADD', KEYS[1], '*', unpack(fields))
redis.call('PUBLISH', ARGV[1],
  table.concat({ last and last[1] .. '.' .. last[2][2] or '0-0', id, unpack(fields) }, ' '))
return { id, ARGV[2] }
