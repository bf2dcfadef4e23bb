package reader

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fioTextLines are the patterns of fio's plain text, of stat.c of fio 3.
type fioTextLines struct {
	asked, version, job, side, latency, percentiles, percentile, cpu, depths, issued, failed, sum, old *regexp.Regexp
}

func newFioTextLines() fioTextLines {
	return fioTextLines{
		asked: regexp.MustCompile(
			`^(.+): \(g=([0-9]+)\): rw=([a-z]+), bs=(.*), ioengine=([^,]+), iodepth=([0-9]+)$`),
		version: regexp.MustCompile(`^fio-([0-9]+\.\S*)$`),
		job:     regexp.MustCompile(`^(.+): \(groupid=([0-9]+), jobs=([0-9]+)\): err= *([0-9]+)(?: \(.*\))?: pid=`),
		side: regexp.MustCompile(`^  (read|write|trim): IOPS=([0-9.]+)([kMG]?), BW=([0-9.]+)([KMGT]?i?B)/s ` +
			`\([0-9.]+[kMGT]?B/s\)\(([0-9.]+)([KMGT]?i?B)/([0-9]+)msec\)`),
		latency:     regexp.MustCompile(`^ +(clat|lat|sync) \(([num]?sec)\): min=.*, avg= *([0-9.]+)([kMG]?), stdev=`),
		percentiles: regexp.MustCompile(`^ +(clat|lat|slat|sync) percentiles \(([num]?sec)\):$`),
		percentile:  regexp.MustCompile(`([0-9.]+)th=\[ *([0-9.]+)\]`),
		cpu:         regexp.MustCompile(`^  cpu +: usr=([0-9.]+)%, sys=([0-9.]+)%`),
		depths:      regexp.MustCompile(`^  IO depths +: (.*)$`),
		issued:      regexp.MustCompile(`^ +issued rwts?: total=([0-9]+),([0-9]+),([0-9]+),(?:([0-9]+) )?`),
		failed:      regexp.MustCompile(`^ +errors +: total=([0-9]+), first_error=`),
		sum:         regexp.MustCompile(`^ +(READ|WRITE): bw=.*, io=([0-9.]+)([KMGT]?i?B) \(`),
		old:         regexp.MustCompile(`^  (?:read |write): io=[0-9.]+[KMGT]?B, bw=`),
	}
}

// isFioText reports whether a file has fio's plain text.
func isFioText(head []byte) bool {
	return regexp.MustCompile(`(?m)^.+: \(groupid=[0-9]+, jobs=[0-9]+\): err=`).Match(head)
}

// fioTextRun is one run of fio as text.
type fioTextRun struct {
	FioOutput
	asked []fioAsked
	moved map[string]float64 // by READ and WRITE, what all jobs moved
}

// fioAsked is what the lines at the top state of a job, which may have several copies.
type fioAsked struct{ name, rw, bs, engine, depth string }

// fioTextReader parses lines into runs.
type fioTextReader struct {
	lines fioTextLines
	runs  []fioTextRun
	into  map[string]float64 // of the percentiles that follow
	unit  float64            // s, of these
	old   bool
}

// readFioText parses fio's plain text. A run begins with the lines that name its jobs.
func readFioText(out []byte, b Bounds) ([]FioOutput, error) {
	r := fioTextReader{lines: newFioTextLines()}
	err := b.scan(out, `^  (?:read|write|trim) *:|^ +\|.*th=\[|IOPS=|issued r`, r.line)
	if err != nil {
		return nil, err
	}
	if r.old {
		return nil, errors.New("the plain text of fio 2 is not read\nhint: fio --output-format=json+; the text of fio 3 " +
			"is read")
	}
	var runs []FioOutput
	for _, run := range r.runs {
		if len(run.Jobs) == 0 {
			continue
		}
		o, err := run.output()
		if err != nil {
			return nil, err
		}
		if len(o.Sides()) > 0 && slices.ContainsFunc(o.Jobs, func(j fioJob) bool { return j.Trim.Total > 0 }) {
			b.leave(trimsOfFio)
		}
		runs = append(runs, o)
	}
	return some(runs, nil, out, "results of fio", "fio --output-format=json+, or its plain text")
}

func (r *fioTextReader) last() *fioTextRun { return &r.runs[len(r.runs)-1] }

