package main

import "strings"

// topics says which packages make a topic. A name that ends with a slash stands for the packages below it, apart from
// those with a line of their own. A package that was deleted stays, for the sake of --since.
func topics() map[string][]string {
	return map[string][]string{
		"PostgreSQL": {"internal/workload/database/", "internal/workload/database", "internal/workload/pgbench",
			"internal/workload/tpcc", "internal/pgload", "internal/pgscript", "internal/engine/postgres"},
		"Plan and command line": {"cmd/plimsoll", "internal/plan", "internal/invocation", "internal/completion",
			"internal/manual", "internal/input", "internal/list", "internal/nearest", "internal/usage", "internal/build",
			"internal/xdg", "internal/ownplans", "suites", "examples"},
		"Verdicts": {"internal/finding", "internal/finding/compare", "internal/finding/axis",
			"internal/finding/integrity", "internal/finding/instances", "internal/finding/capacity",
			"internal/finding/outcome", "internal/finding/throttling", "internal/judge", "internal/note"},
		"Course of a run": {"internal/agent/", "internal/agent", "internal/run", "internal/load", "internal/process"},
		"Causes": {"internal/finding/explain", "internal/finding/profile", "internal/finding/bottleneck",
			"internal/finding/codepath", "internal/finding/clocks", "internal/category", "internal/issue",
			"internal/engine/perf", "internal/engine/asyncprofiler"},
		"Method": {"internal/stat", "internal/trialset", "internal/loadline", "internal/sequential",
			"internal/estimate", "internal/changepoint"},
		"Import and export": {"internal/convert", "internal/convert/", "internal/export"},
		"Host":              {"internal/host", "internal/host/"},
		"Rigs and checks": {"bench/", "release/", "internal/archtest", "internal/workload/workloadtest",
			"internal/workload/kernel/kerneltest", "internal/engine/enginetest", "internal/explore/exploretest",
			"internal/host/hosttest", "internal/simtest", "internal/plain"},
		"Kafka": {"internal/workload/kafka", "internal/workload/kafka/", "internal/engine/kafka",
			"internal/engine/redpanda", "internal/engine/rdkafka"},
		"Presentation": {"internal/block", "internal/figure", "internal/media/", "internal/render",
			"internal/terms"},
		"HTTP": {"internal/httpload", "internal/workload/web", "internal/workload/web/", "internal/engine/nginx",
			"internal/engine/netty", "internal/engine/embedded", "internal/engine/own", "internal/workload/eventloops"},
		"Session file": {"internal/session", "internal/record", "internal/replace"},
		"Disks":        {"internal/workload/disk", "internal/ring", "internal/finding/storage"},
		"Money": {"internal/finding/cost", "internal/finding/headroom", "internal/catalog", "internal/valuation",
			"internal/forecast"},
		"Sweeps and factors": {"internal/finding/sweep", "internal/finding/factorial", "internal/finding/crossover",
			"internal/finding/answers", "internal/finding/steady"},
		"Frame of workloads and engines": {"internal/workload", "internal/workload/all", "internal/workload/fault",
			"internal/workload/there", "internal/workload/serveruse", "internal/engine", "internal/engine/all",
			"internal/engine/jvm"},
		"Browser and nights": {"internal/site", "internal/site/", "internal/explore", "internal/folder",
			"internal/history", "internal/finding/nights"},
		"Kernels and compile": {"internal/workload/aesgcm", "internal/workload/compile", "internal/workload/erasure",
			"internal/workload/highwayhash", "internal/workload/memory", "internal/workload/memorylatency",
			"internal/workload/kernel", "internal/engine/openssl"},
		"Fleets":           {"internal/hosts", "internal/hostlist", "internal/carry", "internal/setup", "internal/detached"},
		"Porting to arm64": {"internal/port", "internal/port/", "internal/finding/porting"},
		"Selftest":         {"internal/selftest", "internal/selftest/"},
		"Object store":     {"internal/workload/s3", "internal/engine/minio"},
		"Network":          {"internal/workload/network", "internal/netload", "internal/socket"},
		"Energy":           {"internal/finding/energy"},
		"Claims":           {"internal/claims", "internal/articles"},
		"exec":             {"internal/workload/execload"},
		"Secrets":          {"internal/secret"},
	}
}

// topicOf returns the topic of a package. One that no topic lists goes by its top folder: the first, or the first below
// internal.
func topicOf(pkg string) string {
	pkg = withoutRoom(pkg)
	best, topic := "", ""
	for name, rows := range topics() {
		for _, row := range rows {
			if (row == pkg || strings.HasSuffix(row, "/") && strings.HasPrefix(pkg, row)) && len(row) > len(best) {
				best, topic = row, name
			}
		}
	}
	if topic != "" {
		return topic
	}
	folders := strings.SplitN(pkg, "/", 3)
	if folders[0] == "internal" && len(folders) > 1 {
		return "internal/" + folders[1]
	}
	return folders[0]
}

// withoutRoom is a package's path before internal/ had rooms, so that --since can compare with older trees.
func withoutRoom(pkg string) string {
	for _, room := range []string{"base", "record", "machine", "client", "analysis", "exchange", "run", "present",
		"archtest"} {
		if name, ok := strings.CutPrefix(pkg, "internal/"+room+"/"); ok {
			return "internal/" + name
		}
	}
	return pkg
}
