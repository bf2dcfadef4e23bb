package disk

import (
	"fmt"
	"path/filepath"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// command is the way to type a load of one's own disk; the further flags are fio's.
func command() workload.Command {
	return workload.Command{
		Arguments: "DIRECTORY…",
		Take:      take,
		Flags: []workload.Flag{
			{Name: "bs", Param: paramBlock}, {Name: "iodepth", Param: record.ParamDepth},
			{Name: "numjobs", Param: record.ParamJobs},
			{Name: "readwrite", Param: paramRW}, {Name: "rwmixread", Param: paramMix}, {Name: "directory", Param: paramPath},
		},
		Peers: []workload.Peer{
			{Flags: []string{"filename"}, Use: "plimsoll run disk DIRECTORY makes files of its own there"},
			{Flags: []string{"ioengine"}, Use: "--engine ring is io_uring, --engine threads a thread per operation in flight"},
			{Flags: []string{"blocksize"}, Use: "--bs SIZE, or --block SIZE"},
			{Flags: []string{"filesize"}, Use: "--size SIZE, of each job's file"},
			{Flags: []string{"time_based", "time-based", "loops"},
				Use: "--for 10s: a run lasts for a time, and traverses its files repeatedly"},
			{Flags: []string{"rate_iops", "rate-iops"}, Use: "--rate N makes an open loop of so many operations per second"},
			{Flags: []string{"group_reporting", "group-reporting", "output-format"},
				Use: "leave it out: plimsoll show FILE --json has all results"},
		},
		Examples: []workload.Example{
			{Command: "run disk /mnt/data --rw randread --block 4k --depth 32",
				Doc: "random reads of files that it makes in a directory"},
			{Command: "run disk /mnt/nvme /mnt/ebs --rw write --block 1M", Doc: "two disks, their runs by turns"},
			{Command: "run disk /mnt/data --safe-rate", Doc: "the highest rate that is not throttled"},
		},
	}
}

// take returns the settings for directories: several are sides.
func take(args []string) (workload.Taken, error) {
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
