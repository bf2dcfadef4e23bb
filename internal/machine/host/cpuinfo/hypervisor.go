package cpuinfo

import (
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"plimsoll/internal/machine/host/hostfs"
)

const tcgVendor = "tcg"

// hypervisors names CPUID's hypervisor vendors (leaf 0x40000000).
func hypervisors() map[string]string {
	return map[string]string{
		"KVMKVMKVM":    "kvm",
		"Microsoft Hv": "hyper-v",
		"VMwareVMware": "vmware",
		"XenVMMXenVMM": "xen",
		"TCGTCGTCGTCG": tcgVendor,
		"bhyve bhyve":  "bhyve",
		"ACRNACRNACRN": "acrn",
	}
}

// dmiVendors lists the starts of the system vendors and products that only virtual machines have;
// from systemd-detect-virt's table.
func dmiVendors() []string {
	return []string{
		"QEMU", "KVM", "OpenStack", "KubeVirt", "Amazon EC2", "VMware", "VMW", "innotek GmbH", "VirtualBox", "Xen",
		"Bochs", "Parallels", "BHYVE", "Hyper-V", "Apple Virtualization", "Google Compute Engine",
		"Microsoft Corporation Virtual Machine", "Alibaba Cloud ECS", "DigitalOcean", "Hetzner vServer",
	}
}

// Hypervisor names the hypervisor of this machine, such as "kvm (Amazon EC2 m7g.large)"; empty if
// there is none. The error is that of DMI, without which the kind of virtual machine, and on arm64
// even whether it is one, may stay unknown.
func Hypervisor(root hostfs.Root) (string, error) {
	kind := hypervisorKind(root)
	product, err := readDMI(root)
	if kind == "" && !virtualProduct(product) {
		return "", err
	}
	switch {
	case kind == "":
		return product, err
	case product == "":
		return kind, err
	}
	return kind + " (" + product + ")", err
}

func hypervisorKind(root hostfs.Root) string {
	if root.Live() && runtime.GOARCH == "amd64" && cpuid.CPU.HypervisorVendorString != "" {
		return hypervisorName(cpuid.CPU.HypervisorVendorString)
	}
	if kind, err := hostfs.ReadText(root.SysPath("hypervisor/type")); err == nil {
		return kind
	}
	compatible, err := hostfs.ReadText(root.SysPath("firmware/devicetree/base/hypervisor/compatible"))
	if err != nil {
		return ""
	}
	compatible, _, _ = strings.Cut(compatible, "\x00")
	return strings.TrimPrefix(compatible, "linux,")
}

func hypervisorName(raw string) string {
	raw = strings.TrimRight(raw, "\x00")
	if name := hypervisors()[raw]; name != "" {
		return name
	}
	return strings.TrimSpace(raw)
}

// readDMI returns the firmware's system vendor and product, "Amazon EC2
// m7g.large".
func readDMI(root hostfs.Root) (string, error) {
	vendor, err := hostfs.ReadText(root.SysPath("class/dmi/id/sys_vendor"))
	if err != nil {
		return "", err
	}
	product, err := hostfs.ReadText(root.SysPath("class/dmi/id/product_name"))
	if strings.HasPrefix(product, vendor) {
		return product, err
	}
	return strings.TrimSpace(vendor + " " + product), err
}

// virtualProduct reports whether firmware of that name is a virtual machine's.
// EC2 uses its vendor name on bare metal, too.
func virtualProduct(product string) bool {
	if metalProduct(product) {
		return false
	}
	return slices.ContainsFunc(dmiVendors(), func(v string) bool { return strings.HasPrefix(product, v) })
}

// metalProduct reports a bare-metal instance type of EC2.
func metalProduct(product string) bool { return strings.Contains(product, ".metal") }
