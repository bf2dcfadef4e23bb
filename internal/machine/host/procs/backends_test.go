package procs

import (
	"strings"
	"testing"
)

// TestBackendTitled: titles of PostgreSQL 15 and of other processes.
func TestBackendTitled(t *testing.T) {
	for title, want := range map[string]Backend{
		"postgres: app shop 127.0.0.1(41234) idle":                       BackendIdle,
		"postgres: app shop [local] SELECT":                              BackendActive,
		"postgres: 15/main: app shop ::1(41234) idle in transaction":     BackendOpen,
		"postgres: app shop [local] idle in transaction (aborted)":       BackendOpen,
		"postgres: app shop 10.0.0.7(5) UPDATE waiting":                  BackendWaitsLock,
		"postgres: app shop 10.0.0.7(5) COMMIT waiting for 0/3000148":    BackendActive, // for a standby
		"postgres: app shop 10.0.0.7(5) authentication":                  NoBackend,
		"postgres: checkpointer":                                         NoBackend,
		"postgres: walsender app 10.0.0.7(70000) streaming 0/3":          NoBackend,
		"/usr/lib/postgresql/15/bin/postgres -D data":                    NoBackend,
		"postgres: parallel worker for PID 12":                           NoBackend,
		"java -jar x.jar postgres: app shop [local] idle in transaction": NoBackend,
		"": NoBackend,
	} {
		got, port := backendTitled(title)
		if got != want || (port == 41234) != strings.Contains(title, "(41234)") {
			t.Errorf("%q: %d, want %d", title, got, want)
		}
	}
}
