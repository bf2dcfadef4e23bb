package invocation

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"
)

// tool is a program or a kind of server that a newcomer names where a workload belongs.
type tool struct {
	names  []string
	parse  string // the format of --parse that reads its output; "": none
	sample string // its arguments, for one who gave none
	also   string // the workload that does its work, with arguments; "": none does
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
		{names: []string{"wrk"}, parse: "wrk", sample: "wrk -t2 -c64 -d10s URL", also: http},
		{names: []string{"k6"}, parse: "k6", sample: "k6 run script.js", also: http},
		{names: []string{"oha"}, parse: "oha", sample: "oha -z 10s --output-format json URL", also: http},
		{names: []string{"vegeta", "wrk2", "hey", "ab", "h2load", "bombardier", "siege", "locust", "jmeter", "nginx",
			"apache",
			"httpd", "caddy", "node", "web", "https", "api"}, also: http},
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
		{names: []string{"hyperfine", "time", "perf", "command", "cmd"}, also: "plimsoll run exec 'COMMAND' 'OTHER COMMAND'"},
		{names: []string{"go"}, parse: "go --unit ns/op", sample: "go test -run '^$' -bench ."},
		{names: []string{"jmh"}, parse: "jmh", sample: "java -jar benchmarks.jar -rf json -rff /dev/stdout"},
		{names: []string{"io", "ssd", "nvme", "storage", "iops", "dd", "bonnie++"}, also: disk},
		{names: []string{"cpu"}, parse: "sysbench", sample: "sysbench cpu --time=10 run", also: "plimsoll run aes-gcm"},
		{names: []string{"ram", "mem", "stream"}, also: "plimsoll run memory"},
	}
}

// guess returns the command that measures what a newcomer has named, with its arguments if any were given.
func guess(args []string) (hint string, ok bool) {
	name := strings.ToLower(filepath.Base(args[0]))
	i := slices.IndexFunc(guesses(), func(t tool) bool { return slices.Contains(t.names, name) })
	if i < 0 || strings.ContainsRune(args[0], '/') {
		return "", false
	}
	t := guesses()[i]
	if job := jobFile(args[1:]); t.parse == "fio" && job != "" {
		return "plimsoll run disk " + shellquote.Join(job), true
	}
	if len(args) > 1 && t.parse != "" && t.names[0] == name {
		return exec(shellquote.Join(args...), t.parse), true
	}
	if url := urlOf(args[1:]); url != "" && t.parse == "" {
		return strings.Replace(t.also, "URL", shellquote.Join(url), 1), true
	}
	return strings.Join(slices.DeleteFunc([]string{t.also, exec(t.sample, t.parse)},
		func(s string) bool { return s == "" }), ", or "), true
}

// jobFile returns the first argument that is a job file of fio; "" if none is.
func jobFile(args []string) string {
	i := slices.IndexFunc(args, func(a string) bool { return strings.HasSuffix(a, ".fio") })
	if i < 0 {
		return ""
	}
	return args[i]
}

// urlOf returns the first URL among arguments; "" if there is none.
func urlOf(args []string) string {
	i := slices.IndexFunc(args, func(a string) bool {
		s, ok := takes(a)
		return ok && s == "http"
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
