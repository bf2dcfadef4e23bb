package reader

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// isFioText reports whether a file has fio's plain text.
func isFioText(head []byte) bool {
	return AnyLine(`^.+: \(groupid=[0-9]+, jobs=[0-9]+\): err=`)(head)
}

// fioTextRun is one run of fio as text.
type fioTextRun struct {
	FioOutput
	asked []fioAsked
	begun float64            // jobs, processes and threads
	moved map[string]float64 // by READ and WRITE, what all jobs moved
}

// fioAsked is what the lines at the top state of a job, which may have several copies.
type fioAsked struct{ name, rw, bs, engine, depth string }

// fioTextReader parses lines into runs.
type fioTextReader struct {
	runs []fioTextRun
	into map[string]float64 // of the percentiles that follow
	unit float64            // s, of these
	old  bool
}

// readFioText parses fio's plain text. A run begins with the lines that name its jobs.
func readFioText(out []byte, b Bounds) ([]FioOutput, error) {
	r := fioTextReader{}
	old := regexp.MustCompile(`^  (?:read |write): io=[0-9.]+[KMGT]?B, bw=`)
	heads, figures := fioTextHeads(), fioTextFigures()
	err := b.scan(out, `^  (?:read|write|trim|mixed) *:|^ +\|.*th=\[|IOPS=|issued r`, func(line string) bool {
		r.old = r.old || old.MatchString(line)
		return heads.line(&r, line) || len(r.runs) > 0 && len(r.last().Jobs) > 0 && figures.line(&r, line)
	})
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

// job returns the job whose report is being read.
func (r *fioTextReader) job() *fioJob { return &r.last().Jobs[len(r.last().Jobs)-1] }

// fioTextHeads are the lines of stat.c of fio 3 that begin a run, or the report of a job or of several together.
func fioTextHeads() rules[fioTextReader] {
	return rules[fioTextReader]{
		on(`^(.+): \(g=([0-9]+)\): rw=([a-z]+), bs=(.*), ioengine=([^,]+), iodepth=([0-9]+)$`,
			func(r *fioTextReader, m []string) {
				if len(r.runs) == 0 || len(r.last().Jobs) > 0 {
					r.runs = append(r.runs, fioTextRun{})
				}
				r.last().asked = append(r.last().asked, fioAsked{m[1], m[3], fioBlock(m[3], m[4]), m[5], m[6]})
			}),
		on(`^(.+): \(groupid=([0-9]+), jobs=([0-9]+)\): err= *([0-9]+)(?: \(.*\))?: pid=`,
			func(r *fioTextReader, m []string) {
				if len(r.runs) == 0 {
					r.runs = append(r.runs, fioTextRun{})
				}
				j := fioJob{Name: m[1], Options: map[string]string{"numjobs": m[3]}}
				j.Group, _ = strconv.Atoi(m[2])
				j.Error, _ = strconv.Atoi(m[4])
				r.last().Jobs = append(r.last().Jobs, j)
			}),
		try(`^Starting ([0-9]+) (?:process(?:es)?|threads?)(?: and ([0-9]+) (?:process(?:es)?|threads?))?$`,
			func(r *fioTextReader, m []string) bool {
				if len(r.runs) > 0 && len(r.last().Jobs) == 0 {
					r.last().begun += stated(m[1]) + stated(m[2])
				}
				return len(r.runs) > 0
			}),
		try(`^fio-([0-9]+\.\S*)$`, func(r *fioTextReader, m []string) bool {
			if len(r.runs) > 0 {
				r.last().Version = "fio-" + m[1]
			}
			return len(r.runs) > 0
		}),
	}
}

// fioTextFigures are the lines below a job's first.
func fioTextFigures() rules[fioTextReader] {
	percentile := regexp.MustCompile(`([0-9.]+)th=\[ *([0-9.]+)\]`)
	return rules[fioTextReader]{
		on(`^  (read|write|trim|mixed): IOPS=([0-9.]+)([kMG]?), BW=([0-9.]+)([KMGT]?i?B)/s \([0-9.]+[kMGT]?B/s\)`+
			`\(([0-9.]+)([KMGT]?i?B)/([0-9]+)msec\)`, func(r *fioTextReader, m []string) {
			r.last().side(r.job(), m)
			r.into = nil
		}),
		on(`^ +(clat|lat|sync) \(([num]?sec)\): min=.*, avg= *([0-9.]+)([kMG]?), stdev=`,
			func(r *fioTextReader, m []string) {
				if to := r.last().latency(r.job(), m[1]); to != nil {
					to.Mean = stated(m[3]) * fioThousands(m[4]) * fioSeconds(m[2]) * 1e9
				}
			}),
		on(`^ +(clat|lat|slat|sync) percentiles \(([num]?sec)\):$`, func(r *fioTextReader, m []string) {
			r.into, r.unit = map[string]float64{}, fioSeconds(m[2])
			if to := r.last().latency(r.job(), m[1]); to != nil {
				to.Percentile = r.into
			}
		}),
		try(`^ *\|(.*)$`, func(r *fioTextReader, row []string) bool {
			if r.into == nil {
				return false
			}
			for _, m := range percentile.FindAllStringSubmatch(row[1], -1) {
				r.into[strconv.FormatFloat(stated(m[1]), 'f', 6, 64)] = stated(m[2]) * r.unit * 1e9
			}
			return true
		}),
		on(`^  cpu +: usr=([0-9.]+)%, sys=([0-9.]+)%`, func(r *fioTextReader, m []string) {
			r.job().User, r.job().System = stated(m[1]), stated(m[2])
		}),
		on(`^ +latency +: target=([0-9]+), window=[0-9]+, percentile=[0-9.]+%, depth=([0-9]+)$`,
			func(r *fioTextReader, m []string) {
				r.job().Options["latency_target"], r.job().Found = m[1], stated(m[2])
			}),
		on(`^ +steadystate +: attained=(yes|no),`, func(r *fioTextReader, m []string) {
			r.job().Steady.Attained = map[string]json.Number{"yes": "1", "no": "0"}[m[1]]
		}),
		on(`^  IO depths +: (.*)$`, func(r *fioTextReader, m []string) {
			r.job().Depths = map[string]float64{}
			for _, pair := range strings.Split(m[1], ", ") {
				if at := strings.LastIndexByte(pair, '='); at > 0 {
					r.job().Depths[pair[:at]] = stated(strings.TrimSuffix(pair[at+1:], "%"))
				}
			}
		}),
		on(`^ +issued rwts?: total=([0-9]+),([0-9]+),([0-9]+),(?:([0-9]+) )?`, func(r *fioTextReader, m []string) {
			j := r.job()
			j.Read.Total, j.Write.Total, j.Trim.Total = stated(m[1]), stated(m[2]), stated(m[3])
			if j.Mixed.Runtime > 0 && j.Read.Runtime+j.Write.Runtime == 0 {
				j.Mixed.Total, j.Read.Total, j.Write.Total, j.Trim.Total = j.Read.Total+j.Write.Total+j.Trim.Total, 0, 0, 0
			}
			j.Sync.Lat.N = stated(m[4])
		}),
		on(`^ +errors +: total=([0-9]+), first_error=`, func(r *fioTextReader, m []string) {
			r.job().Errors = stated(m[1])
		}),
		on(`^ +(READ|WRITE|MIXED): bw=.*, io=([0-9.]+)([KMGT]?i?B) \(`, func(r *fioTextReader, m []string) {
			if r.last().moved == nil {
				r.last().moved = map[string]float64{}
			}
			r.last().moved[m[1]] += inBytes(m[2], m[3])
		}),
	}
}

// side takes the rates of a direction of a job.
func (run *fioTextRun) side(j *fioJob, m []string) {
	to := map[string]*FioSide{"read": &j.Read, "write": &j.Write, "trim": &j.Trim, "mixed": &j.Mixed}[m[1]]
	*to = FioSide{IOPS: stated(m[2]) * fioThousands(m[3]), Bytes: inBytes(m[4], m[5]), Moved: inBytes(m[6], m[7]),
		Runtime: stated(m[8])}
	j.Runtime = max(j.Runtime, to.Runtime)
}

// latency returns the latency of a name in the direction that was read last; nil if it is not kept.
func (run *fioTextRun) latency(j *fioJob, name string) *fioLatency {
	side := &j.Read
	for _, s := range []*FioSide{&j.Write, &j.Trim, &j.Mixed} {
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
	moved, reported := map[string]float64{}, 0.0
	for i := range o.Jobs {
		j := &o.Jobs[i]
		reported += fioCount(j.Options["numjobs"])
		run.options(j)
		for name, s := range map[string]*FioSide{"READ": &j.Read, "WRITE": &j.Write, "MIXED": &j.Mixed} {
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
	for _, name := range sortedKeys(run.moved) {
		sum := run.moved[name]
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
	switch {
	case reported < run.begun:
		o.broken = fmt.Sprintf("%.0f of %.0f jobs are reported: a part of the output is missing", reported, run.begun)
	case run.begun > 0 && len(run.moved) == 0 && len(o.Sides()) > 0:
		o.broken = "the sum of all jobs at its end is not there: a part of the output is missing"
	}
	o.align()
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
