package execload

import (
	"plimsoll/internal/convert"
	"plimsoll/internal/record"
)

// scratchName is the name that stands for the trial's own directory in a command, or in a value that it takes.
const scratchName = "scratch"

// presetNone is the value of preset for a command of the user's own.
const presetNone = "none"

// presets are well-known tools that do what a workload of ours does, as a cross-check of it.
func presets() []record.Preset {
	return []record.Preset{{
		Name: convert.Fio,
		Doc:  "the job of the workload disk by fio: rw, block, depth, jobs, size, path, seconds, ramp, engine, options",
		Set: map[string]string{
			// kb_base=1000 makes fio's MiB what everybody's is; the rest is what disk does: data that is there before the load,
			// repeats among random places, latency from the submission, and threads instead of processes.
			paramCommand: "fio --name=job --kb_base=1000 --rw={rw} --bs={block} --iodepth={depth} --numjobs={jobs} --size={size} '--directory={path}'" +
				" --ioengine={engine} --direct=1 --time_based --runtime={seconds}s --ramp_time={ramp}s --thread --group_reporting --overwrite=1 --unlink=1" +
				" --randrepeat=0 --norandommap --lat_percentiles=1 --clat_percentiles=0 --output-format=json+ {options}",
			paramParse: convert.Fio,
			"rw":       "write", "block": "16KiB", "depth": "128", "jobs": "4", "size": "256MiB", "path": "{" + scratchName + "}",
			"seconds": "10", "ramp": "1", "engine": "io_uring", "options": "--registerfiles=1 --fixedbufs=1",
		},
	}, {
		Name: convert.Pgbench,
		Doc:  "the transactions of the workload pgbench by PostgreSQL's own, on a server that is there and that pgbench -i has filled: dsn, script, protocol, connections, threads, seconds, options",
		Set: map[string]string{
			paramCommand: "pgbench --no-vacuum --protocol={protocol} --builtin={script} --client={connections} --jobs={threads} --time={seconds} --report-per-command {options} '{dsn}'",
			paramParse:   convert.Pgbench,
			"dsn":        "", "script": "tpcb-like", "protocol": "prepared", "connections": "16", "threads": "16", "seconds": "10", "options": "",
		},
	}}
}
