-- Adds a post to home timelines. A timeline never exceeds its bound, not even for a moment: a single entry more would
-- make Redis switch to its larger encoding, and it never switches back. When a timeline drops a post for the first
-- time, or refuses one, a mark says from when on it is complete. A post older than all posts of such a timeline is
-- refused, because posts between them are missing. If a timeline does not exist, it is not created, because it might
-- lack earlier posts. There are two exceptions. If the mark says that the timeline is complete but empty, it gets its
-- first post. If the timeline is being built, the post is added to its list of changes. Running it again changes
-- nothing.
--
-- KEYS     three keys for each timeline: the timeline; its mark, the ms of commit from which on it is complete, absent
--          if it is complete from the first post on, "0" if it is complete but empty; its changes since somebody began
--          to build it. On a cluster all of them are in one slot
-- ARGV[1]  the deadline, in ms. The script does nothing after it
-- ARGV[2]  most entries
-- ARGV[3]  score, ms of the commit
-- ARGV[4]  post id
-- ARGV[5]  how much longer than its timeline a mark lives, in seconds
-- Returns  the timelines that neither exist nor are being built; after the deadline the error "LATE" with the ms of now

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[1]) then
  return redis.error_reply('LATE ' .. string.format('%.0f', now))
end

local size = tonumber(ARGV[2])
local score = ARGV[3]
local post = ARGV[4]
local longer = 1000 * tonumber(ARGV[5])

local from = {}
for i = 2, #KEYS, 3 do
  from[#from + 1] = KEYS[i]
end
-- Usually either no mark exists or all do, so one command for all of them is cheap.
local noted = call('EXISTS', unpack(from))

local function isNoted(i)
  return noted == #from or (noted > 0 and call('EXISTS', KEYS[i + 1]) == 1)
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
  local there = call('ZCARD', key)
  if there == 0 then
    absent[#absent + 1] = i
    changes[#changes + 1] = KEYS[i + 2]
  elseif there < size then
    if call('ZADD', key, score, post) == 1 and isNoted(i) and call('ZRANGE', key, 0, 0)[1] == post then
      call('ZREM', key, post)
    end
  elseif not call('ZSCORE', key, post) then
    -- The oldest post that stays. The timeline may hold more than the bound if the bound was lowered.
    local oldest = call('ZRANGE', key, there - size, there - size, 'WITHSCORES')
    local newer = tonumber(score) - tonumber(oldest[2])
    if not isNoted(i) then
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
  local whole = not nothing and call('GET', KEYS[i + 1])
  local life = whole and call('PTTL', KEYS[i + 1]) or 0
  if whole then
    call('DEL', KEYS[i + 1])
  end
  if whole == '0' and (life == -1 or life > longer) then
    call('ZADD', KEYS[i], score, post)
    if life > longer then
      call('PEXPIRE', KEYS[i], life - longer)
    end
  elseif nothing or call('RPUSHX', KEYS[i + 2], '+' .. score .. ' ' .. post) == 0 then
    none[#none + 1] = KEYS[i]
  end
end
return none
