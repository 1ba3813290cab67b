-- Puts an author's posts into a home timeline in one step. It never holds more than its bound. One that is cut gets none that
-- are older than all in it: others between them are missing. Where the author's posts are known only down to a place, the
-- timeline is cut there, and what is older goes. For one that is being made all this is noted. Sent again it changes nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  from which ms of commit on it is whole, if it is not from the first post on
-- KEYS[3]  what changed since it was announced
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than the timeline what is noted is kept, in seconds
-- ARGV[3]  the place down to which the author has no others: its ms; "" when these are all
-- ARGV[4]  and its post id, or ""
-- ARGV[5]  score, ms of the commit, and post id of each, newest first
-- Returns  { "1" }, or { "0" } when there is no timeline, nor one being made

local size = tonumber(ARGV[1])
local there = redis.call('ZCARD', KEYS[1])
if there == 0 then
  if redis.call('EXISTS', KEYS[3]) == 0 then
    return { '0' }
  end
  for i = 5, #ARGV, 2 do
    redis.call('RPUSH', KEYS[3], '+' .. ARGV[i] .. ' ' .. ARGV[i + 1])
  end
  if ARGV[3] ~= '' then
    redis.call('RPUSH', KEYS[3], '<' .. ARGV[3] .. ' ' .. ARGV[4])
  end
  return { '1' }
end

local life = redis.call('PTTL', KEYS[1])
local cut = (redis.call('GET', KEYS[2]) or '0') ~= '0'

local function note(oldest)
  if cut then
    return
  elseif life > 0 then
    redis.call('SET', KEYS[2], oldest, 'PX', life + 1000 * tonumber(ARGV[2]))
  else
    redis.call('SET', KEYS[2], oldest)
  end
  cut = true
end

-- The bound was lowered.
if there > size then
  note(redis.call('ZRANGE', KEYS[1], there - size, there - size, 'WITHSCORES')[2])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, there - size - 1)
  there = size
end
for i = 5, #ARGV, 2 do
  local post = ARGV[i + 1]
  if not redis.call('ZSCORE', KEYS[1], post) then
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    local newer = tonumber(ARGV[i]) - tonumber(oldest[2])
    if there == size then
      note(oldest[2])
    end
    if cut and (newer < 0 or (newer == 0 and post < oldest[1])) then
      break
    end
    if there == size then
      redis.call('ZREMRANGEBYRANK', KEYS[1], 0, 0)
      there = there - 1
    end
    redis.call('ZADD', KEYS[1], ARGV[i], post)
    there = there + 1
  end
end
if ARGV[3] ~= '' then
  note(ARGV[3])
  local older = 0
  local posts = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[3], 'WITHSCORES')
  for i = 1, #posts, 2 do
    if tonumber(posts[i + 1]) < tonumber(ARGV[3]) or posts[i] < ARGV[4] then
      older = older + 1
    end
  end
  if older > 0 then
    redis.call('ZREMRANGEBYRANK', KEYS[1], 0, older - 1)
  end
end
return { '1' }
