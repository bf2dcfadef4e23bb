package cpuinfo

import "fmt"

type armCore struct{ implementer, part uint64 }

// armCores names cores by MIDR_EL1's implementer and part number, from Linux'
// arch/arm64/include/asm/cputype.h, util-linux' lscpu-arm.c and LLVM's
// Host.cpp, which agree wherever two of them know a core.
func armCores() map[armCore]string {
	return map[armCore]string{
		{0x41, 0xd03}: "Cortex-A53",
		{0x41, 0xd04}: "Cortex-A35",
		{0x41, 0xd05}: "Cortex-A55",
		{0x41, 0xd07}: "Cortex-A57",
		{0x41, 0xd08}: "Cortex-A72",
		{0x41, 0xd09}: "Cortex-A73",
		{0x41, 0xd0a}: "Cortex-A75",
		{0x41, 0xd0b}: "Cortex-A76",
		{0x41, 0xd0c}: "Neoverse N1",
		{0x41, 0xd0d}: "Cortex-A77",
		{0x41, 0xd0e}: "Cortex-A76AE",
		{0x41, 0xd40}: "Neoverse V1",
		{0x41, 0xd41}: "Cortex-A78",
		{0x41, 0xd42}: "Cortex-A78AE",
		{0x41, 0xd44}: "Cortex-X1",
		{0x41, 0xd46}: "Cortex-A510",
		{0x41, 0xd47}: "Cortex-A710",
		{0x41, 0xd48}: "Cortex-X2",
		{0x41, 0xd49}: "Neoverse N2",
		{0x41, 0xd4a}: "Neoverse E1",
		{0x41, 0xd4b}: "Cortex-A78C",
		{0x41, 0xd4c}: "Cortex-X1C",
		{0x41, 0xd4d}: "Cortex-A715",
		{0x41, 0xd4e}: "Cortex-X3",
		{0x41, 0xd4f}: "Neoverse V2",
		{0x41, 0xd80}: "Cortex-A520",
		{0x41, 0xd81}: "Cortex-A720",
		{0x41, 0xd82}: "Cortex-X4",
		{0x41, 0xd83}: "Neoverse V3AE",
		{0x41, 0xd84}: "Neoverse V3",
		{0x41, 0xd85}: "Cortex-X925",
		{0x41, 0xd87}: "Cortex-A725",
		{0x41, 0xd89}: "Cortex-A720AE",
		{0x41, 0xd8e}: "Neoverse N3",
		{0x42, 0x516}: "ThunderX2",
		{0x43, 0x0a1}: "ThunderX",
		{0x43, 0x0af}: "ThunderX2",
		{0x43, 0x0b8}: "ThunderX3",
		{0x46, 0x001}: "A64FX",
		{0x46, 0x003}: "Monaka",
		{0x48, 0xd01}: "Kunpeng 920",
		{0x4e, 0x003}: "Denver 2",
		{0x4e, 0x004}: "Carmel",
		{0x4e, 0x010}: "Olympus",
		{0x50, 0x000}: "X-Gene",
		{0x51, 0x001}: "Oryon",
		{0x51, 0xc00}: "Falkor",
		{0x51, 0xc01}: "Saphira",
		{0x61, 0x022}: "M1 Icestorm",
		{0x61, 0x023}: "M1 Firestorm",
		{0x61, 0x024}: "M1 Pro Icestorm",
		{0x61, 0x025}: "M1 Pro Firestorm",
		{0x61, 0x028}: "M1 Max Icestorm",
		{0x61, 0x029}: "M1 Max Firestorm",
		{0x61, 0x032}: "M2 Blizzard",
		{0x61, 0x033}: "M2 Avalanche",
		{0x61, 0x034}: "M2 Pro Blizzard",
		{0x61, 0x035}: "M2 Pro Avalanche",
		{0x61, 0x038}: "M2 Max Blizzard",
		{0x61, 0x039}: "M2 Max Avalanche",
		{0x6d, 0xd49}: "Cobalt 100",
		{0x70, 0x662}: "FTC662",
		{0x70, 0x663}: "FTC663",
		{0xc0, 0xac3}: "AmpereOne",
		{0xc0, 0xac4}: "AmpereOne A",
		{0xc0, 0xac5}: "AmpereOne B",
	}
}

func armVendors() map[uint64]string {
	return map[uint64]string{
		0x41: "ARM", 0x42: "Broadcom", 0x43: "Cavium", 0x46: "Fujitsu", 0x48: "HiSilicon", 0x4e: "NVIDIA",
		0x50: "APM", 0x51: "Qualcomm", 0x53: "Samsung", 0x56: "Marvell", 0x61: "Apple", 0x6d: "Microsoft",
		0x70: "Phytium", 0xc0: "Ampere",
	}
}

// armName names an arm64 core as its vendor, "Neoverse N1 r3p1" and "Neoverse
// N1". An unknown core keeps its numbers and has no name.
func armName(implementer, part, variant, revision uint64) (vendor, model, core string) {
	vendor = armVendors()[implementer]
	if vendor == "" {
		vendor = fmt.Sprintf("implementer %#02x", implementer)
	}
	core = armCores()[armCore{implementer, part}]
	name := core
	if name == "" {
		name = fmt.Sprintf("implementer %#02x part %#03x", implementer, part)
	}
	return vendor, fmt.Sprintf("%s r%dp%d", name, variant, revision), core
}
