// Package cloud names the provider and the type of a virtual machine, from its firmware or from the provider.
package cloud

import (
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// firmware is the part of a machine's firmware data (DMI) that everyone may read. Serial numbers,
// which only root may read, are left alone.
type firmware struct {
	vendor, product, chassis, bios string
}

func readFirmware(root hostfs.Root) firmware {
	read := func(name string) string {
		text, _ := hostfs.ReadText(root.SysPath("class/dmi/id", name))
		return text
	}
	return firmware{read("sys_vendor"), read("product_name"), read("chassis_asset_tag"), read("bios_version")}
}

// The providers that Metadata can ask, as in record.Cloud.
const (
	cloudAWS   = record.CloudAWS
	cloudGCP   = "gcp"
	cloudAzure = "azure"
)

// azureChassis marks Azure's machines among all those of Hyper-V.
const azureChassis = "7783-7084-3265-9085-8269-3286-77"

// Of names the cloud of a machine's firmware. The marks are those of cloud-init's ds-identify, if
// that knows the cloud.
func Of(root hostfs.Root) record.Cloud {
	f := readFirmware(root)
	switch {
	case f.vendor == "Amazon EC2":
		return record.Cloud{Provider: cloudAWS, Type: f.product}
	case xenEC2(root, f):
		return record.Cloud{Provider: cloudAWS}
	case f.chassis == azureChassis:
		return record.Cloud{Provider: cloudAzure}
	case f.chassis == "OracleCloud.com":
		return record.Cloud{Provider: "oracle"}
	case f.product == "Google Compute Engine":
		return record.Cloud{Provider: cloudGCP}
	case f.product == "Alibaba Cloud ECS":
		return record.Cloud{Provider: "alibaba"}
	case strings.HasPrefix(f.product, "Exoscale"):
		return record.Cloud{Provider: "exoscale"}
	}
	return record.Cloud{Provider: vendorClouds()[f.vendor]}
}

// vendorClouds lists the clouds that name themselves as the machine's maker. OVH is not among them:
// its machines call themselves OpenStack's.
func vendorClouds() map[string]string {
	return map[string]string{
		"DigitalOcean": "digitalocean", "Hetzner": "hetzner", "Scaleway": "scaleway", "Vultr": "vultr",
		"Akamai": "akamai", "Linode": "akamai", "UpCloud": "upcloud", "Tencent Cloud": "tencent",
	}
}

// xenEC2 reports an EC2 instance of the Xen generation, whose firmware names no
// type.
func xenEC2(root hostfs.Root, f firmware) bool {
	uuid, _ := hostfs.ReadText(root.SysPath("hypervisor/uuid"))
	return strings.HasPrefix(strings.ToLower(uuid), "ec2") && (f.vendor == "Xen" || f.vendor == "") ||
		f.vendor == "Xen" && strings.HasSuffix(f.bios, ".amazon")
}
