-- Adds a post to home timelines. Running it again changes nothing.
--
-- A timeline never exceeds its bound, not even for a moment: a single entry more would make Redis switch to its larger
-- encoding, and it never switches back. A full timeline gets a mark, which says that it drops older posts.
--
-- The script refuses a post that is older than the timeline's oldest post if posts between these two may be missing.
-- The mark tells that. Either it says that older posts were dropped, or it says after which ms the timeline is
-- complete, and the post is from before that.
--
-- If a timeline does not exist, it is not created, because it might lack earlier posts. There are two exceptions. If
-- the mark says that the timeline is there but empty, it gets its first post. If the timeline is being built, the post
-- is added to its list of changes.
--
-- KEYS     three keys for each timeline: the timeline; its mark, see begin-timeline.lua; its changes since somebody
--          began to build it. On a cluster all of them are in one slot
-- ARGV[1]  most entries
-- ARGV[2]  score, ms of the commit
-- ARGV[3]  post id
-- ARGV[4]  how much longer than its timeline a mark lives, in seconds
-- Returns  the timelines that neither exist nor are being built
-- Cost     O(M log N)

local call = redis.call
local size = tonumber(ARGV[1])
local score = ARGV[2]
local post = ARGV[3]
local longer = 1000 * tonumber(ARGV[4])

local timelines = {}
local from = {}
for i = 1, #KEYS, 3 do
  timelines[#timelines + 1] = KEYS[i]
  from[#from + 1] = KEYS[i + 1]
end
-- Often all readers are away, and none of their timelines exists. If the first one is absent, one command asks for all.
local all_absent = call('EXISTS', KEYS[1]) == 0 and call('EXISTS', unpack(timelines)) == 0
-- Usually either no mark exists or all do, so one command for all of them is cheap.
local noted = call('EXISTS', unpack(from))

local function isNoted(i)
  return noted == #from or (noted > 0 and call('EXISTS', KEYS[i + 1]) == 1)
end

-- The ms after which the timeline is complete, or nil when it is complete from its oldest post on.
local function completeAfter(i)
  return tonumber(string.match(noted > 0 and call('GET', KEYS[i + 1]) or '>0', '^>(%d+)$'))
end

local function note(i, oldest)
  local life = call('PTTL', KEYS[i])
  if life > 0 then
    call('SET', KEYS[i + 1], oldest, 'PX', life + longer)
  else
    call('SET', KEYS[i + 1], oldest)
  end
end

local absent = {}
local changes = {}
for i = 1, #KEYS, 3 do
  local key = KEYS[i]
  local there = all_absent and 0 or call('ZCARD', key)
  if there == 0 then
    absent[#absent + 1] = i
    changes[#changes + 1] = KEYS[i + 2]
  elseif there < size then
    if call('ZADD', key, score, post) == 1 and isNoted(i) then
      if call('ZRANGE', key, 0, 0)[1] == post and tonumber(score) <= (completeAfter(i) or math.huge) then
        call('ZREM', key, post)
      elseif there + 1 == size then
        -- It is full, and will drop posts.
        note(i, call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
      end
    end
  elseif not call('ZSCORE', key, post) then
    -- The oldest post that stays. The timeline may hold more than the bound if the bound was lowered.
    local oldest = call('ZRANGE', key, there - size, there - size, 'WITHSCORES')
    local newer = tonumber(score) - tonumber(oldest[2])
    if there > size or not isNoted(i) then
      note(i, oldest[2])
    end
    if newer > 0 or (newer == 0 and post > oldest[1]) then
      call('ZREMRANGEBYRANK', key, 0, there - size)
      call('ZADD', key, score, post)
    elseif there > size then
      -- Those that are older than the post that stays out go.
      call('ZREMRANGEBYRANK', key, 0, there - size - 1)
    end
  end
end

local none = {}
local nothing = #absent == 0 or (noted == 0 and call('EXISTS', unpack(changes)) == 0)
for _, i in ipairs(absent) do
  local mark = not nothing and call('GET', KEYS[i + 1])
  local after = mark and string.match(mark, '^0>?(%d*)$')
  local life = after and call('PTTL', KEYS[i + 1]) or 0
  if life == -1 or life > longer then
    if after == '' or tonumber(score) > tonumber(after) then
      call('ZADD', KEYS[i], score, post)
      if life > longer then
        call('PEXPIRE', KEYS[i], life - longer)
      end
      if after == '' then
        call('DEL', KEYS[i + 1])
      else
        call('SET', KEYS[i + 1], '>' .. after, 'KEEPTTL')
      end
    end
  else
    if mark then
      call('DEL', KEYS[i + 1])
    end
    if nothing or call('RPUSHX', KEYS[i + 2], '+' .. score .. ' ' .. post) == 0 then
      none[#none + 1] = KEYS[i]
    end
  end
end
return none
