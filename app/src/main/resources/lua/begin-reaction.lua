-- Stores that a user reacts to a post, or takes that back, as pending until the log has it. The score of a user is
--   ms        the user reacts since then
--   -ms       the user asked for it then, and the log may not have it
--   ms + 0.5  the user reacts since then, asked to take it back, and the log may not have that
--
-- KEYS[1]  the users who react to the post
-- ARGV[1]  user id
-- ARGV[2]  the time now, in ms
-- ARGV[3]  1 to react, 0 to take it back
-- Returns  { "1" } when the log has to be told, { "0" } when nothing changes for others

local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
if ARGV[3] == '1' then
  if score <= 0 then
    redis.call('ZADD', KEYS[1], -ARGV[2], ARGV[1])
    return { '1' }
  end
  redis.call('ZADD', KEYS[1], math.floor(score), ARGV[1])
  return { '0' }
end
if score <= 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return { '0' }
end
redis.call('ZADD', KEYS[1], math.floor(score) + 0.5, ARGV[1])
return { '1' }
