package convert

import (
	"regexp"

	"plimsoll/internal/input"
)

// asCSV is what can be done about the output of a tool that is not read.
const asCSV = "write its figures as CSV, a value for each row: docs/import.md; plimsoll import --help lists what is " +
	"read"

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
		{"bombardier", `(?m)^Bombarding \S+|^Statistics +Avg +Stdev +Max`, ""},
		{"a history, failures or exceptions of Locust",
			`(?m)^Timestamp,User Count,Type,Name,|^"?Method"?,"?Name"?,"?Error"?,|` +
				`^"?Count"?,"?Message"?,"?Traceback"?`, "import the file whose name ends in _stats.csv, which stands beside it"},
		{"a test plan of JMeter", `(?m)^<jmeterTestPlan `, "run it with jmeter -n -l results.jtl and import that"},
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
