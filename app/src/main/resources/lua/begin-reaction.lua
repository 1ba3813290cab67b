-- Stores that a user wants to react to a post, or to take the reaction back. The change is pending until the log has
-- it. The score of a user is one of these:
--   ms        the user has reacted since then
--   -ms       the user asked for the reaction then; the log may not have it yet
--   ms + 0.5  the user has reacted since then, and has asked to take it back; the log may not have that yet
--
-- KEYS[1]  the users who react to the post
-- ARGV[1]  user id
-- ARGV[2]  the time now, in ms
-- ARGV[3]  1 to react, 0 to take it back
-- Returns  { "1" } when a log entry is needed, { "0" } when nothing changes for others

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
