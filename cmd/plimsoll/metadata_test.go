package main

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plimsoll/internal/base/simtest"
)

// TestCloudMetadata runs a script against a stand-in that answers as each of the
// clouds would, whichever of them this machine is of.
func TestCloudMetadata(t *testing.T) {
	simtest.Long(t)
	t.Parallel()
	answers := map[string]string{
		"/latest/api/token":                             "token",
		"/latest/meta-data/instance-type":               "stand-in.large",
		"/latest/meta-data/placement/region":            "eu-central-1",
		"/latest/meta-data/placement/availability-zone": "eu-central-1b",
		"/computeMetadata/v1/instance/machine-type":     "projects/1/machineTypes/stand-in.large",
		"/computeMetadata/v1/instance/zone":             "projects/1/zones/eu-central-1b",
		"/metadata/instance/compute":                    `{"vmSize":"stand-in.large","location":"eu-central-1","zone":"eu-central-1b"}`,
	}
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		answer, ok := answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(answer))
	}))
	t.Cleanup(s.Close)
	cmds := commands()
	cmds["asked"] = func(ts *testscript.TestScript, neg bool, _ []string) {
		if n := requests.Load(); neg == (n > 0) {
			ts.Fatalf("the service got %d requests", n)
		}
	}
	testscript.Run(t, testscript.Params{
		Files: []string{"testdata/metadata/cloud.txtar"},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PLIMSOLL_METADATA", s.URL)
			return nil
		},
		Cmds: cmds,
	})
}
