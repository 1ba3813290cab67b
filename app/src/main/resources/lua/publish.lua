-- Commits a post: from here on it is made. The same form sent twice commits once; the second time writes, too, so that
-- replicas can confirm the first. Every instance is told of the entry as append.lua does it.
--
-- KEYS[1]  the commit log
-- KEYS[2]  the public timeline
-- KEYS[3]  the form's once
-- KEYS[4]  authors whose posts readers pull
-- KEYS[5]  intents: writes of several steps that are not finished
-- KEYS[6]  users who have deleted the account
-- ARGV[1]  bus channel
-- ARGV[2]  nonce of the entry
-- ARGV[3]  post id
-- ARGV[4]  author's user id
-- ARGV[5]  digest of what the form said
-- ARGV[6]  most posts in the public timeline
-- ARGV[7]  how long the form is remembered, in seconds
-- ARGV[8]  "1" when readers pull the post, "" when it is pushed to them
-- ARGV[9]  the intent under which the post was stored, finished by this
-- ARGV[10] the intent to put the post into its author's lists, declared by this
-- ARGV[11] how long that may take, in ms
-- Returns  { entry id, nonce, post id, digest }, of the first time when it was sent before; {} when the intent is not there, for
--          it took too long, or the author has deleted the account: the post is to be thrown away

local before = redis.call('GET', KEYS[3])
if before then
  redis.call('EXPIRE', KEYS[3], ARGV[7])
  local answer = {}
  for word in string.gmatch(before, '%S+') do
    answer[#answer + 1] = word
  end
  return answer
end
-- The intent stays then, by which the post is thrown away whatever happens to its instance.
if redis.call('ZSCORE', KEYS[6], ARGV[4]) or redis.call('ZREM', KEYS[5], ARGV[9]) == 0 then
  return {}
end

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local number = last and last[2][3] == 'n' and last[2][4] + 1 or 1
local fields = { 'nonce', ARGV[2], 'n', string.format('%.0f', number), 'type', 'post', 'post', ARGV[3], 'user', ARGV[4] }
if ARGV[8] == '1' then
  fields[#fields + 1] = 'pulled'
  fields[#fields + 1] = '1'
end
local id = redis.call('XADD', KEYS[1], '*', unpack(fields))
local millis = string.match(id, '^%d+')
redis.call('ZADD', KEYS[5], string.format('%.0f', millis + ARGV[11]), ARGV[10])
if ARGV[8] == '1' then
  redis.call('ZADD', KEYS[4], millis, ARGV[4])
end
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -tonumber(ARGV[6]))
redis.call('ZADD', KEYS[2], millis, ARGV[3])
redis.call('SET', KEYS[3], table.concat({ id, ARGV[2], ARGV[3], ARGV[5] }, ' '), 'EX', ARGV[7])
redis.call('PUBLISH', ARGV[1],
  table.concat({ last and last[1] .. '.' .. last[2][2] or '0-0', id, unpack(fields) }, ' '))
return { id, ARGV[2], ARGV[3], ARGV[5] }
