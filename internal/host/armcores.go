package host

import "fmt"

type armCore struct{ implementer, part uint64 }

// armCores names cores by MIDR_EL1's implementer and part number, from Linux'
// arch/arm64/include/asm/cputype.h.
func armCores() map[armCore]string {
	return map[armCore]string{
		{0x41, 0xd03}: "Cortex-A53",
		{0x41, 0xd05}: "Cortex-A55",
		{0x41, 0xd07}: "Cortex-A57",
		{0x41, 0xd08}: "Cortex-A72",
		{0x41, 0xd0b}: "Cortex-A76",
		{0x41, 0xd0c}: "Neoverse N1",
		{0x41, 0xd40}: "Neoverse V1",
		{0x41, 0xd49}: "Neoverse N2",
		{0x41, 0xd4f}: "Neoverse V2",
		{0x41, 0xd83}: "Neoverse V3AE",
		{0x41, 0xd84}: "Neoverse V3",
		{0x41, 0xd8e}: "Neoverse N3",
		{0x43, 0x0af}: "ThunderX2",
		{0x46, 0x001}: "A64FX",
		{0x48, 0xd01}: "Kunpeng 920",
		{0x50, 0x000}: "X-Gene",
		{0x61, 0x022}: "M1 Icestorm",
		{0x61, 0x023}: "M1 Firestorm",
		{0x61, 0x032}: "M2 Blizzard",
		{0x61, 0x033}: "M2 Avalanche",
		{0x6d, 0xd49}: "Cobalt 100",
		{0xc0, 0xac3}: "AmpereOne",
		{0xc0, 0xac4}: "AmpereOne AC04",
	}
}

func armVendors() map[uint64]string {
	return map[uint64]string{
		0x41: "ARM", 0x42: "Broadcom", 0x43: "Cavium", 0x46: "Fujitsu", 0x48: "HiSilicon", 0x4e: "NVIDIA",
		0x50: "APM", 0x51: "Qualcomm", 0x61: "Apple", 0x6d: "Microsoft", 0xc0: "Ampere",
	}
}

// armName names an arm64 core as its vendor and "Neoverse N1 r3p1". An unknown
// core keeps its numbers.
func armName(implementer, part, variant, revision uint64) (vendor, model string) {
	vendor = armVendors()[implementer]
	if vendor == "" {
		vendor = fmt.Sprintf("implementer %#02x", implementer)
	}
	name := armCores()[armCore{implementer, part}]
	if name == "" {
		name = fmt.Sprintf("implementer %#02x part %#03x", implementer, part)
	}
	return vendor, fmt.Sprintf("%s r%dp%d", name, variant, revision)
}
