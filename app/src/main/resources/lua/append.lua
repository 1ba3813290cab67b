-- Appends one entry to the commit log and tells every instance of it and of the one before, by id and nonce: after a
-- fail-over an id may be given again. An entry's first fields are its nonce and its number: one more than that of the
-- entry before, so that entries are counted without reading them.
--
-- KEYS[1]  the commit log
-- KEYS[2]  intents: writes of several steps that are not finished
-- KEYS[3]  users who have deleted the account and are not cleared away yet, by the ms of its entry
-- ARGV[1]  bus channel
-- ARGV[2]  nonce of the entry
-- ARGV[3]  the intent that is finished by the entry; "" for none
-- ARGV[4]  type, then field names and values
-- Returns  { id, nonce }, or {} when the intent is not there: then it was finished before, and nothing is written

if ARGV[3] ~= '' and redis.call('ZREM', KEYS[2], ARGV[3]) == 0 then
  return {}
end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local number = last and last[2][3] == 'n' and last[2][4] + 1 or 1
local fields = { 'nonce', ARGV[2], 'n', string.format('%.0f', number), 'type', unpack(ARGV, 4) }
local id = redis.call('XADD', KEYS[1], '*', unpack(fields))
for i = 5, #ARGV, 2 do
  if ARGV[i] == 'user' and ARGV[4] == 'closed' then
    redis.call('ZADD', KEYS[3], string.match(id, '^%d+'), ARGV[i + 1])
  elseif ARGV[i] == 'user' and ARGV[4] == 'freed' then
    redis.call('ZREM', KEYS[3], ARGV[i + 1])
  end
end
redis.call('PUBLISH', ARGV[1],
  table.concat({ last and last[1] .. '.' .. last[2][2] or '0-0', id, unpack(fields) }, ' '))
return { id, ARGV[2] }
