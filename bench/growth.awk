# growth.awk -v shape=cells|runs|sweeps -v values=N -v seed=N: N values of two machines for plimsoll import --format csv.
#   cells:  a cell for each 100 values: 10 runs per side of 5 metrics. Workloads x modes x clients x sizes
#   runs:   a cell for each 100 values: 50 runs per side of one metric
#   sweeps: a replicate for each 200 values: a sweep of 10 rates with latencies, of 10 numbers of clients, and of 10 of CPUs
function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
function row(workload, size, mode, load, kind, metric, value, unit) {
	printf "%s,%s,%d,%s,%s,%s,%.6g,%s,%s,%s\n", machine, workload, replicate, load, kind, metric, value, unit, size, mode
}
# usl is the capacity of n workers, of which each slows the others down.
function usl(n) { return n / (1 + .03 * (n - 1) + .0002 * n * (n - 1)) }

function cells(n,    c, w, m, s, clients, rate, work, size, mode) {
	for (c = 0; c < n; c++) {
		s = c % 10; clients = 2 ^ (int(c / 10) % 10); m = int(c / 100) % 10; w = int(c / 1000)
		rate = side * 1000 * (1 + w) * (1 + .1 * m) * (1 - .03 * s) * usl(clients) * exp(.02 * normal())
		work = "work" w; size = 2 ^ (10 + s); mode = "mode" m
		row(work, size, mode, clients, "clients", "throughput", rate, "op/s")
		if (shape == "runs") continue
		row(work, size, mode, clients, "clients", "latency_p50", clients / rate * .9, "s")
		row(work, size, mode, clients, "clients", "latency_p99", clients / rate * 3 * exp(.02 * normal()), "s")
		row(work, size, mode, clients, "clients", "cpu", 100 * (1 - exp(-clients / 8)), "%")
		row(work, size, mode, clients, "clients", "allocs", 40 + m + normal(), "allocs")
	}
}
function sweeps(    i, n, wait, noise) {
	for (i = 1; i <= 10; i++) {
		n = 1000 * i; noise = exp(.02 * normal()); wait = noise / (1 - n / (11000 * side)) / 1000
		row("serve", "", "", n, "rate", "throughput", n * (1 + .0005 * normal()), "op/s")
		row("serve", "", "", n, "rate", "latency_p50", wait, "s")
		row("serve", "", "", n, "rate", "latency_p90", 2.3 * wait, "s")
		row("serve", "", "", n, "rate", "latency_p99", 4.6 * wait, "s")
		row("serve", "", "", n, "rate", "latency_p999", 6.9 * wait, "s")
		row("serve", "", "", n, "rate", "cpu", 90 * n / (11000 * side) * noise, "%")
	}
	for (i = 0; i < 10; i++) {
		n = 2 ^ i; noise = exp(.02 * normal())
		row("put", "", "", n, "clients", "throughput", 1000 * side * usl(n) * noise, "op/s")
		row("put", "", "", n, "clients", "latency_p99", n / (1000 * side * usl(n) * noise), "s")
	}
	for (i = 1; i <= 10; i++) {
		n = 3 * i
		row("hash", "", "", n, "cpus", "throughput", 1e9 * side * usl(n) * exp(.02 * normal()), "B/s")
		row("hash", "", "", n, "cpus", "cpu", 100 - 3 * rand(), "%")
	}
}
BEGIN {
	srand(seed)
	print "machine,workload,replicate,load,load_kind,metric,value,unit,param.size,param.mode"
	replicates = shape == "sweeps" ? int(values / 200) : shape == "cells" ? 10 : 50
	for (replicate = 0; replicate < replicates; replicate++)
		for (b = 0; b < 2; b++) {
			machine = b ? "m6gd.8xlarge" : "m5d.8xlarge"
			side = b ? 1.1 : 1
			if (shape == "sweeps") sweeps(); else cells(int(values / 100))
		}
}
