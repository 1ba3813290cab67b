#!/bin/sh
# Puts the data of a backup, FILE and FILE.archive, in the place of all that there is: restore.sh FILE
# The site is away meanwhile. To be run in the directory of docker-compose.yml.
set -eu

. "$(dirname "$0")/compose"
demand_one_data_node

[ "$(head -c 5 "$1")" = REDIS ] || {
	echo "$1 is no backup." >&2
	exit 1
}
[ "$(head -c 5 "$1.archive")" = PGDMP ] || {
	echo "$1.archive is no backup of the archive that belongs to it." >&2
	exit 1
}

load=$(cat "$(dirname "$0")/load.sh")
compose stop app redis
compose run --rm --no-deps -T --entrypoint sh redis -c "$load" < "$1"
compose exec -T archive sh -c 'PGPASSWORD=$ARCHIVE_PASSWORD pg_restore -h 127.0.0.1 -U retwis -d retwis --clean \
	--if-exists --no-owner --single-transaction' < "$1.archive"
compose start redis app
