-- Takes posts out of home timelines. One that is cut is whole from its oldest post on; when that is taken out, the place is
-- kept. For one that is being made the posts are noted. Sent again it changes nothing.
--
-- KEYS     timelines, each followed by what tells from which ms of commit on it is whole, if it is not from the first
--          post on, and by what changed since it was announced; in one slot where there are slots
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than the timeline that is kept, in seconds
-- ARGV[3]  post ids
-- Returns  {}

local changes = {}
for i = 3, #ARGV do
  changes[#changes + 1] = '-' .. ARGV[i]
end
for i = 1, #KEYS, 3 do
  local oldest
  local there = redis.call('ZCARD', KEYS[i])
  if there == 0 then
    redis.call('RPUSHX', KEYS[i + 2], unpack(changes))
  elseif there >= tonumber(ARGV[1]) or (redis.call('GET', KEYS[i + 1]) or '0') ~= '0' then
    oldest = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2]
  end
  local life = redis.call('PTTL', KEYS[i])
  if redis.call('ZREM', KEYS[i], unpack(ARGV, 3)) > 0 and oldest then
    if life > 0 then
      redis.call('SET', KEYS[i + 1], oldest, 'PX', life + 1000 * tonumber(ARGV[2]))
    else
      redis.call('SET', KEYS[i + 1], oldest)
    end
  end
end
return {}
