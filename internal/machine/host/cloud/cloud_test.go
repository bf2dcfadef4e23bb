package cloud

import (
	"testing"

	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

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
		if got := Of(hosttest.Tree(t, c.files)); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.files, got, c.want)
		}
	}
}
