-- Counts the notifications that a user has not read, after marking more of them as read. The mark never goes back, and
-- stays where it is when it would pass a notification that the user has not seen. A user without notifications gets no
-- mark, so that a late page leaves none of a deleted account.
--
-- KEYS[1]  the user's notifications
-- KEYS[2]  the ms up to which the user has read them, in the same slot
-- ARGV[1]  the ms up to which the user has read them now; "0" to count only
-- ARGV[2]  how many unread ones the user has seen up to then
-- Returns  { how many are unread, the ms up to which they are read }
-- Cost     O(log N)

local read = redis.call('GET', KEYS[2]) or '0'
if tonumber(ARGV[1]) > tonumber(read) and redis.call('EXISTS', KEYS[1]) == 1
    and redis.call('ZCOUNT', KEYS[1], '(' .. read, ARGV[1]) <= tonumber(ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[1])
  read = ARGV[1]
end
return { tostring(redis.call('ZCOUNT', KEYS[1], '(' .. read, '+inf')), read }
