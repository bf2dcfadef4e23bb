package host

import (
	"reflect"
	"testing"

	"plimsoll/internal/record"
)

func TestDisks(t *testing.T) {
	got := disks(sysTree(t, map[string]string{
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
	if got := disks(Root{Sys: t.TempDir()}); got != nil {
		t.Errorf("%v of nothing", got)
	}
}

func TestNICs(t *testing.T) {
	got := nics(sysTree(t, map[string]string{
		"class/net/ens5/device/uevent": "DRIVER=ena\nPCI_CLASS=20000",
		"class/net/ens5/address":       "02:00:00:00:00:01",
		"class/net/ens5/speed":         "25000",
		"class/net/ens5/mtu":           "9001",
		"class/net/ens5/operstate":     "up",
		"class/net/eth1/device/uevent": "PCI_CLASS=20000",
		"class/net/eth1/operstate":     "down",
		"class/net/eth1/speed":         "-1",
		"class/net/eth1/mtu":           "1500",
		"class/net/docker0/mtu":        "1500",
	}))
	want := []record.NIC{{Name: "ens5", Driver: "ena", Mbit: 25000, MTU: 9001, Up: true}, {Name: "eth1", MTU: 1500}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestCloudOf(t *testing.T) {
	dmi := func(vendor, product, chassis, bios string) map[string]string {
		return map[string]string{
			"class/dmi/id/sys_vendor": vendor, "class/dmi/id/product_name": product,
			"class/dmi/id/chassis_asset_tag": chassis, "class/dmi/id/bios_version": bios,
		}
	}
	for _, c := range []struct {
		files map[string]string
		want  record.Cloud
	}{
		{dmi("Amazon EC2", "c5.18xlarge", "Amazon EC2", "1.0"), record.Cloud{Provider: "aws", Type: "c5.18xlarge"}},
		{dmi("Xen", "HVM domU", "", "4.11.amazon"), record.Cloud{Provider: "aws"}},
		{map[string]string{"hypervisor/uuid": "ec2e1916-9099-7caf-fd21-012345abcdef"}, record.Cloud{Provider: "aws"}},
		{dmi("Xen", "HVM domU", "", "4.13"), record.Cloud{}},
		{dmi("Google", "Google Compute Engine", "", "Google"), record.Cloud{Provider: "gcp"}},
		{dmi("Microsoft Corporation", "Virtual Machine", azureChassis, "090008"), record.Cloud{Provider: "azure"}},
		{dmi("Microsoft Corporation", "Virtual Machine", "None", "090008"), record.Cloud{}},
		{dmi("QEMU", "Standard PC (i440FX + PIIX, 1996)", "OracleCloud.com", "1.6"), record.Cloud{Provider: "oracle"}},
		{dmi("Alibaba Cloud", "Alibaba Cloud ECS", "", ""), record.Cloud{Provider: "alibaba"}},
		{dmi("Hetzner", "vServer", "", ""), record.Cloud{Provider: "hetzner"}},
		{dmi("DigitalOcean", "Droplet", "", ""), record.Cloud{Provider: "digitalocean"}},
		{dmi("OpenStack Foundation", "OpenStack Nova", "", ""), record.Cloud{}},
		{dmi("LENOVO", "20L8", "", ""), record.Cloud{}},
		{nil, record.Cloud{}},
	} {
		if got := cloudOf(sysTree(t, c.files)); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.files, got, c.want)
		}
	}
}
