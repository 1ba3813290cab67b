-- Takes posts out of a home timeline. One that was full had lost its oldest posts before; that it is no longer full does
-- not make it whole, so the place from which on it is whole is kept. Sent again it changes nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  from which ms of commit on it is whole, if it is not from the first post on
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than the timeline that is kept, in seconds
-- ARGV[3]  post ids
-- Returns  posts taken out

local oldest
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
end
local life = redis.call('PTTL', KEYS[1])
local removed = redis.call('ZREM', KEYS[1], unpack(ARGV, 3))
if oldest and removed > 0 then
  if life > 0 then
    redis.call('SET', KEYS[2], oldest, 'PX', life + 1000 * tonumber(ARGV[2]))
  else
    redis.call('SET', KEYS[2], oldest)
  end
end
return removed
