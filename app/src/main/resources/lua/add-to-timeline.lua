-- add-to-timeline
-- Puts a post into home timelines, none of which ever holds more than its bound, not for a moment: one entry more would
-- turn the compact encoding into the plain one for good. When the first post makes way, or stays out, it is noted that the
-- timeline is cut. A post that is older than all in a timeline that is cut stays out: others between them are missing.
-- Where there is no timeline, none begins: it might miss what came before. One that is noted to be whole with nothing in
-- it gets its first post; for one that is being made the post is noted. Sent again it changes nothing.
--
-- KEYS     timelines, each followed by what tells from which ms of commit on it is whole, if it is not from the first
--          post on, and by what changed since it was announced; in one slot where there are slots
-- ARGV[1]  most entries
-- ARGV[2]  score, ms of the commit
-- ARGV[3]  post id
-- ARGV[4]  how much longer than the timeline what is noted is kept, in seconds
-- Returns  those of the timelines that are not there, nor being made

local call = redis.call
local size = tonumber(ARGV[1])
local score = ARGV[2]
local post = ARGV[3]
local longer = 1000 * tonumber(ARGV[4])

local from = {}
for i = 2, #KEYS, 3 do
  from[#from + 1] = KEYS[i]
end
-- Mostly either none is noted, or all are: one command for all costs little.
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
    -- The oldest that remains when there are more than the bound, which was lowered.
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
