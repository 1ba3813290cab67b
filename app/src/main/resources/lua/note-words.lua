-- Notes words by which a user may be found from now on, beside those that are noted already. It does not create a user
-- who is gone. Running it again changes nothing.
--
-- KEYS[1]  the user
-- ARGV[1]  the words, separated by spaces; empty for none
-- Returns  { "1", all words that are noted }, or { "0" } when there is no such user
-- Cost     O(1)

if redis.call('HEXISTS', KEYS[1], 'password') == 0 then
  return { '0' }
end
local words = {}
local known = {}
for word in string.gmatch((redis.call('HGET', KEYS[1], 'words') or '') .. ' ' .. ARGV[1], '[^ ]+') do
  if not known[word] then
    known[word] = true
    words[#words + 1] = word
  end
end
local all = table.concat(words, ' ')
redis.call('HSET', KEYS[1], 'words', all)
return { '1', all }
