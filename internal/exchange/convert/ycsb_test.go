package convert

import (
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestYCSBProperties: what -p sets tells runs apart, and operations that were not done fail a run.
func TestYCSBProperties(t *testing.T) {
	text := "Command line: -t -db site.ycsb.db.JdbcClient -P workloads/workloadc %P -threads 8\n[OVERALL], RunTime(ms), " +
		"60000\n[OVERALL], Throughput(ops/sec), 10000.0\n[READ], Operations, 600000\n[READ], AverageLatency(us), 798.0\n" +
		"[READ], Return=OK, 600000\n"
	with := func(properties string) string { return replaced(text, "%P", properties) }
	tryAll(t, []report{
		{name: "too few", format: reader.YCSB, text: with("-p operationcount=1000000"),
			void: "only 600000 of 1000000 offered operations completed"},
		{name: "all of each thread", format: reader.YCSB, text: with("-p operationcount=600007")},
		{name: "within a time", format: reader.YCSB, text: with("-p operationcount=1000000 -p maxexecutiontime=60")},
		{name: "a load", format: reader.YCSB, text: strings.Replace(with("-p operationcount=1000000"), " -t ", " -load ", 1)},
		{name: "all, below the rate", format: reader.YCSB, text: with("-p operationcount=600000 -target 20000"),
			void: "1e+04 of 2e+04 offered operations/s"},
		{name: "zipfian", format: reader.YCSB, text: with("-p requestdistribution=zipfian -p recordcount=1000 -p " +
			"db.url=jdbc:x -p db.passwd=s3cret -p redis.host=10.0.0.1 -p threadcount=8"), at: "8 clients",
			params: record.Params{"requestdistribution": "zipfian", "recordcount": "1000", "db.url": "", "db.passwd": "",
				"redis.host": "", "threadcount": "", "workload": "workloadc", "db": "JdbcClient"}},
	})
}
