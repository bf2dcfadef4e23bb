package postgres

import (
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

func TestCheckStandby(t *testing.T) {
	for settings, want := range map[string]struct{ async, sync string }{
		"":                                       {},
		"synchronous_commit = remote_apply":      {},
		"synchronous_commit = TRUE":              {},
		"synchronous_commit = off":               {sync: "no commit waits"},
		"synchronous_commit = local":             {sync: "with synchronous_commit = local no commit waits"},
		"wal_level = Minimal":                    {"wal_level = minimal", "wal_level = minimal"},
		"wal_level = minimal\nwal_level=replica": {},
		"hot_standby = off":                      {"hot_standby = off", "hot_standby = off"},
		"hot_standby = no":                       {"hot_standby = off", "hot_standby = off"},
		"hot_standby = on":                       {},
		"max_wal_senders = 0":                    {"max_wal_senders = 0", "is too low: a standby and its copy need 2"},
		"max_wal_senders = 1":                    {"max_wal_senders = 1", "max_wal_senders = 1"},
		"max_wal_senders = 2":                    {},
		"max_replication_slots = 0":              {"max_replication_slots = 0", "max_replication_slots = 0"},
		"synchronous_standby_names = 'mine'":     {"are set by plimsoll", "are set by plimsoll"},
		"primary_conninfo = 'host=x'":            {"are set by plimsoll", "are set by plimsoll"},
	} {
		p, err := engine.Resolve(Engine{}, record.Params{ParamSettings: settings})
		if err != nil {
			t.Fatal(err)
		}
		for sync, says := range map[bool]string{false: want.async, true: want.sync} {
			if err := CheckStandby(p, sync); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
				t.Errorf("%q, sync %t: %v, want %q", settings, sync, err, says)
			}
		}
	}
}
