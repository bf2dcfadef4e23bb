package invocation

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/workload"
)

// tool is a program or a kind of server that a newcomer names where a workload belongs.
type tool struct {
	names  []string
	parse  string // the format of --parse that reads its output; "": none
	sample string // its arguments, for one who gave none
	also   string // the workload that does its work, with arguments; "": none does
	load   string // the workload that takes its flags; "": none
}

// guesses returns what newcomers name, and what measures it.
func guesses() []tool {
	const (
		http   = "plimsoll run http URL --clients 64"
		disk   = "plimsoll run disk DIRECTORY --rw randread --bs 4k"
		sample = "postgres://USER@HOST/DATABASE"
	)
	sysbench := "sysbench oltp_read_write --mysql-db=test --threads=8 --time=10 run"
	redis := "redis-benchmark -t set -n 1000000"
	return []tool{
		{names: []string{"sysbench"}, parse: "sysbench", sample: sysbench},
		{names: []string{"mysql", "mysqld", "mariadb", "percona"}, parse: "sysbench", sample: sysbench},
		{names: []string{"redis-benchmark", "valkey-benchmark"}, parse: "redis-benchmark", sample: redis},
		{names: []string{"redis", "redis-server", "redis-cli", "valkey", "valkey-server", "keydb"}, parse: "redis-benchmark",
			sample: redis},
		{names: []string{"fio"}, parse: "fio", sample: "fio JOBFILE --output-format=json", also: "plimsoll run disk JOBFILE"},
		{names: []string{"wrk"}, parse: "wrk", sample: "wrk -t2 -c64 -d10s URL", also: http, load: "http"},
		{names: []string{"k6"}, parse: "k6", sample: "k6 run script.js", also: http},
		{names: []string{"oha"}, parse: "oha", sample: "oha -z 10s --output-format json URL", also: http, load: "http"},
		{names: []string{"vegeta", "wrk2", "hey", "ab", "h2load", "bombardier", "siege", "locust", "jmeter", "gatling",
			"artillery", "autocannon", "curl", "nginx", "apache", "httpd", "caddy", "node", "web", "https", "api", "rest",
			"url", "website"}, also: http, load: "http"},
		{names: []string{"grpc", "ghz"}, also: "plimsoll run exec 'ghz …' --parse json: see plimsoll help exec"},
		{names: []string{"iperf", "iperf3", "netperf", "qperf", "sockperf", "bandwidth", "tcp", "udp", "ping"},
			also: "plimsoll run network --on 'ssh SERVER' --generator 'ssh CLIENT'"},
		{names: []string{"stress", "stress-ng"}, also: "plimsoll run exec 'stress-ng --cpu 2 --cpu-ops 1000'"},
		{names: []string{"kafka-producer-perf-test", "kafka-producer-perf-test.sh"}, parse: "kafka-producer-perf-test",
			sample: "kafka-producer-perf-test.sh --topic t --num-records 1000000 --record-size 1000 --throughput -1 " +
				"--producer-props bootstrap.servers=HOST:9092",
			also: "plimsoll run kafka HOST:9092"},
		{names: []string{"rdkafka_performance"}, parse: "rdkafka_performance",
			sample: "rdkafka_performance -P -b HOST:9092 -t t -c 1000000 -s 1000", also: "plimsoll run kafka HOST:9092"},
		{names: []string{"redpanda"}, also: "plimsoll run kafka HOST:9092"},
		{names: []string{"ycsb", "mongodb", "mongod", "mongo", "cassandra"}, parse: "ycsb",
			sample: "ycsb run mongodb -P workloads/workloada"},
		{names: []string{"postgres", "postgresql", "psql", "pg", "database", "db", "sql"},
			also: "plimsoll run pgbench my.sql --dsn " + sample + " --clients 16"},
		{names: []string{"hyperfine", "time"}, also: "plimsoll run exec 'COMMAND' 'OTHER COMMAND'", load: commands},
		{names: []string{"perf", "command", "cmd"}, also: "plimsoll run exec 'COMMAND' 'OTHER COMMAND'"},
		{names: []string{"go"}, parse: "go --unit ns/op", sample: "go test -run '^$' -bench ."},
		{names: []string{"jmh"}, parse: "jmh", sample: "java -jar benchmarks.jar -rf json -rff /dev/stdout"},
		{names: []string{"io", "ssd", "nvme", "storage", "iops", "dd", "bonnie++"}, also: disk},
		{names: []string{"cpu"}, parse: "sysbench", sample: "sysbench cpu --time=10 run", also: "plimsoll run aes-gcm"},
		{names: []string{"ram", "mem", "stream"}, also: "plimsoll run memory"},
	}
}

