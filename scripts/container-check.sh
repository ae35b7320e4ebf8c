#!/usr/bin/env bash
# Runs the steps of the Dockerfile and its entry point in a folder that debootstrap makes, for machines without a
# container engine. It needs root, debootstrap, curl and a Node 24: scripts/container-check.sh <folder> [debian mirror]
set -euo pipefail
root=${1:?Usage: scripts/container-check.sh <folder> [debian mirror]}
mirror=${2:-http://deb.debian.org/debian}
source=$(cd "$(dirname "$0")/.." && pwd)
node=$(dirname "$(dirname "$(readlink -f "$(node -p process.execPath)")")")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")

# A step of the Dockerfile, as it is written there.
step() { sed -n "s/^RUN \(.*$1.*\)/\1/p" "$source/Dockerfile" | head -1; }
inside() { chroot "$root" /usr/bin/env -i HOME="$1" NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem PATH=/usr/local/bin:/usr/bin:/bin "${@:2}"; }
run() { echo "+ $2"; inside /root /bin/sh -c "cd $1 && $2"; }

# What the image node:24-bookworm-slim brings: Debian, Node, npm and the user "node".
[ -x "$root/bin/sh" ] || debootstrap --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$root" "$mirror"
cp "$node/bin/node" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -rT "$npm" "$root/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
if [ -f "$HOME/.npmrc" ]; then cp "$HOME/.npmrc" "$root/root/.npmrc"; fi
# A network with a certificate of its own.
if [ -f "${NODE_EXTRA_CA_CERTS:-}" ]; then cp "$NODE_EXTRA_CA_CERTS" "$root/etc/extra-ca.pem"; fi
chroot "$root" id node > /dev/null 2>&1 || chroot "$root" useradd --create-home node
mount --bind /proc "$root/proc"
trap 'umount "$root/proc"' EXIT

mkdir -p "$root/build" "$root/app"
git -C "$source" archive HEAD | tar -x -C "$root/build"
run /build "$(step 'npm ci')"
run /build "$(step 'scripts\/package.ts')"
cp "$root"/build/out/*.tgz "$root/tmp/"
run /app "$(step 'npm install')"
rm -rf "$root/build"
run / "rm -rf /data; $(step 'mkdir \/data')"

# The entry point as the user "node", until its health check passes.
port=4317
entry="exec node /app/node_modules/roundtable/dist/main/main.js serve --host 0.0.0.0"
chroot --userspec=node "$root" /usr/bin/env -i HOME=/home/node PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production \
  ROUNDTABLE_DATA=/data ROUNDTABLE_CACHE=/data/cache PORT=$port ROUNDTABLE_TOKEN=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n') \
  /bin/sh -c "cd /app && $entry" &
server=$!
for _ in $(seq 60); do
  if curl -fsS "http://127.0.0.1:$port/readyz"; then ready=yes; break; fi
  sleep 1
done
kill -TERM $server
wait $server || true
[ "${ready:-no}" = yes ] && echo && echo "The container's steps and its entry point work."
