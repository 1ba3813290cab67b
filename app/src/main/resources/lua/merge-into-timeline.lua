-- Adds an author's posts to a home timeline in one step. The timeline never exceeds its bound. Running it again changes
-- nothing.
--
-- The script refuses a post that is older than the timeline's oldest post if posts between these two may be missing.
-- The mark tells that. Either it says that older posts were dropped, or it says after which ms the timeline is
-- complete, and the post is from before that.
--
-- The author's posts may be known only down to a place. Then the script removes from the timeline all posts that are
-- older than the place, and the mark says that older posts are missing. If the timeline is being built, the script only
-- adds the posts and the place to the list of changes. An empty timeline counts as one that does not exist.
--
-- KEYS[1]  the timeline
-- KEYS[2]  its mark, see begin-timeline.lua
-- KEYS[3]  its changes since somebody began to build it
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than the timeline the mark lives, in seconds
-- ARGV[3]  the ms of the place down to which the author's posts are known; "" when these are all
-- ARGV[4]  the post id of that place, or ""
-- ARGV[5]  score, ms of the commit, and post id of each post, newest first
-- Returns  { "1" }, or { "0" } when the timeline neither exists nor is being built
-- Cost     O(M log N)

local size = tonumber(ARGV[1])
local there = redis.call('ZCARD', KEYS[1])
if there == 0 then
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('DEL', KEYS[2])
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
local mark = redis.call('GET', KEYS[2]) or '>0'
-- The ms from which on the timeline is complete, or nil when it is complete from its oldest post on.
local after = tonumber(string.match(mark, '>(%d+)$'))

local function note(text)
  if life > 0 then
    redis.call('SET', KEYS[2], text, 'PX', life + 1000 * tonumber(ARGV[2]))
  else
    redis.call('SET', KEYS[2], text)
  end
end

local function cut(oldest)
  if after then
    note(oldest)
    after = nil
  end
end

-- The bound was lowered.
if there > size then
  cut(redis.call('ZRANGE', KEYS[1], there - size, there - size, 'WITHSCORES')[2])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, there - size - 1)
  there = size
end
for i = 5, #ARGV, 2 do
  local post = ARGV[i + 1]
  if not redis.call('ZSCORE', KEYS[1], post) then
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    local newer = tonumber(ARGV[i]) - tonumber(oldest[2])
    if there == size then
      cut(oldest[2])
    end
    local isOldest = newer < 0 or (newer == 0 and post < oldest[1])
    if isOldest and not (after and tonumber(ARGV[i]) > after) then
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
if ARGV[3] ~= '' and after and after < tonumber(ARGV[3]) then
  after = tonumber(ARGV[3])
  note('>' .. ARGV[3])
end
if there == size and after and after > 0 then
  -- It is full, and will drop posts.
  cut(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
end
if ARGV[3] ~= '' then
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
