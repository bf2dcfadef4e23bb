package kernel

import (
	"testing"

	"plimsoll/internal/record"
)

const kib, mib = int64(1) << 10, int64(1) << 20

func data(level int, bytes int64, instances int) record.Cache {
	return record.Cache{Level: level, Type: "unified", Bytes: bytes, Instances: instances}
}

// skylake is two sockets of a Xeon Platinum 8124M, whose c5.18xlarge has 72 CPUs.
func skylake() []record.Cache {
	return []record.Cache{{Level: 1, Type: "data", Bytes: 32 * kib, Instances: 36},
		{Level: 1, Type: "instruction", Bytes: 32 * kib, Instances: 36},
		data(2, mib, 36), data(3, 25344*kib, 2)}
}

// graviton2 is an m6g.16xlarge.
func graviton2() []record.Cache {
	return []record.Cache{{Level: 1, Type: "data", Bytes: 64 * kib, Instances: 64}, data(2, mib, 64), data(3, 32*mib, 1)}
}

// chiplets is an EPYC of 48 cores: four share each cache of the third level.
func chiplets() []record.Cache {
	return []record.Cache{{Level: 1, Type: "data", Bytes: 32 * kib, Instances: 48}, data(2, 512*kib, 48),
		data(3, 16*mib, 12)}
}

func TestRegime(t *testing.T) {
	const cache, between, dram = record.RegimeCache, record.RegimeBetween, record.RegimeDRAM
	for name, c := range map[string]struct {
		perLane int64
		lanes   int
		caches  []record.Cache
		want    string
	}{
		"skylake: fits the L2":                   {mib, 36, skylake(), cache},
		"skylake: two threads share the L2":      {mib, 72, skylake(), between},
		"skylake: half of it each":               {mib / 2, 72, skylake(), cache},
		"skylake: half of the L3":                {12672 * kib, 1, skylake(), cache},
		"skylake: more than half of the L3":      {12673 * kib, 1, skylake(), between},
		"skylake: two lanes, two sockets":        {12672 * kib, 2, skylake(), cache},
		"skylake: three lanes, two sockets":      {12672 * kib, 3, skylake(), between},
		"skylake: one lane, four times the L3":   {4 * 25344 * kib, 1, skylake(), dram},
		"skylake: one lane, a byte less":         {4*25344*kib - 1, 1, skylake(), between},
		"skylake: two lanes need more for DRAM":  {2*25344*kib + 25344*kib/2, 2, skylake(), between},
		"skylake: the article's, 1 MB, all CPUs": {16e6, 72, skylake(), dram},
		"skylake: the article's, 1 MB, one CPU":  {16e6, 1, skylake(), between},
		"skylake: the article's, 25 MB, one CPU": {400e6, 1, skylake(), dram},
		"graviton2: fits the L2":                 {mib, 64, graviton2(), cache},
		"graviton2: half of the L3":              {16 * mib, 1, graviton2(), cache},
		"graviton2: all lanes share one L3":      {2 * mib, 64, graviton2(), dram},
		"graviton2: some lanes share it":         {2 * mib, 32, graviton2(), between},
		"graviton2: MinIO's blocks on all CPUs":  {16 * 87382, 64, graviton2(), between},
		"chiplets: one lane has one L3":          {8 * mib, 1, chiplets(), cache},
		"chiplets: twelve have twelve":           {8 * mib, 12, chiplets(), cache},
		"chiplets: the thirteenth shares":        {8 * mib, 13, chiplets(), between},
		"chiplets: all at four times all caches": {16 * mib, 48, chiplets(), dram},
		"chiplets: all, a little less":           {16*mib - 1, 48, chiplets(), between},
		"no third level: the second is the last": {8 * mib, 1, []record.Cache{data(2, 2*mib, 4)}, dram},
		"no third level: all that fits":          {2 * mib, 4, []record.Cache{data(2, 2*mib, 4)}, cache},
		"caches of two kinds count by the smaller": {2 * mib, 8,
			[]record.Cache{data(2, mib, 4), data(2, 2*mib, 4), data(3, 8*mib, 1)}, between},
		"nothing is known": {1, 1, nil, ""},
		"only instructions": {1, 1,
			[]record.Cache{{Level: 1, Type: "instruction", Bytes: 1 << 20, Instances: 1}}, ""},
		"a cache of which the instances are unknown": {4 * mib, 3, []record.Cache{data(3, mib, 0)}, dram},
	} {
		if got := Regime(c.perLane, c.lanes, c.caches); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestLastLevel(t *testing.T) {
	caches := []record.Cache{data(1, 1, 1), data(2, 9, 2), data(3, 5, 1), data(3, 7, 2),
		{Level: 4, Type: "instruction", Bytes: 1, Instances: 1}}
	if got, want := LastLevel(caches), data(3, 7, 3); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
