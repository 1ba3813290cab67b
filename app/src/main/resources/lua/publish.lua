-- Commits a post: from now on it counts as made. A form that is sent twice makes one post. The second time still writes
-- something, so that replicas can confirm the first write. All instances are told of the entry, as in append.lua.
--
-- KEYS[1]  the commit log
-- KEYS[2]  the public timeline
-- KEYS[3]  the answer to the form, under its random once value
-- KEYS[4]  authors whose posts readers pull
-- KEYS[5]  intents: writes of several steps that are not finished
-- KEYS[6]  users who have deleted the account
-- ARGV[1]  bus channel
-- ARGV[2]  nonce of the entry
-- ARGV[3]  post id
-- ARGV[4]  user id of the author
-- ARGV[5]  digest of the form's content
-- ARGV[6]  most posts in the public timeline
-- ARGV[7]  how long the answer to the form is kept, in seconds
-- ARGV[8]  "1" when readers pull the post, "" when it is pushed to them
-- ARGV[9]  the intent under which the post was stored; this script finishes it
-- ARGV[10] the intent to add the post to its author's lists; this script declares it
-- ARGV[11] how long that may take, in ms
-- ARGV[12] facts of the post: what it reposts, what it replies to, and its tags; "" for none. Facts of a repost begin
--          with =, and it is not added to the public timeline
-- Returns  { entry id, nonce, post id, digest }, those of the first time if the form was sent before; {} when the
--          intent is gone because the write took too long, or when the author has deleted the account: the caller must
--          throw the post away
-- Cost     O(log N + M)

local before = redis.call('GET', KEYS[3])
if before then
  redis.call('EXPIRE', KEYS[3], ARGV[7])
  local answer = {}
  for word in string.gmatch(before, '%S+') do
    answer[#answer + 1] = word
  end
  return answer
end
-- If the account is deleted, the intent stays. So the post is thrown away even if this instance dies.
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
if ARGV[12] ~= '' then
  fields[#fields + 1] = 'facts'
  fields[#fields + 1] = ARGV[12]
end
local id = redis.call('XADD', KEYS[1], '*', unpack(fields))
local millis = string.match(id, '^%d+')
redis.call('ZADD', KEYS[5], string.format('%.0f', millis + ARGV[11]), ARGV[10])
if ARGV[8] == '1' then
  redis.call('ZADD', KEYS[4], millis, ARGV[4])
end
if string.sub(ARGV[12], 1, 1) ~= '=' then
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -tonumber(ARGV[6]))
  redis.call('ZADD', KEYS[2], millis, ARGV[3])
end
redis.call('SET', KEYS[3], table.concat({ id, ARGV[2], ARGV[3], ARGV[5] }, ' '), 'EX', ARGV[7])
redis.call('PUBLISH', ARGV[1],
  table.concat({ last and last[1] .. '.' .. last[2][2] or '0-0', id, unpack(fields) }, ' '))
return { id, ARGV[2], ARGV[3], ARGV[5] }
