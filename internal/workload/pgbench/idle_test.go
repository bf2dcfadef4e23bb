package pgbench

import (
	"testing"

	"plimsoll/internal/record"
)

// What a started server would be like is no setting of the user's own.
func TestIdleParams(t *testing.T) {
	decl := Spec().Workload
	of := func(set record.Params) map[string]bool {
		vals := decl.Defaults()
		for name, v := range set {
			vals[name] = v
		}
		decl.Derive(vals, set)
		idle := map[string]bool{}
		for _, p := range decl.Params {
			idle[p.Name] = !p.Effective(vals) || p.Idle != nil && p.Idle(vals)
		}
		return idle
	}
	own, started := of(record.Params{"dsn": "postgres://h/d", "schema": "own"}), of(nil)
	for _, name := range []string{"checksums", "preset", "standby", "scale"} {
		if !own[name] || started[name] {
			t.Errorf("%s: idle beside a DSN %v, of a started server %v", name, own[name], started[name])
		}
	}
	if own["settings"] || own["clients"] || own["protocol"] {
		t.Errorf("%v", own)
	}
}
