-- Puts older posts into a home timeline, or begins one with them, in one step. It never holds more than its bound, and
-- none that are older than what it is whole down to: between those others would be missing. Sent again it changes
-- nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  from which ms of commit on it is whole, if it is not from the first post on; "0" when there is nothing in it
-- ARGV[1]  most entries
-- ARGV[2]  how long a timeline lives that this begins, in seconds; "" to begin none
-- ARGV[3]  from which ms on one that this begins is whole; "" from the first post on
-- ARGV[4]  how much longer than the timeline that is kept, in seconds
-- ARGV[5]  score, ms of the commit, and post id of each, newest first
-- Returns  { "1" }, or { "0" } when there is no timeline

local size = tonumber(ARGV[1])
local there = redis.call('ZCARD', KEYS[1])
local begun = there == 0
if begun then
  if ARGV[2] == '' then
    return { '0' }
  end
  redis.call('DEL', KEYS[2])
end
local from = tonumber(redis.call('GET', KEYS[2]) or 0)
local added = 0
for i = 5, #ARGV, 2 do
  local score = tonumber(ARGV[i])
  if score >= from and not redis.call('ZSCORE', KEYS[1], ARGV[i + 1]) then
    if there >= size then
      if score < tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]) then
        break
      end
      redis.call('ZREMRANGEBYRANK', KEYS[1], 0, there - size)
      there = size - 1
    end
    redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1])
    there = there + 1
    added = added + 1
  end
end
if begun and added > 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
if begun and (added == 0 or ARGV[3] ~= '') then
  redis.call('SET', KEYS[2], (added == 0 and ARGV[3] == '') and '0' or ARGV[3], 'EX', ARGV[2] + ARGV[4])
end
return { '1' }
