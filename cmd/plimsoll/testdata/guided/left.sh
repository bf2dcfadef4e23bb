# What the hosts have written and still have; the next guide finds empty disks. perf may enter the mount namespace of a process that it
# samples, which takes it out of a host's chroot: then it looks for its copy of the vdso, which it removes, elsewhere.
set -e
for h in a b load1; do
	left=$(ssh $h 'find /mnt \( -name "*plimsoll*" -o -path /mnt/data -o -path "/mnt/tmp/*" -o -path "/mnt/var/tmp/*" \) \( -type f -o -type d \) ! \( -name "hsperfdata_*" -empty \) ! -name "perf-vdso.so-*" -print')
	[ -z "$left" ] || { echo "left on $h: $left" >&2; exit 1; }
	ssh $h 'for d in $(ls /dev/nvme* 2>/dev/null); do wipefs -qa $d; done'
done
