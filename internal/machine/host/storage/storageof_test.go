package storage

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

// stacked is a machine on whose two drives lie partitions, an array, and a mapping over that.
func stacked(t *testing.T) hostfs.Root {
	t.Helper()
	root := hostfs.Root{Proc: t.TempDir(), Sys: t.TempDir()}
	for _, dir := range []string{
		"block/nvme0n1/device", "block/nvme0n1/queue", "block/nvme1n1/device", "block/nvme0n1/nvme0n1p1",
		"block/md0/md", "block/md0/slaves/nvme0n1p1", "block/md0/slaves/nvme1n1", "block/dm-0/dm", "block/dm-0/slaves/md0",
		"block/loop0", "dev/block",
	} {
		if err := os.MkdirAll(root.SysPath(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hosttest.Write(t, root.SysPath("block/nvme0n1/nvme0n1p1/partition"), "1\n")
	hosttest.Write(t, root.SysPath("block/nvme0n1/queue/max_sectors_kb"), "256\n")
	for device, name := range map[string]string{"259:0": "nvme0n1", "259:1": "nvme0n1/nvme0n1p1", "253:0": "dm-0",
		"9:0": "md0", "7:0": "loop0"} {
		if err := os.Symlink("../../devices/virtual/block/"+name, root.SysPath("dev/block", device)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestStorageOn(t *testing.T) {
	root := stacked(t)
	upper := filepath.Join(t.TempDir(), "upper dir")
	if err := os.Mkdir(upper, 0o755); err != nil {
		t.Fatal(err)
	}
	escaped := filepath.Dir(upper) + `/upper\040dir`
	mounts, err := parseMountInfo([]byte(`27 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw,discard
28 27 253:0 / /x-data rw - xfs /dev/mapper/data rw
29 27 0:40 / /x-tmp rw - tmpfs tmpfs rw,size=4k
30 27 0:41 / /x-pool rw - btrfs /dev/nvme1n1 rw
31 27 0:42 / /x-mnt rw - nfs4 server:/export rw
32 27 0:43 / /box rw - overlay overlay rw,lowerdir=/l,upperdir=` + escaped + `,workdir=/w
33 27 0:44 / /far rw - overlay overlay rw,lowerdir=/l,upperdir=/not/here,workdir=/w
34 27 7:0 / /snap ro - squashfs /dev/loop0 ro
`))
	if err != nil {
		t.Fatal(err)
	}
	for device, want := range map[string]Location{
		"259:0": {[]string{"nvme0n1"}, "on nvme0n1"},
		"259:1": {[]string{"nvme0n1"}, "ext4 on nvme0n1p1, a partition of nvme0n1"},
		"253:0": {[]string{"nvme0n1", "nvme1n1"}, "xfs on dm-0, device mapper dm-0 over md0, array md0 over nvme0n1p1, a " +
			"partition of nvme0n1, array md0 over nvme1n1"},
		"0:40": {nil, "tmpfs, in memory"},
		"0:41": {[]string{"nvme1n1"}, "btrfs on nvme1n1"},
		"0:42": {nil, "nfs4 of server:/export, behind which no disk is seen"},
		"0:43": {[]string{"nvme0n1"}, "overlay on ext4 on nvme0n1p1, a partition of nvme0n1"},
		"0:44": {nil, "overlay, whose upper layer is not seen from here"},
		"0:99": {nil, "device 0:99, which nothing mounted has"},
		"7:0":  {[]string{"loop0"}, "squashfs on loop0"},
	} {
		if got := storageOn(root, device, mounts); got.Through != want.Through || !slices.Equal(got.Disks, want.Disks) {
			t.Errorf("%s: %+v, want %+v", device, got, want)
		}
	}
	if n := LargestIO(root, "nvme0n1"); n != 256<<10 {
		t.Errorf("the largest I/O has %d bytes", n)
	}
	if n := LargestIO(root, "nvme1n1"); n != 0 {
		t.Errorf("the largest I/O has %d bytes and nothing says so", n)
	}
}

// TestStorageOfThisMachine: whatever lies below, something is said of it, and its disks are there.
func TestStorageOfThisMachine(t *testing.T) {
	for _, path := range []string{"/", t.TempDir(), "/proc"} {
		s, err := Of(hostfs.System(), path)
		if err != nil || s.Through == "" {
			t.Errorf("%s: %+v, %v", path, s, err)
		}
		for _, disk := range s.Disks {
			if !hostfs.IsDir(filepath.Join("/sys/block", disk)) {
				t.Errorf("%s: there is no disk %s", path, disk)
			}
		}
	}
	if _, err := Of(hostfs.System(), "/no/such/file"); !hostfs.NotHere(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func FuzzMountInfo(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/self/mountinfo"}, "1 2 3:4 / / rw - ext4 /dev/x rw\n", "1 2 3:4 / / - ext4\n",
		"1 2 0:4 / / rw shared:1 - overlay o upperdir=/a,upperdir=\n")
	root := hostfs.Root{Proc: f.TempDir(), Sys: f.TempDir()}
	f.Fuzz(func(t *testing.T, b []byte) {
		mounts, err := parseMountInfo(b)
		if err != nil && mounts != nil {
			t.Errorf("%+v, %v", mounts, err)
		}
		for _, m := range mounts {
			if s := storageOn(root, m.device, mounts); s.Through == "" {
				t.Errorf("%+v: nothing is said of it", m)
			}
		}
	})
}
