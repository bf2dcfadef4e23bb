package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// means recognises job files, directories and devices.
func means(arg string) workload.Likelihood {
	if strings.HasSuffix(arg, ".fio") {
		return workload.Certain
	}
	if info, err := os.Stat(arg); err == nil && (info.IsDir() || info.Mode()&os.ModeDevice != 0) {
		return workload.Likely
	}
	return workload.Unlikely
}

// command is the way to type a load of one's own disk; the further flags are fio's.
func command() workload.Command {
	return workload.Command{
		Arguments: "DIRECTORY… | JOBFILE.fio",
		Take:      take,
		Means:     means,
		Flags: []workload.Flag{
			{Name: "bs", Param: paramBlock}, {Name: "iodepth", Param: record.ParamDepth},
			{Name: "numjobs", Param: record.ParamJobs},
			{Name: "readwrite", Param: paramRW}, {Name: "rwmixread", Param: paramMix}, {Name: "directory", Param: paramPath},
		},
		Groups: []workload.Group{
			{Title: "load", Params: []string{
				"rw", "block", "depth", "jobs", "clients", "rate", "arrivals", "mix", "bandwidth", "pacing"}},
			{Title: "files and durability", Params: []string{
				"path", "size", "layout", "fsync", "fdatasync", "destroy"}},
			{Title: "I/O engine", Params: []string{"engine", "direct", "batch"}},
		},
		Peers: []workload.Peer{
			{Flags: []string{"filename"}, Use: "plimsoll run disk DIRECTORY makes files of its own there"},
			{Flags: []string{"ioengine"}, Use: "--engine ring is io_uring, --engine threads a thread per operation in flight"},
			{Flags: []string{"blocksize"}, Use: "--bs SIZE, or --block SIZE", As: "--bs {value}"},
			{Flags: []string{"filesize"}, Use: "--size SIZE, of each job's file", As: "--size {value}"},
			{Flags: []string{"time_based", "time-based"}, As: "-",
				Use: "--for 10s: a run lasts for a time, and traverses its files repeatedly"},
			{Flags: []string{"loops"},
				Use: "--for 10s: a run lasts for a time, and traverses its files repeatedly"},
			{Flags: []string{"rate_iops", "rate-iops"}, Use: "--rate N makes an open loop of N operations per second",
				As: "--rate {value}"},
			{Flags: []string{"group_reporting", "group-reporting"}, As: "-",
				Use: "leave it out: plimsoll show FILE --json has all results"},
			{Flags: []string{"output-format"}, As: "- {value}",
				Use: "leave it out: plimsoll show FILE --json has all results"},
		},
		Examples: []workload.Example{
			{Command: "run disk /mnt/data --rw randread --block 4k --depth 32",
				Doc: "random reads of files that it makes in a directory"},
			{Command: "run disk /mnt/nvme /mnt/ebs --rw write --block 1M", Doc: "two disks, interleaved"},
			{Command: "run disk my.fio", Doc: "the jobs of a fio job file, one after the other"},
			{Command: "run disk /mnt/data --safe-rate", Doc: "the highest rate that is not throttled"},
		},
	}
}

// mostJobFile bounds a job file, in bytes.
const mostJobFile = 1 << 20

// take returns the settings for directories, several of which are sides, or for a job file of fio.
func take(args []string) (workload.Taken, error) {
	if isJobFile(args[0]) {
		if len(args) > 1 {
			return workload.Taken{}, fmt.Errorf("%s: one job file of fio at a time, got %d arguments\nhint: a file can have "+
				"several jobs", Name, len(args))
		}
		text, err := input.ReadText(args[0], mostJobFile)
		if err != nil {
			return workload.Taken{}, input.Wrap(fmt.Errorf("reading the job file: %w", err))
		}
		return takeJobs(args[0], string(text))
	}
	paths := make([]string, len(args))
	for i, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			return workload.Taken{}, fmt.Errorf("%s: the directory %s: %w", Name, arg, err)
		}
		paths[i] = path
	}
	if len(paths) > 1 {
		return workload.Taken{Vary: paramPath, Values: paths}, nil
	}
	return workload.Taken{Set: map[string]string{paramPath: paths[0]}}, nil
}
