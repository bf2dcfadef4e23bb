package topology

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// enumerated is a machine whose cores have these CPUs; allowed "" is all of them.
func enumerated(t *testing.T, allowed string, nodes []string, cores ...string) record.Machine {
	t.Helper()
	m := record.Machine{NodeCPUs: nodes, CPU: record.CPU{CoreCPUs: cores}}
	list := func(text string) []int {
		cpus, err := record.ParseCPUList(text)
		if err != nil {
			t.Fatal(err)
		}
		return cpus
	}
	for _, c := range cores {
		m.CPU.Allowed = append(m.CPU.Allowed, list(c)...)
	}
	slices.Sort(m.CPU.Allowed)
	if allowed != "" {
		m.CPU.Allowed = list(allowed)
	}
	return m
}

// apart are n cores from a first CPU on, whose second threads are so many numbers further; 0: they have none.
func apart(first, n, further int) []string {
	var out []string
	for cpu := first; cpu < first+n; cpu++ {
		text := strconv.Itoa(cpu)
		if further > 0 {
			text += "," + strconv.Itoa(cpu+further)
		}
		out = append(out, text)
	}
	return out
}

func TestSplitCPUs(t *testing.T) {
	const unknown, shared, others = "core topology unknown", "server and generator share cores",
		"other processes may use a thread"
	two := []string{"0-17,36-53", "18-35,54-71"}
	for name, c := range map[string]struct {
		machine         record.Machine
		given           int
		work, generator string
		cores           int
		doubt           string
	}{
		"m5d.8xlarge": {enumerated(t, "", nil, apart(0, 16, 16)...), 4, "0-11,16-27", "12-15,28-31", 4,
			""},
		"c6i.2xlarge": {enumerated(t, "", nil, apart(0, 4, 4)...), 1, "0-2,4-6", "3,7", 1, ""},
		"c6i.metal, two sockets": {enumerated(t, "", two, apart(0, 36, 36)...), 9, "0-26,36-62", "27-35,63-71", 9,
			""},
		"sockets in turn": {
			enumerated(t, "", []string{"0,2,4,6,8,10,12,14", "1,3,5,7,9,11,13,15"}, apart(0, 8, 8)...), 2, "0-4,6,8-12,14",
			"5,7,13,15", 2, ""},
		"siblings side by side":        {enumerated(t, "", nil, "0-1", "2-3", "4-5", "6-7"), 1, "0-5", "6-7", 1, ""},
		"c7g.2xlarge":                  {enumerated(t, "", nil, apart(0, 8, 0)...), 1, "0-6", "7", 1, ""},
		"m6gd.8xlarge beside 16 cores": {enumerated(t, "", nil, apart(0, 32, 0)...), 4, "0-27", "28-31", 4, ""},
		"r5.large, one core":           {enumerated(t, "", nil, "0-1"), 1, "0", "1", 0, shared},
		"r6g.large":                    {enumerated(t, "", nil, "0", "1"), 1, "0", "1", 1, ""},
		"four threads on one core":     {enumerated(t, "", nil, "0-3"), 1, "0-2", "3", 0, shared},
		"hidden": {record.Machine{CPU: record.CPU{Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7}}}, 2, "0-5",
			"6-7", 0, unknown},
		"hidden, more than there are": {record.Machine{CPU: record.CPU{Allowed: []int{0, 1}}}, 4, "0", "1", 0, unknown},
		"broken": {
			record.Machine{CPU: record.CPU{Allowed: []int{0, 1}, CoreCPUs: []string{"0", "?"}}}, 1, "0", "1", 0, unknown},
		"a CPU of no core":                {enumerated(t, "0-3", nil, "0", "1", "2"), 1, "0-2", "3", 0, unknown},
		"one CPU":                         {enumerated(t, "", nil, "0"), 1, "", "", 0, "one CPU"},
		"one CPU of two":                  {enumerated(t, "1", nil, "0-1"), 1, "", "", 0, "one CPU"},
		"the last core is not whole":      {enumerated(t, "0-6", nil, "0-1", "2-3", "4-5", "6-7"), 1, "0-3,6", "4-5", 1, ""},
		"first threads alone":             {enumerated(t, "0-3", nil, apart(0, 4, 4)...), 1, "0-2", "3", 0, others},
		"fewer cores than the plan gives": {enumerated(t, "", nil, apart(0, 2, 2)...), 4, "0,2", "1,3", 1, ""},
		"an older plan": {enumerated(t, "", nil, apart(0, 16, 16)...), 0, "0-23", "24-31", 0,
			shared + " (8)"},
		"an older plan, no siblings": {enumerated(t, "", nil, apart(0, 16, 0)...), 0, "0-11", "12-15", 4, ""},
	} {
		s := Split(c.machine, c.given)
		work, generator := record.FormatCPUList(s.Work), record.FormatCPUList(s.Generator)
		if work != c.work || generator != c.generator || s.Cores != c.cores || !strings.HasPrefix(s.Doubt, c.doubt) ||
			(s.Doubt == "") != (c.doubt == "") {
			t.Errorf("%s: server %q, generator %q with %d cores, doubt %q; want %q, %q, %d, %q", name, work, generator, s.Cores,
				s.Doubt, c.work, c.generator, c.cores, c.doubt)
		}
		if all := slices.Sorted(slices.Values(slices.Concat(s.Work, s.Generator))); len(all) > 0 &&
			!slices.Equal(all, c.machine.CPU.Allowed) {
			t.Errorf("%s: %v of %v", name, all, c.machine.CPU.Allowed)
		}
	}
}