// line takes a line; false if it is none that is read.
func (r *fioTextReader) line(line string) bool {
	r.old = r.old || r.lines.old.MatchString(line)
	if m := r.lines.asked.FindStringSubmatch(line); m != nil {
		if len(r.runs) == 0 || len(r.last().Jobs) > 0 {
			r.runs = append(r.runs, fioTextRun{})
		}
		r.last().asked = append(r.last().asked, fioAsked{m[1], m[3], fioBlock(m[3], m[4]), m[5], m[6]})
		return true
	}
	if m := r.lines.job.FindStringSubmatch(line); m != nil {
		if len(r.runs) == 0 {
			r.runs = append(r.runs, fioTextRun{})
		}
		r.last().job(m)
		return true
	}
	if len(r.runs) == 0 {
		return false
	}
	if m := r.lines.version.FindStringSubmatch(line); m != nil {
		r.last().Version = "fio-" + m[1]
		return true
	}
	return len(r.last().Jobs) > 0 && r.figures(line)
}

// job begins the report of a job, or of several together.
func (run *fioTextRun) job(m []string) {
	j := fioJob{Name: m[1], Options: map[string]string{"numjobs": m[3]}}
	j.Group, _ = strconv.Atoi(m[2])
	j.Error, _ = strconv.Atoi(m[4])
	run.Jobs = append(run.Jobs, j)
}

// figures takes a line below a job's.
func (r *fioTextReader) figures(line string) bool {
	run := r.last()
	j := &run.Jobs[len(run.Jobs)-1]
	if m := r.lines.side.FindStringSubmatch(line); m != nil {
		run.side(j, m)
		r.into = nil
	} else if m := r.lines.latency.FindStringSubmatch(line); m != nil {
		if to := run.latency(j, m[1]); to != nil {
			to.Mean = stated(m[3]) * fioThousands(m[4]) * fioSeconds(m[2]) * 1e9
		}
	} else if m := r.lines.percentiles.FindStringSubmatch(line); m != nil {
		r.into, r.unit = map[string]float64{}, fioSeconds(m[2])
		if to := run.latency(j, m[1]); to != nil {
			to.Percentile = r.into
		}
	} else if strings.HasPrefix(strings.TrimLeft(line, " "), "|") && r.into != nil {
		for _, m := range r.lines.percentile.FindAllStringSubmatch(line, -1) {
			r.into[strconv.FormatFloat(stated(m[1]), 'f', 6, 64)] = stated(m[2]) * r.unit * 1e9
		}
	} else if m := r.lines.cpu.FindStringSubmatch(line); m != nil {
		j.User, j.System = stated(m[1]), stated(m[2])
	} else if m := r.lines.depths.FindStringSubmatch(line); m != nil {
		j.Depths = map[string]float64{}
		for _, pair := range strings.Split(m[1], ", ") {
			if at := strings.LastIndexByte(pair, '='); at > 0 {
				j.Depths[pair[:at]] = stated(strings.TrimSuffix(pair[at+1:], "%"))
			}
		}
	} else if m := r.lines.issued.FindStringSubmatch(line); m != nil {
		j.Read.Total, j.Write.Total, j.Trim.Total = stated(m[1]), stated(m[2]), stated(m[3])
		j.Sync.Lat.N = stated(m[4])
	} else if m := r.lines.failed.FindStringSubmatch(line); m != nil {
		j.Errors = stated(m[1])
	} else if m := r.lines.sum.FindStringSubmatch(line); m != nil {
		if run.moved == nil {
			run.moved = map[string]float64{}
		}
		run.moved[m[1]] += inBytes(m[2], m[3])
	} else {
		return false
	}
	return true
}

// side takes the rates of a direction of a job.
func (run *fioTextRun) side(j *fioJob, m []string) {
	to := map[string]*FioSide{"read": &j.Read, "write": &j.Write, "trim": &j.Trim}[m[1]]
	*to = FioSide{IOPS: stated(m[2]) * fioThousands(m[3]), Bytes: inBytes(m[4], m[5]), Moved: inBytes(m[6], m[7]),
		Runtime: stated(m[8])}
	j.Runtime = max(j.Runtime, to.Runtime)
}

// latency returns the latency of a name in the direction that was read last; nil if it is not kept.
func (run *fioTextRun) latency(j *fioJob, name string) *fioLatency {
	side := &j.Read
	for _, s := range []*FioSide{&j.Write, &j.Trim} {
		if s.Runtime > 0 {
			side = s
		}
	}
	switch name {
	case "clat":
		return &side.Complete
	case "lat":
		return &side.Lat
	case "sync":
		return &j.Sync.Lat
	}
	return nil
}

