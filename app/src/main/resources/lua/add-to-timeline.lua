-- Puts a post into home timelines, none of which ever holds more than its bound, not for a moment: one entry more would
-- turn the compact encoding into the plain one for good. Where there is no timeline, none begins: it might miss what came
-- before. Sent again it changes nothing.
--
-- KEYS     timelines, in one slot where there are slots
-- ARGV[1]  most entries
-- ARGV[2]  score, ms of the commit
-- ARGV[3]  post id
-- Returns  those of the keys that there is no timeline for

local call = redis.call
local size = tonumber(ARGV[1])
local score = ARGV[2]
local post = ARGV[3]
local absent = {}
for _, key in ipairs(KEYS) do
  local there = call('ZCARD', key)
  if there == 0 then
    absent[#absent + 1] = key
  elseif there < size then
    call('ZADD', key, score, post)
  elseif not call('ZSCORE', key, post)
    and tonumber(score) >= tonumber(call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) then
    call('ZREMRANGEBYRANK', key, 0, there - size)
    call('ZADD', key, score, post)
  end
end
return absent
