-- Counts the notifications that a user has not read, after marking more of them as read. The mark never goes back.
--
-- KEYS[1]  the user's notifications
-- KEYS[2]  the ms up to which the user has read them, in the same slot
-- ARGV[1]  the ms up to which the user has read them now; "0" to count only
-- Returns  { how many are unread, the ms up to which they are read }

local read = redis.call('GET', KEYS[2]) or '0'
if tonumber(ARGV[1]) > tonumber(read) then
  redis.call('SET', KEYS[2], ARGV[1])
  read = ARGV[1]
end
return { tostring(redis.call('ZCOUNT', KEYS[1], '(' .. read, '+inf')), read }
