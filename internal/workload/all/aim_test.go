package all

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestATargetSaysNoMoreThanAnAddress: of what a target says, only an IP address and a port get to the generators, in
// the one form that an honest one uses, and as the user has set them.
func TestATargetSaysNoMoreThanAnAddress(t *testing.T) {
	dsn := postgres.Primary{Address: "10.0.0.1:5432", User: "u", Secret: "s/?#@"}.DSN("db")
	user := record.Params{"address": "10.0.0.1"}
	for _, c := range []struct {
		workload string
		set      record.Params
		said     []string
		want     string // in the error
		proves   []bool
	}{
		{"http", nil, []string{"http://10.0.0.1:80"}, "", []bool{true}},
		{"http", user, []string{"http://10.0.0.1:80"}, "", []bool{false}},
		{"http", record.Params{"tls": "true"}, []string{"https://[fd00::1]:443"}, "", []bool{true}},
		{"http", record.Params{"tls": "true"}, []string{"http://10.0.0.1:80"}, "no https:// address", nil},
		{"http", user, []string{"http://10.0.0.2:80"}, "address is 10.0.0.1", nil},
		{"http", record.Params{"port": "81"}, []string{"http://10.0.0.1:80"}, "port is 81", nil},
		{"http", nil, []string{"http://10.0.0.1:80/admin?x="}, "no IP address", nil},
		{"http", nil, []string{"http://10.0.0.1:80#"}, "no IP address", nil},
		{"http", nil, []string{"http://u:p@10.0.0.1:80"}, "no IP address", nil},
		{"http", nil, []string{"http://localhost:80"}, "no IP address", nil},
		{"http", nil, []string{"http://10.0.0.1:080"}, "no IP address", nil},
		{"http", nil, []string{"http://10.0.0.1:0"}, "no IP address", nil},
		{"http", nil, []string{"http://10.0.0.1"}, "no IP address", nil},
		{"http", nil, []string{"http://10.0.0.1:80 http://10.0.0.2:80"}, "no IP address", nil},
		{"http", nil, []string{"http://10.0.0.1:80", "http://10.0.0.2:80"}, "2 servers", nil},
		{"http", nil, []string{"HTTP://10.0.0.1:80"}, "no http:// address", nil},
		{"http", record.Params{"server": "url", "url": "http://a/b"}, []string{"http://10.0.0.1:80/x"}, "", []bool{false}},
		{"kafka", nil, []string{"10.0.0.1:9092", "10.0.0.2:9092"}, "", []bool{true, true}},
		{"kafka", nil, []string{"10.0.0.1:9092,10.0.0.9:9092"}, "no IP address", nil},
		{"kafka", nil, []string{"10.0.0.1:9092 10.0.0.9:9092"}, "no IP address", nil},
		{"kafka", nil, []string{"broker:9092"}, "no IP address", nil},
		{"kafka", record.Params{"brokers": "a:1"}, []string{"10.0.0.1:9092"}, "", []bool{false}},
		{"pgbench", nil, []string{dsn}, "", []bool{true}},
		{"pgbench", nil, []string{dsn, "10.0.0.2:5432"}, "", []bool{true, false}},
		{"pgbench", user, []string{dsn}, "", []bool{false}},
		{"pgbench", record.Params{"server": "dsn", "dsn": "host=a user=b"}, []string{dsn}, "", []bool{false}},
		{"pgbench", nil, []string{dsn + "&sslkey=/etc/passwd"}, "no URL of ours", nil},
		{"pgbench", nil, []string{dsn + "&host=10.0.0.9"}, "no URL of ours", nil},
		{"pgbench", nil, []string{strings.Replace(dsn, "disable", "require", 1)}, "no URL of ours", nil},
		{"pgbench", nil, []string{strings.Replace(dsn, "5432", "5432,10.0.0.9:5432", 1)}, "no", nil},
		{"pgbench", nil, []string{strings.Replace(dsn, "10.0.0.1", "localhost", 1)}, "no IP address", nil},
		{"pgbench", nil, []string{"service=other"}, "no URL of ours", nil},
		{"pgbench", nil, []string{"10.0.0.1:5432"}, "no URL of ours", nil},
		{"tpcc", nil, []string{strings.TrimPrefix(dsn, "postgres://")}, "no URL of ours", nil},
	} {
		spec, ok := workload.Find(All(), c.workload)
		if !ok {
			t.Fatal(c.workload)
		}
		aim, err := spec.Aim(workload.NewParams(spec.Workload, c.set), c.said)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %v at %q: %+v, %v, want %q", c.workload, c.set, c.said, aim, err, c.want)
			}
			continue
		}
		var proves []bool
		for _, at := range aim.At {
			proves = append(proves, at.IsValid())
		}
		if err != nil || !slices.Equal(proves, c.proves) {
			t.Errorf("%s %v at %q: %+v, %v", c.workload, c.set, c.said, aim, err)
		}
		if !slices.Contains(c.said, aim.Target) && c.set["url"] != aim.Target && c.workload != "kafka" {
			t.Errorf("%s %v at %q: the load goes to %q", c.workload, c.set, c.said, aim.Target)
		}
	}
}
