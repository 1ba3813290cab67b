-- Announces that a home timeline is about to be made. Until it begins, what is put in or taken out is noted in a list, and
-- pages find no timeline. Sent again it answers the same.
--
-- KEYS[1]  the timeline
-- KEYS[2]  from which ms of commit on it is whole
-- KEYS[3]  what changed since it was announced; first who makes it
-- ARGV[1]  who makes it: a random text
-- ARGV[2]  how long it may take, in ms
-- ARGV[3]  after how many ms somebody else may take it over
-- Returns  { "1" }, or { "0" } when there is a timeline, or somebody makes it at this moment

if redis.call('LRANGE', KEYS[3], 0, 0)[1] == ARGV[1] then
  return { '1' }
end
if redis.call('ZCARD', KEYS[1]) > 0 or redis.call('PTTL', KEYS[3]) > tonumber(ARGV[2]) - tonumber(ARGV[3]) then
  return { '0' }
end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('RPUSH', KEYS[3], ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return { '1' }
