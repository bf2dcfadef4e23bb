package all

import "testing"

// TestGroups: a workload with groups has each parameter, except for the machine's settings, in one of them.
func TestGroups(t *testing.T) {
	with := 0
	for _, s := range All() {
		seen := map[string]int{}
		for _, g := range s.Command.Groups {
			for _, name := range g.Params {
				seen[name]++
				if _, ok := s.Param(name); !ok || seen[name] > 1 {
					t.Errorf("%s: %q of the group %q is no parameter, or is in two groups", s.Name, name, g.Title)
				}
			}
		}
		if len(s.Command.Groups) == 0 {
			continue
		}
		with++
		for _, p := range s.Params {
			if !p.Tunes && seen[p.Name] == 0 {
				t.Errorf("%s: %q is in no group", s.Name, p.Name)
			}
		}
	}
	if with < 5 {
		t.Errorf("%d workloads with groups", with)
	}
}
