-- Completes a pending reaction to a post (see begin-reaction.lua), because the log has it. If the user has changed it
-- again meanwhile, it stays as it is. Running it again changes nothing.
--
-- KEYS[1]  the users who react to the post
-- ARGV[1]  user id
-- ARGV[2]  ms of the commit
-- ARGV[3]  1 when the user reacts, 0 when the user takes it back
-- ARGV[4]  most users; when there are more, the one who reacted first is removed
-- Returns  { "1" } when the user reacts now, { "0" } when not

local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
if ARGV[3] == '1' and score < 0 then
  if redis.call('ZCARD', KEYS[1]) > tonumber(ARGV[4]) then
    redis.call('ZREM', KEYS[1], unpack(redis.call('ZRANGEBYSCORE', KEYS[1], '(0', '+inf', 'LIMIT', 0, 1)))
  end
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  return { '1' }
end
if ARGV[3] == '0' and score ~= math.floor(score) then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return { '0' }
end
return { score > 0 and '1' or '0' }
