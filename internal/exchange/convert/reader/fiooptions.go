package reader

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// fioOption is an option by which loads of one depth are unlike.
type fioOption struct {
	param string   // of the cell
	names []string // of fio, the one that it prints first
	usual string   // what it is if nobody sets it, in all of its words, the first by "|"; "": nothing
}

// fioOptions are those that are parameters if a job sets them to something else than fio does by itself, which
// fio --cmdhelp prints. Those that change what is in flight (iodepth, numjobs) are the load.
func fioOptions() []fioOption {
	same := func(usual string, names ...string) (out []fioOption) {
		for _, name := range names {
			out = append(out, fioOption{name, []string{name}, usual})
		}
		return out
	}
	return slices.Concat(
		same("0", "thinktime", "thinktime_spin", "thinktime_iotime", "rate_iops", "rate_iops_min",
			"rate_ignore_thinktime", "flow", "serialize_overlap", "norandommap", "end_fsync", "fsync_on_close",
			"atomic", "offset_increment", "zero_buffers", "refill_buffers", "hipri", "fixedbufs", "registerfiles",
			"sqthread_poll", "bs_is_seq_rand", "nonvectored", "uncached", "latency_target", "latency_window", "latency_run",
			"max_latency", "verify", "verify_backlog", "verify_async", "zonesize", "zonerange", "zoneskip", "max_open_zones",
			"job_max_open_zones", "cmdprio_percentage"),
		same("1", "thinktime_blocks", "invalidate", "buffered"),
		same("", "sync_file_range", "bssplit", "filesize", "openfiles", "buffer_compress_percentage", "dedupe_percentage",
			"iodepth_batch_complete_max", "write_hint"),
		[]fioOption{
			{"rate_bytes", []string{"rate"}, "0"}, // rate is operations/s everywhere else
			{"thinktime_blocks_type", []string{"thinktime_blocks_type"}, "complete"},
			{"iodepth_batch", []string{"iodepth_batch", "iodepth_batch_submit"}, "1"},
			{"iodepth_batch_complete_min", []string{"iodepth_batch_complete_min", "iodepth_batch_complete"}, "1"},
			{"io_submit_mode", []string{"io_submit_mode"}, "inline"},
			{"rate_process", []string{"rate_process"}, "linear"},
			{"rate_cycle", []string{"rate_cycle", "ratecycle"}, "1000"},
			{"bsrange", []string{"bsrange", "blocksize_range"}, ""},
			{"blockalign", []string{"blockalign", "ba"}, ""},
			{"bs_unaligned", []string{"bs_unaligned", "blocksize_unaligned"}, "0"},
			{"random_distribution", []string{"random_distribution"}, "random"},
			{"percentage_random", []string{"percentage_random"}, "100|100,100,100"},
			{"sync", []string{"sync"}, "none|0"},
			{"offset", []string{"offset", "fileoffset"}, "0"},
			{"nrfiles", []string{"nrfiles", "nr_files"}, "1"},
			{"rate_min", []string{"rate_min", "ratemin"}, "0"},
			{"rwmixwrite", []string{"rwmixwrite"}, "50"},
			{"io_size", []string{"io_size", "io_limit"}, ""},
			{"zonemode", []string{"zonemode"}, "none"},
			{"latency_percentile", []string{"latency_percentile"}, "100|100.0"},
		})
}

// unusual adds what jobs set to something else than fio does. Those of unlike jobs are joined, with the usual value of
// jobs that set nothing.
func (o FioOutput) unusual(params record.Params) {
	for _, of := range fioOptions() {
		usual := strings.Split(of.usual, "|")
		seen := map[string]bool{}
		for _, j := range o.Jobs {
			v := usual[0]
			for _, name := range of.names {
				if set, ok := o.set(j, name); ok && !slices.Contains(usual, set) {
					v = set
				}
			}
			seen[v] = true
		}
		if values := slices.Sorted(maps.Keys(seen)); len(values) > 1 || values[0] != usual[0] {
			params[of.param] = strings.TrimLeft(strings.Join(values, "+"), "+")
		}
	}
	if low := o.lowDepth(); low != "" {
		params["iodepth_low"] = low
	}
}

// set returns an option that a job or all set; of one without a value it is "1".
func (o FioOutput) set(j fioJob, name string) (string, bool) {
	v, ok := j.Options[name]
	if !ok {
		v, ok = o.Global[name]
	}
	if v = strings.TrimSpace(v); ok && v == "" {
		v = "1"
	}
	return v, ok
}

// lowDepth returns the depth down to which queues drain before they are filled again, if it is not all of their depth.
func (o FioOutput) lowDepth() string {
	for _, j := range o.Jobs {
		if low, ok := o.set(j, "iodepth_low"); ok && low != o.option(j, "iodepth") {
			return low
		}
	}
	return ""
}
