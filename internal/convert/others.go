package convert

import (
	"regexp"

	"plimsoll/internal/input"
)

// asCSV is what can be done about the output of a tool that is not read.
const asCSV = "write its figures as CSV, a value for each row: docs/import.md; plimsoll import --help lists what is read"

// otherBytes is how much of a file is searched for the marks of tools that are not read.
const otherBytes = 64 << 10

// OtherTool returns what a file is that is not read, such as "the output of siege", and what can be done about it; ""
// if it is none that is known.
func OtherTool(head []byte) (what, hint string) {
	head = input.Unmarked(head)
	head = head[:min(len(head), otherBytes)]
	for _, t := range []struct{ name, looks, hint string }{
		{"a job file of fio", `(?m)^\[(?:global|[^\]\n]+)\]\s*$(?s:.*)^(?:ioengine|rw|readwrite|iodepth) *= *\S`,
			"run it with fio --output-format=json+ and import what that prints"},
		{"ab (ApacheBench)", `(?m)^This is ApacheBench,|^Server Software: .*\n(?s:.*)^Time per request:`, ""},
		{"hey", `(?m)^Summary:\s*\n\s+Total:\s+[0-9.]+ secs(?s:.*)^(?:Response time histogram|Latency distribution|Status ` +
			`code distribution):`, ""},
		{"h2load", `(?m)^finished in [0-9.]+m?s, [0-9.]+ req/s, |^spawning thread #0: `, ""},
		{"bombardier", `(?m)^Bombarding \S+|^Statistics +Avg +Stdev +Max`, ""},
		{"iperf3", `(?m)^\[ *ID\] Interval +Transfer|"iperf_json|"iperf 3\.|"version":\s*"iperf `, ""},
		{"memtier_benchmark", `(?m)^(?:ALL STATS|Type +Ops/sec +Hits/sec)|"ALL STATS"`, ""},
		{"Locust", `(?m)^"?Type"?,"?Name"?,"?Request Count"?|^Timestamp,User Count,Type,Name,`, ""},
		{"JMeter", `(?m)^timeStamp,elapsed,label,|<testResults version=|^summary [+=] +[0-9]+ in `, ""},
		{"Google Benchmark", `(?m)^Benchmark +Time +CPU ` +
			`+Iterations|"context"\s*:\s*\{(?s:.*)"benchmarks"\s*:|^name,iterations,real_time,cpu_time`, ""},
		{"kafka-consumer-perf-test", `(?m)^start\.time, end\.time, data\.consumed\.in\.MB`, ""},
		{"siege", `(?m)^Lifting the server siege|^Longest transaction:`, ""},
		{"autocannon", `(?m)^Running [0-9]+s test @ \S+\n[0-9]+ connections\n\n(?s:.*)│ Stat`, ""},
		{"Gatling", `(?m)^---- Global Information -----`, ""},
		{"Artillery", `(?m)^http\.response_time:\s*$|"aggregate"\s*:\s*\{(?s:.*)"counters"`, ""},
		{"netperf", `(?m)^MIGRATED (?:TCP|UDP) `, ""},
		{"stress-ng", `(?m)^stress-ng: (?:info|metrc):`, ""},
		{"pytest-benchmark", `"machine_info"\s*:(?s:.*)"benchmarks"\s*:`, ""},
		{"BenchmarkDotNet", `(?m)^BenchmarkDotNet[ =]|"HostEnvironmentInfo"`, ""},
		{"HammerDB", `(?m)System achieved [0-9]+ NOPM`, ""},
		{"mysqlslap", `(?m)^\s*Average number of seconds to run all queries:`, ""},
		{"dd", `(?m)^[0-9]+ bytes .*copied, [0-9.e-]+ s, `, ""},
		{"UnixBench", `(?m)^System Benchmarks Index Score`, ""},
		{"STREAM", `(?m)^Function +Best Rate MB/s`, ""},
		{"CoreMark", `(?m)^CoreMark 1\.0 : `, ""},
		{"openssl speed", `(?m)^The 'numbers' are in 1000s of bytes per second processed`, ""},
	} {
		if regexp.MustCompile(t.looks).Match(head) {
			if t.hint != "" {
				return t.name, t.hint
			}
			return "the output of " + t.name, asCSV
		}
	}
	return "", ""
}
