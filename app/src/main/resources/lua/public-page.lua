-- The newest posts of the public timeline and the position that they are complete up to, of one moment.
-- Who has seen them tells by their mark, and gets them only when they are others now.
--
-- KEYS[1]  the commit log
-- KEYS[2]  the public timeline
-- ARGV[1]  how many
-- ARGV[2]  mark of the answer that is known; empty for none
-- Returns  { mark, entry id, nonce, post id, score, post id, score, … }, or {} when the mark is the same

local id, nonce = '0-0', ''
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then
  id = last[1]
  for i = 1, #last[2], 2 do
    if last[2][i] == 'nonce' then
      nonce = last[2][i + 1]
    end
  end
end
-- A post comes with an entry of the log; one that is taken out later makes the list shorter.
local mark = id .. ' ' .. nonce .. ' ' .. redis.call('ZCARD', KEYS[2])
if mark == ARGV[2] then
  return {}
end
local answer = { mark, id, nonce }
for _, value in ipairs(redis.call('ZREVRANGE', KEYS[2], 0, ARGV[1] - 1, 'WITHSCORES')) do
  answer[#answer + 1] = value
end
return answer
