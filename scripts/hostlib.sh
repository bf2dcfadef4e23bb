# shellcheck shell=sh disable=SC2154 # who reads this sets work and net
# Hosts for scripts: network namespaces of this machine, each with OpenSSH, and with a name, a machine id and a small file system for TMPDIR of its own.
# Who reads this has set work, an empty directory with the program in bin, and net, a prefix of names; and calls keys, client and host. clean ends it all.
in_net() { ip netns pids "$net$1" 2>/dev/null; }
evacuate() { for p in $(in_net "$1"); do kill -9 "$p" 2>/dev/null || :; done; }
clean() {
	for h in $names; do evacuate "$h"; done
	for h in $names; do
		umount -l "$work/disk.$h" 2>/dev/null || :
		ip netns del "$net$h" 2>/dev/null || :
	done
	rm -rf "$work"
}
names=

# keys makes the files of sshd and ssh, which all hosts share.
keys() {
	mkdir -p /run/sshd
	for k in hostkey id; do ssh-keygen -q -t ed25519 -N '' -f "$work/$k"; done
	: >"$work/empty"
	cat >"$work/sshd_config" <<-END
		HostKey $work/hostkey
		AuthorizedKeysFile $work/id.pub
		StrictModes no
		UsePAM no
		PidFile none
		MaxStartups 100
		SetEnv PATH=$work/bin:/usr/sbin:/usr/bin:/sbin:/bin TMPDIR=/media
	END
	cat >"$work/ssh_config" <<-END
		Host *
		  User root
		  IdentityFile $work/id
		  IdentitiesOnly yes
		  UserKnownHostsFile $work/known
		  StrictHostKeyChecking yes
		  HostKeyAlias host
		  BatchMode yes
		  LogLevel ERROR
		  ConnectTimeout 5
	END
	echo "host $(cat "$work/hostkey.pub")" >"$work/known"
	cat >"$work/host.sh" <<-END
		hostname \$1
		mount --bind $work/id.\$1 /etc/machine-id
		if [ -e $work/boot.\$1 ]; then mount --bind $work/boot.\$1 /proc/sys/kernel/random/boot_id; fi
		if [ -e /root/.bashrc ]; then mount --bind $work/empty /root/.bashrc; fi
		mount --bind $work/disk.\$1 /media
		exec /usr/sbin/sshd -D -e -f $work/sshd_config
	END
}

namespace() {
	names="$names $1"
	ip netns add "$net$1"
	ip -n "$net$1" link set lo up
}
address() {
	ip -n "$net$1" addr add "$2/24" dev eth0
	ip -n "$net$1" link set eth0 up
}

# client NAME: where the client runs, with the bridge, as 10.96.0.1.
client() {
	hub=$1
	namespace "$1"
	ip -n "$net$1" link add eth0 type bridge
	address "$1" 10.96.0.1
}

# host NAME ADDRESS: a host without a server yet.
host() {
	namespace "$1"
	ip -n "$net$hub" link add "to-$1" type veth peer name eth0 netns "$net$1"
	ip -n "$net$hub" link set "to-$1" master eth0 up
	address "$1" "$2"
	mkdir "$work/disk.$1"
	mount -t tmpfs -o size=8m none "$work/disk.$1"
	tr -d - </proc/sys/kernel/random/uuid >"$work/id.$1"
}

# serve NAME: its server.
serve() { ip netns exec "$net$1" unshare -u sh "$work/host.sh" "$1" 2>>"$work/sshd.log" & }

# reached ADDRESS: waits until its server answers.
reached() {
	t=0
	until ip netns exec "$net$hub" ssh -F "$work/ssh_config" "$1" true 2>/dev/null; do
		t=$((t + 1))
		[ $t -lt 100 ] || { cat "$work/sshd.log" >&2; exit 1; }
		sleep 0.1
	done
}
