-- Adds older posts to a home timeline in one step. The timeline never exceeds its bound. If its mark says that older
-- posts are missing, posts older than all its posts are refused, because posts between them are missing. If the
-- timeline is being built, the posts are added to its list of changes. Running it again changes nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  its mark, the ms of commit from which on it is complete; absent if it is complete from the first post on
-- KEYS[3]  its changes since somebody began to build it
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than the timeline the mark lives, in seconds
-- ARGV[3]  score, ms of the commit, and post id of each post, newest first
-- Returns  { "1" }, or { "0" } when the timeline neither exists nor is being built

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

for i = 3, #ARGV, 2 do
  local post = ARGV[i + 1]
  if not redis.call('ZSCORE', KEYS[1], post) then
    -- The oldest post that stays. The timeline may hold more than the bound if the bound was lowered.
    local rank = math.max(0, there - size)
    local oldest = redis.call('ZRANGE', KEYS[1], rank, rank, 'WITHSCORES')
    local newer = tonumber(ARGV[i]) - tonumber(oldest[2])
    if there >= size then
      note(oldest[2])
    end
    if cut and (newer < 0 or (newer == 0 and post < oldest[1])) then
      break
    end
    if there >= size then
      redis.call('ZREMRANGEBYRANK', KEYS[1], 0, there - size)
      there = size - 1
    end
    redis.call('ZADD', KEYS[1], ARGV[i], post)
    there = there + 1
  end
end
-- The caller passes no more posts than the bound, so the author may have more.
if #ARGV - 2 >= 2 * size then
  note(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
end
return { '1' }
