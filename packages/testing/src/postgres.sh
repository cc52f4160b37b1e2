#!/bin/sh
# A PostgreSQL server of our own for tests and benches, on the loopback, with what the machine has installed.
#
#   postgres.sh start <directory> [postgres options ...]   makes the cluster if there is none, prints its URL
#   postgres.sh follow <directory> <another's directory>   makes a standby of a server that runs, prints its URL
#   postgres.sh promote <directory>                        makes the standby a server of its own
#   postgres.sh stop <directory> [fast|immediate]          keeps the data
#   postgres.sh remove <directory>                         stops it and deletes the data
#
# Without options the server does not flush to disk: for measurements pass "-c fsync=on".
set -eu

command=${1:?start, stop or remove}
directory=${2:?a directory}
shift 2

for candidate in ${PG_BIN:-} /usr/lib/postgresql/*/bin /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin; do
  if [ -x "$candidate/initdb" ]; then bin=$candidate; fi
done
: "${bin:?no PostgreSQL server found; install the package postgresql or set PG_BIN}"

# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  as() { (cd / && runuser -u postgres -- "$@"); }
else
  as() { "$@"; }
fi

prepare() {
  mkdir -p "$directory"
  echo carillon > "$directory/password"
  if [ "$(id -u)" = 0 ]; then chown -R postgres "$directory"; fi
  # It stays the same over restarts, so it is none of those that the system gives away by itself meanwhile.
  node -e '
    const { createServer } = require("net")
    const take = () => {
      const port = 20000 + Math.floor(Math.random() * 12000)
      const server = createServer().on("error", take)
      server.listen(port, "127.0.0.1", () => server.close(() => console.log(port)))
    }
    take()' > "$directory/port"
}

run() {
  port=$(cat "$directory/port")
  if [ $# = 0 ]; then set -- -c fsync=off; fi
  as "$bin/pg_ctl" -D "$directory/data" -l "$directory/data/server.log" -w -t 180 \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 $*" start > /dev/null
  echo "postgres://carillon:carillon@127.0.0.1:$port/postgres"
}

case $command in
  start)
    if [ ! -e "$directory/port" ]; then
      prepare
      as "$bin/initdb" -D "$directory/data" -U carillon --pwfile="$directory/password" -A scram-sha-256 \
        -E UTF8 --locale=C.UTF-8 > "$directory/initdb.log"
    fi
    run "$@"
    ;;
  follow)
    prepare
    as env PGPASSWORD=carillon "$bin/pg_basebackup" -h 127.0.0.1 -p "$(cat "$1/port")" -U carillon \
      -D "$directory/data" --checkpoint=fast --write-recovery-conf
    run
    ;;
  promote)
    as "$bin/pg_ctl" -D "$directory/data" -w -t 180 promote > /dev/null
    ;;
  stop)
    as "$bin/pg_ctl" -D "$directory/data" -w -t 180 -m "${1:-fast}" stop > /dev/null
    ;;
  remove)
    as "$bin/pg_ctl" -D "$directory/data" -w -t 180 -m immediate stop > /dev/null 2>&1 || true
    rm -rf "$directory"
    ;;
  *)
    echo "unknown command: $command" >&2
    exit 2
    ;;
esac