// fioDigits is by how much a figure with three digits may differ from what it stands for.
const fioDigits = 0.006

// output returns a run as its JSON would state it. The error names figures that contradict each other.
func (run fioTextRun) output() (FioOutput, error) {
	o := run.FioOutput
	moved := map[string]float64{}
	for i := range o.Jobs {
		j := &o.Jobs[i]
		run.options(j)
		for name, s := range map[string]*FioSide{"READ": &j.Read, "WRITE": &j.Write} {
			printed := Rated{Of: "reads or writes of " + Brief(j.Name), Rate: s.IOPS, Count: s.Total,
				Seconds: s.Runtime / 1000, Slack: rounded(s.Runtime, 1, fioDigits) + 1/max(1, s.IOPS)}
			if err := printed.Contradiction(); err != nil {
				return o, err
			}
			if s.Total > 0 && s.Runtime > 0 {
				s.IOPS = s.Total / s.Runtime * 1000 // which is printed with three digits
			}
			moved[name] += s.Moved
		}
		if fioCount(j.Options["numjobs"]) > 1 {
			j.User, j.System = 0, 0 // of the time of all jobs, which is not stated
		}
	}
	for name, sum := range run.moved {
		all := Meant{Of: "what all jobs " + strings.ToLower(name), Stated: sum, Follows: moved[name], Unit: "B",
			Slack: 2 * fioDigits}
		if moved[name] == 0 {
			continue
		}
		if err := all.Contradiction(); err != nil {
			return o, fmt.Errorf("%s of fio: its jobs moved %.4g B, and the sum at the end is %.4g B\nhint: a part of "+
				"the output is missing, or of another run", name, moved[name], sum)
		}
	}
	return o, o.check()
}

// options sets those of a job that the lines at the top state: of all jobs, if they are reported as one.
func (run fioTextRun) options(j *fioJob) {
	together := len(run.Jobs) == 1
	depths := map[string]bool{}
	for _, a := range run.asked {
		if !together && a.name != j.Name {
			continue
		}
		for name, v := range map[string]string{"rw": a.rw, "bs": a.bs, "ioengine": a.engine} {
			had := j.Options[name]
			switch {
			case v == "" || slices.Contains(strings.Split(had, "+"), v):
			case had == "":
				j.Options[name] = v
			default:
				j.Options[name] = had + "+" + v
			}
		}
		depths[a.depth] = true
		j.Options["iodepth"] = a.depth
	}
	j.unknown = len(depths) != 1 // of unlike jobs together, or the lines are missing
}

// fioBlock returns the sizes of blocks of the directions of rw, as a user gives them: 4k of "(R) 4096B-4096B, …".
func fioBlock(rw, printed string) string {
	size := regexp.MustCompile(`\(([RWT])\) ([0-9.]+)([KMG]?i?B)-([0-9.]+)([KMG]?i?B)`)
	var out []string
	for _, m := range size.FindAllStringSubmatch(printed, -1) {
		of := map[string]string{"R": "read", "W": "write", "T": "trim"}[m[1]]
		if !strings.Contains(rw, of) && !(strings.HasSuffix(rw, "rw") && m[1] != "T") {
			continue
		}
		least, most := fioSize(m[2], m[3]), fioSize(m[4], m[5])
		if least != most {
			least += "-" + most
		}
		if !slices.Contains(out, least) {
			out = append(out, least)
		}
	}
	return strings.Join(out, ",")
}

// fioSize returns a number of bytes in the largest unit that gives a whole number.
func fioSize(printed, unit string) string {
	n := inBytes(printed, unit)
	for _, u := range []struct {
		bytes float64
		name  string
	}{{1 << 30, "g"}, {1 << 20, "m"}, {1 << 10, "k"}} {
		if whole := n / u.bytes; whole >= 1 && whole == float64(int64(whole)) {
			return strconv.FormatFloat(whole, 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// fioThousands returns the factor of a prefix of a number.
func fioThousands(prefix string) float64 {
	return map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[prefix]
}

// fioSeconds returns a unit of time, s.
func fioSeconds(unit string) float64 {
	return map[string]float64{"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1}[unit]
}
