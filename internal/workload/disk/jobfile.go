package disk

import (
	"bufio"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// isJobFile reports whether an argument is meant as a job file of fio.
func isJobFile(arg string) bool {
	return slices.Contains([]string{".fio", ".job"}, strings.ToLower(filepath.Ext(arg)))
}

// section is one job of a job file.
type section struct {
	name    string
	line    int
	options map[string]option
	after   bool // stonewall: it begins once those before it have ended
}

type option struct {
	value string
	line  int
}

// parseJobs returns the sections of a job file, each with the options of the [global] sections before it. Syntax as in
// "JOB FILE FORMAT" of fio(1).
func parseJobs(name, text string) ([]section, error) {
	var out []section
	global := map[string]option{}
	into := global
	in := bufio.NewScanner(strings.NewReader(text))
	for at := 1; in.Scan(); at++ {
		line := strings.TrimSpace(in.Text())
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			title := strings.TrimSpace(line[1 : len(line)-1])
			if strings.EqualFold(title, "global") {
				into = global
				continue
			}
			into = maps.Clone(global)
			out = append(out, section{name: title, line: at, options: into})
		default:
			key, value, _ := strings.Cut(line, "=")
			key = strings.ToLower(strings.TrimSpace(key))
			if strings.HasPrefix(key, "include ") || strings.Contains(value, "${") {
				return nil, unsupported(name, key, at)
			}
			value = strings.TrimSpace(value)
			if key == "buffered" { // the opposite of direct
				key, value = "direct", map[bool]string{true: "1", false: "0"}[value == "0"]
			}
			into[canonicalOption(key)] = option{value, at}
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no job\nhint: a job file of fio has a [section] for each job", name)
	}
	for i := range out {
		for _, wall := range []string{"stonewall", "wait_for_previous"} {
			if o, ok := out[i].options[wall]; ok && o.value != "0" {
				out[i].after = true
			}
		}
	}
	return out, nil
}

// canonicalOption returns the name of an option that has several.
func canonicalOption(key string) string {
	other := map[string]string{"readwrite": "rw", "blocksize": "bs", "filesize": "size"}
	if name, ok := other[key]; ok {
		return name
	}
	return key
}

// harmless are options that change how fio reports or prepares, what is always so here, or what a run here repeats.
func harmless() []string {
	return []string{"name", "description", "group_reporting", "new_group", "thread", "stonewall", "wait_for_previous",
		"time_based", "invalidate", "randrepeat", "allrandrepeat", "norandommap", "random_generator", "randseed",
		"refill_buffers", "scramble_buffers", "overwrite", "unlink", "unlink_each_loop", "fallocate", "create_serialize",
		"create_fsync", "lat_percentiles", "clat_percentiles", "slat_percentiles", "percentile_list", "write_bw_log",
		"write_lat_log", "write_iops_log", "log_avg_msec", "log_hist_msec", "registerfiles", "fixedbufs", "kb_base",
		"unit_base", "exitall", "disk_util", "rate_process"}
}

// unsupported returns the error for what a job file asks for and disk cannot do.
func unsupported(file, what string, line int) error {
	return fmt.Errorf("%s:%d: disk has no %s\nhint: plimsoll run exec 'fio %s --output-format=json' --parse fio runs "+
		"fio itself", file, line, what, file)
}

// wrong returns the error for a value that is not what its option takes.
func wrong(file, key string, o option, want string) error {
	return fmt.Errorf("%s:%d: %s=%s is not a %s", file, o.line, key, o.value, want)
}

// settings translates a job to parameters, with the defaults of fio, and its times in seconds: how long it runs and
// warms up; 0: not stated.
func (s section) settings(file string) (set map[string]string, runs, warms float64, err error) {
	set = map[string]string{paramRW: rwRead, paramBlock: "4k", record.ParamDepth: "1", record.ParamJobs: "1",
		paramDirect: "false", paramEngine: engineThreads}
	jobs := 1.0
	if o, ok := s.options["numjobs"]; ok {
		if jobs, err = strconv.ParseFloat(o.value, 64); err != nil {
			return nil, 0, 0, wrong(file, "numjobs", o, "number")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.options)) {
		o := s.options[key]
		direct := map[string]string{"bs": paramBlock, "size": paramSize, "iodepth": record.ParamDepth,
			"numjobs": record.ParamJobs, "fsync": paramFsync, "fdatasync": paramFdatasync, "rwmixread": paramMix}
		switch {
		case direct[key] != "":
			if strings.ContainsAny(o.value, ",%:-") {
				return nil, 0, 0, unsupported(file, key+"="+o.value, o.line)
			}
			set[direct[key]] = o.value
			if key == "bs" || key == "size" {
				set[direct[key]] = fioSize(o.value)
			}
		case key == "rw":
			if !slices.Contains([]string{rwRead, rwWrite, rwRandRead, rwRandWrite, rwMixed, rwRandMixed, "readwrite"}, o.value) {
				return nil, 0, 0, unsupported(file, "rw="+o.value, o.line)
			}
			set[paramRW] = strings.Replace(o.value, "readwrite", rwMixed, 1)
		case key == "rwmixwrite":
			n, err := strconv.Atoi(o.value)
			if err != nil {
				return nil, 0, 0, wrong(file, key, o, "number")
			}
			set[paramMix] = strconv.Itoa(100 - n)
		case key == "direct":
			set[paramDirect] = strconv.FormatBool(o.value != "0")
		case key == "ioengine":
			switch o.value {
			case "io_uring", "libaio":
				set[paramEngine] = engineAuto
			case "psync", "sync", "pvsync", "pvsync2", "vsync":
			default:
				return nil, 0, 0, unsupported(file, "ioengine="+o.value, o.line)
			}
		case key == "directory":
			set[paramPath] = o.value
		case key == "filename":
			if strings.ContainsRune(o.value, ':') {
				return nil, 0, 0, unsupported(file, "list of files", o.line)
			}
		case key == "rate_iops", key == "rate":
			text, err := scaled(o.value, jobs)
			if err != nil || strings.ContainsRune(o.value, ',') {
				return nil, 0, 0, unsupported(file, key+"="+o.value, o.line)
			}
			set[map[string]string{"rate_iops": record.ParamRate, "rate": paramBandwidth}[key]] = text
			if key == "rate_iops" && s.options["rate_process"].value != "poisson" {
				set[record.ParamArrivals] = "uniform"
			}
		case key == "runtime", key == "ramp_time":
			t, err := fioSeconds(o.value)
			if err != nil {
				return nil, 0, 0, wrong(file, key, o, "time")
			}
			if key == "runtime" {
				runs = t
			} else {
				warms = t
			}
		case slices.Contains(harmless(), key):
		default:
			return nil, 0, 0, unsupported(file, key, o.line)
		}
	}
	if set[paramEngine] == engineThreads {
		set[record.ParamDepth] = "1" // as fio: a synchronous engine has one operation in flight
	}
	if o, ok := s.options["filename"]; ok {
		s.place(o.value, set)
	}
	if path := set[paramPath]; path != "" {
		if set[paramPath], err = filepath.Abs(path); err != nil {
			return nil, 0, 0, err
		}
	}
	return set, runs, warms, nil
}

// place sets where the data of a filename lie: on the device, or in the directory of the file, which stays untouched:
// disk makes one of its own beside it, for all of the job's threads as in fio.
func (s section) place(name string, set map[string]string) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(set[paramPath], name)
	}
	if strings.HasPrefix(name, "/dev/") {
		set[paramPath] = name
		return
	}
	set[paramPath] = filepath.Dir(name)
	set[paramLayout] = layoutShared
}