// guess returns the command that measures what a newcomer has named, with its arguments if any were given.
func (t Typed) guess(specs []workload.Spec) (hint string, ok bool) {
	args := t.Words
	if strings.HasSuffix(args[0], ".js") {
		args = []string{"k6", args[0]}
	}
	name := strings.ToLower(filepath.Base(args[0]))
	i := slices.IndexFunc(guesses(), func(t tool) bool { return slices.Contains(t.names, name) })
	if i < 0 || strings.ContainsRune(args[0], '/') {
		return "", false
	}
	of := guesses()[i]
	if job := jobFile(args[1:]); of.parse == "fio" && job != "" {
		return "plimsoll run disk " + shellquote.Join(job), true
	}
	if len(args) > 1 && name == "k6" && strings.HasSuffix(args[1], ".js") {
		args = slices.Insert(slices.Clone(args), 1, "run")
	}
	own := t.toLoad(of.load, specs)
	if len(args) > 1 && of.parse != "" && of.names[0] == name {
		return either(own, exec(shellquote.Join(args...), of.parse)), true
	}
	if url := argumentOf(of.load, args[1:], specs); own == "" && url != "" && of.parse == "" {
		own = strings.Replace(of.also, "URL", shellquote.Join(url), 1)
	}
	if own != "" {
		return own, true
	}
	return either(of.also, exec(of.sample, of.parse)), true
}

// toLoad returns the line that measures the same by a workload, from the arguments and flags of a tool; "" if some have
// no form here.
func (t Typed) toLoad(load string, specs []workload.Spec) string {
	s, ok := workload.Find(specs, load)
	if !ok || len(t.Words) < 2 {
		return ""
	}
	words := append([]string{load}, t.Words[1:]...)
	if t.Flags != nil {
		words, _ = Typed{words, t.Flags}.as(s, specs)
	}
	if words == nil || strings.HasPrefix(s.Command.Arguments, "URL") && argumentOf(load, words[1:], specs) == "" {
		return ""
	}
	return line(words, specs)
}

// either lists the commands that are not empty.
func either(hints ...string) string {
	return strings.Join(slices.DeleteFunc(hints, func(s string) bool { return s == "" }), ", or ")
}

// nearTool returns the tool or server whose name a misspelt one resembles; "" if none does.
func nearTool(name string) string {
	const short = 5 // of too many words a shorter one is a misspelling
	var known []string
	for _, t := range guesses() {
		known = append(known, slices.DeleteFunc(slices.Clone(t.names), func(n string) bool { return len(n) < short })...)
	}
	if len(name) < short {
		return ""
	}
	return nearest.Of(name, known)
}

// jobFile returns the first argument that is a job file of fio; "" if none is.
func jobFile(args []string) string {
	i := slices.IndexFunc(args, func(a string) bool { return strings.HasSuffix(a, ".fio") })
	if i < 0 {
		return ""
	}
	return args[i]
}

// argumentOf returns the first argument that most likely is one of a workload; "" if there is none.
func argumentOf(load string, args []string, specs []workload.Spec) string {
	i := slices.IndexFunc(args, func(a string) bool {
		s, ok := takes(a, specs)
		return ok && s == load
	})
	if i < 0 {
		return ""
	}
	return args[i]
}

// exec returns the command line that runs a command and reads its output; "" without a command.
func exec(command, parse string) string {
	if command == "" {
		return ""
	}
	quoted := "'" + command + "'"
	if strings.ContainsRune(command, '\'') {
		quoted = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(command) + `"`
	}
	return "plimsoll run exec " + quoted + " --parse " + parse
}
