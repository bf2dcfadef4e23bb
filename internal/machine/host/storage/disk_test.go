package storage

import (
	"reflect"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func TestDisks(t *testing.T) {
	got := Disks(hosttest.Tree(t, map[string]string{
		"block/nvme0n1/device/model":     "Amazon Elastic Block Store              ",
		"block/nvme0n1/device/serial":    "vol0123456789abcdef",
		"block/nvme0n1/size":             "16777216",
		"block/nvme0n1/queue/rotational": "0",
		"block/nvme0n1/queue/scheduler":  "[none] mq-deadline kyber",
		"block/nvme1n1/device/model":     "Amazon EC2 NVMe Instance Storage        ",
		"block/nvme1n1/size":             "1855468750",
		"block/sda/device/model":         "ST8000NM000A",
		"block/sda/size":                 "15628053168",
		"block/sda/queue/rotational":     "1",
		"block/sda/queue/scheduler":      "none",
		"block/md0/md/level":             "raid0",
		"block/md0/md/dev-nvme2n1/slot":  "1",
		"block/md0/md/dev-nvme1n1/slot":  "0",
		"block/md0/size":                 "3710937500",
		"block/loop0/size":               "8",
		"block/sr0/device/model":         "DVD",
		"block/sr0/size":                 "0",
		"block/dm-0/size":                "8",
	}))
	want := []record.Disk{
		{Name: "md0", Bytes: 3710937500 * 512, RAID: "raid0", Members: []string{"nvme1n1", "nvme2n1"}},
		{Name: "nvme0n1", Model: "Amazon Elastic Block Store", Kind: "EBS", Bytes: 8 << 30, Scheduler: "none"},
		{Name: "nvme1n1", Model: "Amazon EC2 NVMe Instance Storage", Kind: "instance store", Bytes: 1855468750 * 512},
		{Name: "sda", Model: "ST8000NM000A", Bytes: 15628053168 * 512, Rotational: true, Scheduler: "none"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := Disks(hostfs.Root{Sys: t.TempDir()}); got != nil {
		t.Errorf("%v of nothing", got)
	}
}
