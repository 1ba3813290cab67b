#!/bin/sh
# Puts the data of a backup, FILE and FILE.archive, in the place of all that there is: restore.sh FILE
# The site is away meanwhile. To be run in the directory of docker-compose.yml.
set -eu

. "$(dirname "$0")/compose"

[ "$(head -c 5 "$1")" = REDIS ] || {
	echo "$1 is no backup." >&2
	exit 1
}
[ "$(head -c 5 "$1.archive")" = PGDMP ] || {
	echo "$1.archive is no backup of the archive that belongs to it." >&2
	exit 1
}

compose stop app redis
# Redis writes its append-only file from what it has loaded; without one it would begin with nothing.
compose run --rm --no-deps -T --entrypoint sh redis -c '
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
' < "$1"
compose exec -T archive sh -c 'PGPASSWORD=$ARCHIVE_PASSWORD pg_restore -h 127.0.0.1 -U retwis -d retwis --clean \
	--if-exists --no-owner --single-transaction' < "$1.archive"
compose start redis app
