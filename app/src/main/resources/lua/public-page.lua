-- The newest posts of the public timeline and the position that they are complete up to, of one moment.
--
-- KEYS[1]  the commit log
-- KEYS[2]  the public timeline
-- ARGV[1]  how many
-- Returns  { entry id, nonce, post id, score, post id, score, … }

local answer = { '0-0', '' }
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then
  answer[1] = last[1]
  for i = 1, #last[2], 2 do
    if last[2][i] == 'nonce' then
      answer[2] = last[2][i + 1]
    end
  end
end
for _, value in ipairs(redis.call('ZREVRANGE', KEYS[2], 0, ARGV[1] - 1, 'WITHSCORES')) do
  answer[#answer + 1] = value
end
return answer
