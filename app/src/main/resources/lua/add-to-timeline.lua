-- add-to-timeline
-- Puts a post into home timelines, none of which ever holds more than its bound, not for a moment: one entry more would
-- turn the compact encoding into the plain one for good. When the first post makes way, it is noted that the timeline is
-- cut. A post that is older than all in a timeline that is cut stays out: others between them are missing. Where there is
-- no timeline, none begins: it might miss what came before. One that is noted to be whole with nothing in it gets its first
-- post; for one that is being made the post is noted. Sent again it changes nothing.
--
-- What is noted beside a timeline is in its slot, and the names are made here: with each post twice as many keys would
-- cost Redis a tenth more.
--
-- KEYS     timelines, such as {t0417}:timeline:1, in one slot where there are slots
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
for i, key in ipairs(KEYS) do
  from[i] = string.gsub(key, ':timeline:', ':from:', 1)
end
-- Mostly either none is noted, or all are: one command for all costs little.
local noted = call('EXISTS', unpack(from))

local function isNoted(i)
  return noted == #KEYS or (noted > 0 and call('EXISTS', from[i]) == 1)
end

local function note(i, oldest)
  local life = call('PTTL', KEYS[i])
  if life > 0 then
    call('SET', from[i], oldest, 'PX', life + longer)
  else
    call('SET', from[i], oldest)
  end
end

local absent = {}
local changes = {}
for i, key in ipairs(KEYS) do
  local there = call('ZCARD', key)
  if there == 0 then
    absent[#absent + 1] = i
    changes[#changes + 1] = string.gsub(key, ':timeline:', ':changes:', 1)
  elseif there < size then
    if call('ZADD', key, score, post) == 1 and isNoted(i) and call('ZRANGE', key, 0, 0)[1] == post then
      call('ZREM', key, post)
    end
  elseif not call('ZSCORE', key, post) then
    local oldest = call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
    if tonumber(score) >= tonumber(oldest) then
      if not isNoted(i) then
        note(i, oldest)
      end
      call('ZREMRANGEBYRANK', key, 0, there - size)
      call('ZADD', key, score, post)
    end
  end
end

local none = {}
local nothing = #absent == 0 or (noted == 0 and call('EXISTS', unpack(changes)) == 0)
for number, i in ipairs(absent) do
  local whole = not nothing and call('GET', from[i])
  local life = whole and call('PTTL', from[i]) or 0
  if whole then
    call('DEL', from[i])
  end
  if whole == '0' and (life == -1 or life > longer) then
    call('ZADD', KEYS[i], score, post)
    if life > longer then
      call('PEXPIRE', KEYS[i], life - longer)
    end
  elseif nothing or call('RPUSHX', changes[number], '+' .. score .. ' ' .. post) == 0 then
    none[#none + 1] = KEYS[i]
  end
end
return none
