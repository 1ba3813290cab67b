-- Begins each script that must not run late, see DeadlineScriptRunner.java. After its deadline such a script does nothing, and
-- answers the error "LATE" with the ms of now.
--
-- ARGV  its last argument is the deadline, in ms. The script that follows does not see it

do
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if now > tonumber(table.remove(ARGV)) then
    return redis.error_reply('LATE ' .. string.format('%.0f', now))
  end
end

