#!/bin/sh
# Puts a new image in the place of the old one, and nobody notices: starts as many new instances beside the old ones, and
# when all are well asks the old ones to end, one after the other. To be run in the directory of docker-compose.yml,
# with COMPOSE_FILE set as at the start where overrides are in use:
#
#   mvn package -DskipTests
#   app/src/ops/compose/upgrade.sh
set -eu

. "$(dirname "$0")/compose"

well() {
	for instance in $(compose ps -q app); do
		[ "$(docker inspect --format '{{.State.Health.Status}}' "$instance")" = healthy ] || return 1
	done
}

compose build app
old=$(compose ps -q app)
count=$(echo "$old" | wc -w)
compose up -d --no-deps --no-recreate --scale "app=$((2 * count))" app

tries=60
until well; do
	tries=$((tries - 1))
	if [ "$tries" = 0 ]; then
		echo "The new instances do not become well; the old ones still serve. docker compose logs app tells why." >&2
		exit 1
	fi
	sleep 2
done

for instance in $old; do
	docker stop --time 60 "$instance" > /dev/null
	docker rm "$instance" > /dev/null
done
compose up -d --no-deps --no-recreate --scale "app=$count" app
