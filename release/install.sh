#!/bin/sh
# install.sh FROM [TO]: installs plimsoll from a release. FROM is the directory or the URL that has the release's files, TO
# the directory for the program (/usr/local/bin for root, else ~/.local/bin). The program's SHA-256 must be that of SHA256SUMS;
# who can change both can change this script too, so take the release from where you trust it.
set -eu

fail() {
	echo "install.sh: $1" >&2
	echo "hint: $2" >&2
	exit "${3:-1}"
}

# get FILE: brings a file of the release into $work.
get() {
	case $from in
	http://*) fail "$from is not encrypted: whoever is on the way chooses what is installed" "an https:// URL, or a directory" 2 ;;
	https://*)
		if command -v curl >/dev/null; then
			curl -fsSL --proto '=https' --retry 3 -o "$work/$1" "$from/$1" || fail "$from/$1 could not be fetched" "see whether $from is a release's"
		elif command -v wget >/dev/null; then
			wget -q --max-redirect=0 -O "$work/$1" "$from/$1" || fail "$from/$1 could not be fetched" "see whether $from is a release's; wget follows no redirection here, since it could leave https: install curl, which can"
		else
			fail "neither curl nor wget is here" "install one, or give a directory"
		fi
		;;
	*) cp "$from/$1" "$work/$1" || fail "$from has no $1" "the directory that make release writes, or a download of all of a release" ;;
	esac
}

# A shell that reads this from a pipe does nothing before it has read the last line, so that half a download does nothing.
main() {
	[ $# -ge 1 ] && [ $# -le 2 ] || fail "it takes FROM, and TO if need be, not $# arguments" "sh install.sh FROM [TO], with FROM the directory or URL of a release" 2
	from=${1%/}
	if [ $# -eq 2 ]; then
		to=$2
	elif [ "$(id -u)" = 0 ]; then
		to=/usr/local/bin
	else
		[ "${HOME:-}" ] || fail "HOME is not set, and so there is no ~/.local/bin" "say where: sh install.sh FROM TO" 2
		to=$HOME/.local/bin
	fi

	[ "$(uname -s)" = Linux ] || fail "plimsoll runs on Linux, not on $(uname -s)" "run it where you want to measure, and read its sessions there"
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "no release is for $(uname -m)" "build it there from its source, with Go: make build" ;;
	esac
	file=plimsoll-linux-$arch

	work=$(mktemp -d)
	new=
	trap 'rm -rf "$work" ${new:+"$new"}' EXIT
	trap 'exit 130' INT TERM HUP

	get SHA256SUMS
	get "$file"
	want=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS")
	got=$(sha256sum "$work/$file" | cut -d ' ' -f 1)
	[ -n "$want" ] || fail "SHA256SUMS does not name $file" "take all files from one release"
	[ "$got" = "$want" ] || fail "$file is not what SHA256SUMS says: $got, not $want" "fetch both again; if they differ still, do not use them"

	mkdir -p -- "$to" || fail "$to cannot be made" "another TO, or sudo"
	# PATH's entries are absolute and end in no slash. With CDPATH, cd would print, and go elsewhere.
	to=$(CDPATH='' cd -- "$to" && pwd) || fail "$to cannot be entered" "another TO, or sudo"
	# mv would put the program into it.
	[ ! -d "$to/plimsoll" ] || fail "$to/plimsoll is a directory" "another TO, or move that away"
	# Tried beside its place and renamed into it, so that a program that works is replaced by one that runs, and never half written.
	new=$to/.plimsoll.$$
	install -m 755 "$work/$file" "$new" || fail "$to cannot be written" "another TO, or sudo"
	version=$("$new" version) || fail "the program does not run in $to" "a TO on a file system that is not mounted noexec"
	mv "$new" "$to/plimsoll" || fail "$to cannot be written" "another TO, or sudo"
	echo "installed as $to/plimsoll: $(echo "$version" | head -n 1)"
	found=$(command -v plimsoll) || found=
	case :$PATH: in
	*":$to:"* | *":$to/:"*)
		# shellcheck disable=SC3013 # POSIX has -ef since 2024; dash, bash and busybox had it long before
		if [ "$found" ] && ! [ "$found" -ef "$to/plimsoll" ]; then
			echo "$found comes before it in PATH: remove that one, or export PATH=\"$to:\$PATH\""
		fi
		;;
	*)
		echo "$to is not in PATH: export PATH=\"$to:\$PATH\""
		[ -z "$found" ] || echo "until then plimsoll is $found"
		;;
	esac
}

main "$@"
