# enter.sh HOST COMMAND... runs a command on a root file system of its own: what the host writes is at /mnt there. Its disks are those that
# disks/HOST names, as /dev/nvme1n1 and so on.
set -e
host=$1
shift
work=$(cd "$(dirname "$0")" && pwd)
disks=$(cat $work/disks/$host)
new=$work/roots/$host
mkdir -p $new
mount -t tmpfs -o mode=755 none $new
mkdir $new/written $new/work $new/root
mount -t overlay none -o lowerdir=/,upperdir=$new/written,workdir=$new/work $new/root
cd $new/root
mount -t proc none proc
mount -t sysfs none sys
mount -t tmpfs -o mode=755 none dev
cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty dev
mkdir dev/pts dev/shm
mount --bind /dev/pts dev/pts
mount -t tmpfs -o mode=1777 none dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
n=0
for d in $disks; do
	n=$((n + 1))
	mknod dev/nvme${n}n1 b $(stat -c '0x%t 0x%T' $d)
done
if ! [ -e /proc/mdstat ]; then # arrays are not to be had: the first disk stands for one
	cp $work/mdadm usr/local/sbin/mdadm
	chmod 755 usr/local/sbin/mdadm
fi
mount --bind $new/written mnt
echo "127.0.1.1 $host" >>etc/hosts
cp etc/skel/.bashrc etc/skel/.profile root
tr -d - </proc/sys/kernel/random/uuid >etc/machine-id
exec chroot . "$@"
