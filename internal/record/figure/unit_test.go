package figure

import "testing"

func TestUnitOf(t *testing.T) {
	for in, want := range map[[2]string]string{
		{"http", "op/s"}: "requests/s", {"http", "op/s/core"}: "requests/s/core", {"http", "op/$"}: "requests/$",
		{"http", "B/s"}:  "B/s",
		{"tpcc", "op/s"}: "tps", {"pgbench", "op/s/vCPU"}: "tps/vCPU", {"pgbench", "op/$"}: "transactions/$",
		{"pgbench", "op/J"}: "transactions/J",
		{"exec", "op/s"}:    "op/s", {"exec", "op"}: "op", {"compile", "op"}: "runs", {"aes-gcm", "op/s"}: "op/s",
		{"sysbench", "op/s"}: "op/s",
		{"disk", "op/s"}:     "IOPS", {"disk", "op/s/core"}: "IOPS/core", {"disk", "op"}: "op", {"disk", "B/s"}: "B/s",
		{"redis-benchmark", "op/s"}: "requests/s", {"fio", "op/s"}: "IOPS",
		{"http", "opcodes"}: "opcodes", {"http", ""}: "",
	} {
		if got := UnitOf(in[0], in[1]); got != want {
			t.Errorf("%s of %s is %q, want %q", in[1], in[0], got, want)
		}
	}
}

// What exec parses counts what its tool counts.
func TestCounted(t *testing.T) {
	for _, c := range []struct{ workload, parse, command, want string }{
		{"http", "", "", "requests/s"},
		{"exec", "", "./x", "op/s"},
		{"exec", "time", "./x", "op/s"},
		{"exec", "regexp", "./x", "op/s"},
		{"exec", "redis-benchmark", "redis-benchmark -t set", "requests/s"},
		{"exec", "sysbench", "sysbench oltp_read_only --threads=4 run", "tps"},
		{"exec", "sysbench", "sysbench cpu run", "events/s"},
		{"exec", "sysbench", "sysbench --threads=2 fileio run", "events/s"},
		{"exec", "pgbench", "pgbench -T 3", "tps"},
		{"exec", "fio", "fio x.fio", "IOPS"},
		{"exec", "kafka-producer-perf-test", "x", "records/s"},
	} {
		of := Counted(c.workload, map[string]string{"parse": c.parse, "command": c.command})
		if got := UnitOf(of, "op/s"); got != c.want {
			t.Errorf("%s of %q by %q: %s, want %s", c.workload, c.command, c.parse, got, c.want)
		}
	}
}
