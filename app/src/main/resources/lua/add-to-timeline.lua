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
local absent = {}
local noted = {}
local beside = {}

local function fromOf(key)
  return (string.gsub(key, ':timeline:', ':from:', 1))
end

local function noteCut(key, oldest)
  if call('EXISTS', fromOf(key)) == 0 then
    local life = call('PTTL', key)
    if life > 0 then
      call('SET', fromOf(key), oldest, 'PX', life + longer)
    else
      call('SET', fromOf(key), oldest)
    end
  end
end

for _, key in ipairs(KEYS) do
  local there = call('ZCARD', key)
  if there == 0 then
    absent[#absent + 1] = key
    noted[#noted + 1] = fromOf(key)
    beside[#beside + 1] = noted[#noted]
    beside[#beside + 1] = string.gsub(key, ':timeline:', ':changes:', 1)
  elseif there < size then
    if call('ZADD', key, score, post) == 1 and call('ZRANGE', key, 0, 0)[1] == post
      and (call('GET', fromOf(key)) or '0') ~= '0' then
      call('ZREM', key, post)
    end
  elseif not call('ZSCORE', key, post) then
    local oldest = call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
    if tonumber(score) >= tonumber(oldest) then
      noteCut(key, oldest)
      call('ZREMRANGEBYRANK', key, 0, there - size)
      call('ZADD', key, score, post)
    end
  end
end
if #absent == 0 or call('EXISTS', unpack(beside)) == 0 then
  return absent
end

local none = {}
for i, key in ipairs(absent) do
  local from = call('GET', noted[i])
  local life = call('PTTL', noted[i])
  call('DEL', noted[i])
  if from == '0' and (life == -1 or life > longer) then
    call('ZADD', key, score, post)
    if life > longer then
      call('PEXPIRE', key, life - longer)
    end
  elseif call('RPUSHX', beside[2 * i], '+' .. score .. ' ' .. post) == 0 then
    none[#none + 1] = key
  end
end
return none
