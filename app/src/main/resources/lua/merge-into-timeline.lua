-- Puts older posts into a home timeline in one step. It never holds more than its bound. One that is cut gets none that are
-- older than all in it: others between them are missing. For one that is being made they are noted. Sent again it changes
-- nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  from which ms of commit on it is whole, if it is not from the first post on
-- KEYS[3]  what changed since it was announced
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than the timeline what is noted is kept, in seconds
-- ARGV[3]  score, ms of the commit, and post id of each, newest first
-- Returns  { "1" }, or { "0" } when there is no timeline, nor one being made

local size = tonumber(ARGV[1])
local there = redis.call('ZCARD', KEYS[1])
if there == 0 then
  if redis.call('EXISTS', KEYS[3]) == 0 then
    return { '0' }
  end
  for i = 3, #ARGV, 2 do
    redis.call('RPUSH', KEYS[3], '+' .. ARGV[i] .. ' ' .. ARGV[i + 1])
  end
  return { '1' }
end

local cut = (redis.call('GET', KEYS[2]) or '0') ~= '0'

local function note(oldest)
  local life = redis.call('PTTL', KEYS[1])
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
for i = 3, #ARGV, 2 do
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
-- Their author may have more.
if #ARGV - 2 >= 2 * size then
  note(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
end
return { '1' }
