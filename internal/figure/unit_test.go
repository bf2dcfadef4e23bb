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
		{"http", "opcodes"}:  "opcodes", {"http", ""}: "",
	} {
		if got := UnitOf(in[0], in[1]); got != want {
			t.Errorf("%s of %s is %q, want %q", in[1], in[0], got, want)
		}
	}
}
