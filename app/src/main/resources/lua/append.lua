-- Appends an entry to the commit log and announces it to all instances. The announcement names the entry and the one
-- before it by id and nonce, because the same id may be assigned again after a fail-over. The first two fields of an
-- entry are its nonce and its number. The number is one more than that of the entry before, so that entries can be
-- counted without reading them.
--
-- KEYS[1]  the commit log
-- KEYS[2]  intents: writes of several steps that are not finished
-- KEYS[3]  users who have deleted the account, by the ms at which their data was removed; +inf before that
-- KEYS[4]  users who are suspended, by the ms since when
-- ARGV[1]  bus channel
-- ARGV[2]  nonce of the entry
-- ARGV[3]  the intent that this entry finishes; "" for none
-- ARGV[4]  how long users whose data was removed stay in KEYS[3], in ms
-- ARGV[5]  type of the entry, then field names and values; if there is a user, it comes first
-- Returns  { id, nonce }; {} when the intent is gone because somebody else has finished it; { "told" } when the log
--          already has an entry for the deleted account. In the last two cases nothing is appended
-- Cost     O(M log N)

if ARGV[3] ~= '' and redis.call('ZREM', KEYS[2], ARGV[3]) == 0 then
  return {}
end
local user = ARGV[6] == 'user' and ARGV[7]
if ARGV[5] == 'closed' then
  if ARGV[3] ~= '' and redis.call('ZSCORE', KEYS[3], user) then
    return { 'told' }
  end
  redis.call('ZADD', KEYS[3], '+inf', user)
end

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local number = last and last[2][3] == 'n' and last[2][4] + 1 or 1
local fields = { 'nonce', ARGV[2], 'n', string.format('%.0f', number), 'type', unpack(ARGV, 5) }
local id = redis.call('XADD', KEYS[1], '*', unpack(fields))
local millis = string.match(id, '^%d+')
if ARGV[5] == 'suspended' then
  redis.call('ZADD', KEYS[4], millis, user)
elseif ARGV[5] == 'restored' then
  redis.call('ZREM', KEYS[4], user)
elseif ARGV[5] == 'freed' then
  -- Without a name it is a reminder. It must not say that data was removed that is still there.
  if ARGV[9] == '' then
    redis.call('ZADD', KEYS[3], 'GT', millis, user)
  else
    redis.call('ZADD', KEYS[3], millis, user)
  end
  local over = string.format('%.0f', millis - ARGV[4])
  for _, cleared in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', over, 'LIMIT', 0, 100)) do
    redis.call('ZREM', KEYS[3], cleared)
  end
end
redis.call('PUBLISH', ARGV[1],
  table.concat({ last and last[1] .. '.' .. last[2][2] or '0-0', id, unpack(fields) }, ' '))
return { id, ARGV[2] }
