package invocation

import (
	"strings"
	"testing"
)

// What newcomers name leads to the command that measures it.
func TestGuesses(t *testing.T) {
	known := specs()
	known[0].Name = "http"
	for in, want := range map[string]string{
		"mysql":                           "plimsoll run exec 'sysbench oltp_read_write",
		"MariaDB":                         "--parse sysbench",
		"redis":                           "plimsoll run exec 'redis-benchmark -t set -n 1000000' --parse redis-benchmark",
		"redis-server":                    "--parse redis-benchmark",
		"redis-benchmark -t get -n 9":     "plimsoll run exec 'redis-benchmark -t get -n 9' --parse redis-benchmark",
		"fio":                             "plimsoll run disk JOBFILE, or plimsoll run exec 'fio JOBFILE",
		"fio my.fio":                      "plimsoll run disk my.fio",
		"fio --rw=read --name=x":          "plimsoll run exec 'fio --rw=read --name=x' --parse fio",
		"wrk":                             "plimsoll run http URL",
		"wrk -d10s http://h:1/":           "plimsoll run exec 'wrk -d10s http://h:1/' --parse wrk",
		"hey http://h:1/":                 "plimsoll run http http://h:1/",
		"ab":                              "plimsoll run http URL",
		"sysbench cpu run":                "plimsoll run exec 'sysbench cpu run' --parse sysbench",
		"kafka-producer-perf-test":        "--parse kafka-producer-perf-test",
		"postgresql":                      "plimsoll run pgbench my.sql --dsn",
		"cpu":                             "plimsoll run aes-gcm",
		"kafka-producer-perf-test.sh --x": "HOST:9092",
	} {
		if got, ok := (Typed{Words: strings.Fields(in)}).guess(known); !ok || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for _, in := range []string{"my-service", "./fio", "quick", "bin/redis-benchmark"} {
		if got, ok := (Typed{Words: []string{in}}).guess(known); ok {
			t.Errorf("%s is a guess at %q", in, got)
		}
	}
}
