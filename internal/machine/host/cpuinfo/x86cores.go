package cpuinfo

import "plimsoll/internal/record"

// x86Core names the microarchitecture of the x86 parts that servers and clouds
// have, by CPUID's family, model and stepping; "" for others. The numbers are
// those of Linux' intel-family.h and LLVM's Host.cpp.
func x86Core(vendor string, family, model, stepping int) string {
	switch {
	case vendor == record.VendorIntel && family == 6:
		return intelCore(model, stepping)
	case vendor == record.VendorAMD || vendor == record.VendorHygon:
		return amdCore(family, model)
	}
	return ""
}

func intelCore(model, stepping int) string {
	if model == 0x55 {
		return skylakeServer(stepping)
	}
	return map[int]string{
		0x2d: "Sandy Bridge-EP",
		0x3e: "Ivy Bridge-EP",
		0x3f: "Haswell-EP",
		0x4f: "Broadwell-EP",
		0x56: "Broadwell-DE",
		0x6a: "Ice Lake-SP",
		0x6c: "Ice Lake-D",
		0x8f: "Sapphire Rapids",
		0xad: "Granite Rapids",
		0xae: "Granite Rapids-D",
		0xaf: "Sierra Forest",
		0xcf: "Emerald Rapids",
		0xdd: "Clearwater Forest",
	}[model]
}

// skylakeServer distinguishes three generations that share a model number.
func skylakeServer(stepping int) string {
	switch {
	case stepping < 0:
		return ""
	case stepping <= 4:
		return "Skylake-SP"
	case stepping <= 7:
		return "Cascade Lake"
	case stepping >= 10:
		return "Cooper Lake"
	}
	return ""
}

// amdRange is a range of models of one family; AMD gives a design sixteen.
type amdRange struct {
	family, first, last int
	name                string
}

func amdCore(family, model int) string {
	for _, r := range amdRanges() {
		if r.family == family && r.first <= model && model <= r.last {
			return r.name
		}
	}
	return ""
}

// amdRanges lists server parts before the ranges that hold them.
func amdRanges() []amdRange {
	return []amdRange{
		{0x17, 0x01, 0x01, "Zen (Naples)"},
		{0x17, 0x31, 0x31, "Zen 2 (Rome)"},
		{0x17, 0x00, 0x2f, "Zen"},
		{0x17, 0x30, 0xaf, "Zen 2"},
		{0x18, 0x00, 0x0f, "Zen (Dhyana)"},
		{0x19, 0x01, 0x01, "Zen 3 (Milan)"},
		{0x19, 0x11, 0x11, "Zen 4 (Genoa)"},
		{0x19, 0xa0, 0xaf, "Zen 4c (Bergamo, Siena)"},
		{0x19, 0x00, 0x0f, "Zen 3"},
		{0x19, 0x20, 0x5f, "Zen 3"},
		{0x19, 0x10, 0x1f, "Zen 4"},
		{0x19, 0x60, 0x7f, "Zen 4"},
		{0x1a, 0x02, 0x02, "Zen 5 (Turin)"},
		{0x1a, 0x11, 0x11, "Zen 5c (Turin Dense)"},
		{0x1a, 0x00, 0x4f, "Zen 5"},
		{0x1a, 0x60, 0x77, "Zen 5"},
	}
}
