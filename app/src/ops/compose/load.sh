# Puts a backup, which comes by standard input, in the place of the data of a data node that is stopped. Runs in /data of
# a container of that node.
#
# Redis writes its append-only file from what it has loaded; without one it would begin with nothing.
set -eu

cat > restored.rdb
rm -rf appendonlydir appendonly.aof dump.rdb
mv restored.rdb dump.rdb
redis-server --port 0 --unixsocket restore.sock --save "" --daemonize yes --logfile restore.log > /dev/null
ask() { redis-cli -s restore.sock "$@"; }
until [ "$(ask ping 2> /dev/null)" = PONG ]; do sleep 1; done
ask config set appendonly yes > /dev/null
while ask info persistence | grep -q "aof_rewrite_\(in_progress\|scheduled\):1"; do sleep 1; done
ask info persistence | grep -q aof_last_bgrewrite_status:ok
ask shutdown
while [ -S restore.sock ]; do sleep 1; done
rm -f dump.rdb restore.log
