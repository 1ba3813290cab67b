-- Stores by which words a user is found beside the username. It does not create a user who is gone.
--
-- KEYS[1]  the user
-- ARGV[1]  the words, separated by spaces; empty for none
-- Returns  { "1", the words that were stored before }, or { "0" } when there is no such user

if redis.call('HEXISTS', KEYS[1], 'password') == 0 then
  return { '0' }
end
local before = redis.call('HGET', KEYS[1], 'words')
redis.call('HSET', KEYS[1], 'words', ARGV[1])
return { '1', before or '' }