// fioSize returns a size of fio in our words: its units are powers of two, with or without "b" or "ib".
func fioSize(text string) string {
	text = strings.ToLower(text)
	text = strings.TrimSuffix(strings.TrimSuffix(text, "b"), "i")
	if unit := strings.TrimLeft(text, "0123456789."); unit != "" && strings.Contains("kmgt", unit) {
		return strings.TrimSuffix(text, unit) + strings.ToUpper(unit) + "iB"
	}
	return text
}

// scaled multiplies the rate of each of a job's threads.
func scaled(value string, jobs float64) (string, error) {
	n, err := record.ParseSize(fioSize(value))
	if err != nil {
		return "", err
	}
	return strconv.FormatFloat(float64(n)*jobs, 'f', -1, 64), nil
}

// fioSeconds parses a time of fio, which is in seconds without a unit.
func fioSeconds(text string) (float64, error) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, nil
	}
	return record.ParseDuration(text)
}

// takeJobs returns the jobs of a job file.
func takeJobs(file, text string) (workload.Taken, error) {
	sections, err := parseJobs(file, text)
	if err != nil {
		return workload.Taken{}, err
	}
	out := workload.Taken{Chief: paramRW}
	for i, s := range sections {
		set, runs, warms, err := s.settings(file)
		if err != nil {
			return workload.Taken{}, err
		}
		if i > 0 && (runs != out.DurationS || warms != out.WarmupS) {
			return workload.Taken{}, fmt.Errorf("%s:%d: [%s] has another runtime or ramp_time than [%s], and one run here "+
				"has one\nhint: one file for each", file, s.line, s.name, sections[0].name)
		}
		out.DurationS, out.WarmupS = runs, warms
		name := s.name
		for n := 2; slices.ContainsFunc(out.Jobs, func(j workload.Job) bool { return j.Name == name }); n++ {
			name = fmt.Sprintf("%s-%d", s.name, n)
		}
		out.Jobs = append(out.Jobs, workload.Job{Name: name, Set: set})
	}
	if i := slices.IndexFunc(sections[1:], func(s section) bool { return !s.after }); i >= 0 {
		out.Aside = fmt.Sprintf("%s: fio runs [%s] at once with the jobs before it, for want of a stonewall; here each job "+
			"runs alone", file, sections[1+i].name)
	}
	return out, nil
}
