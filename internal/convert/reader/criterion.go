package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Criterion is the format of Criterion.rs: estimates.json of a benchmark's folder, and its text.
const Criterion = "criterion"

// CriterionTool returns the tool. The folder of a benchmark has its name and samples in files of their own.
func CriterionTool() Tool {
	marks := either(
		jsonLike("estimates.json, with `median_abs_dev`", `\{`, "mean", "median_abs_dev", "point_estimate"),
		lineLike("a line `NAME  time:   [1.0 µs 1.1 µs 1.2 µs]`",
			`time: +\[[0-9.]+ [pnuµm]?s [0-9.]+ [pnuµm]?s [0-9.]+ [pnuµm]?s\]`),
	)
	marks.Beside = []string{"benchmark.json", "sample.json"}
	marks.Home = criterionHome
	return Tool{Name: Criterion, Doc: "Criterion.rs: folders such as target/criterion, or the text of cargo bench",
		Read: runsOf(readCriterion), Assumed: record.LoadPoint{Kind: record.Once, Level: 1}, Marks: marks}
}

// criterionRun is one benchmark. Times are in ns.
type criterionRun struct {
	name       string
	time       float64
	failure    float64 // standard error of the time; 0: not stated
	samples    int     // of one process; 0: not stated
	throughput float64 // per iteration, or per second if the text says so
	perSecond  bool
	unit       string // of the throughput: B or op
}

// criterionFiles are the documents of a benchmark's folder: each is one of the three.
type criterionFiles struct {
	Slope, Mean *criterionEstimate
	Directory   string             `json:"directory_name"`
	ID          string             `json:"full_id"`
	Throughput  map[string]float64 `json:"throughput"` // one of Bytes, BytesDecimal, Elements
	Iters       []float64          `json:"iters"`
}

type criterionEstimate struct {
	Point float64 `json:"point_estimate"`
	Error float64 `json:"standard_error"`
}

// readCriterionFiles merges the documents.
func readCriterionFiles(out []byte, b Bounds) (f criterionFiles, err error) {
	if err := sparse(out, b.Items); err != nil {
		return f, err
	}
	in := json.NewDecoder(bytes.NewReader(out))
	for {
		switch err := in.Decode(&f); {
		case errors.Is(err, io.EOF):
			return f, nil
		case err != nil:
			return f, fmt.Errorf("invalid JSON of Criterion: %w, in %s", err, Excerpt(out))
		}
	}
}

// criterionHome returns the folder of a benchmark in that of all of them.
func criterionHome(result []byte) string {
	f, err := readCriterionFiles(result, Limits())
	if err != nil {
		return ""
	}
	return f.Directory
}

// readCriterion reads the benchmarks of an output.
func readCriterion(out []byte, b Bounds) ([]criterionRun, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(out), []byte("{")) {
		return readCriterionText(out, b)
	}
	f, err := readCriterionFiles(out, b)
	switch {
	case err != nil:
		return nil, err
	case f.Mean == nil:
		return nil, fmt.Errorf("no estimates of Criterion in %s\nhint: use estimates.json", Excerpt(out))
	case f.ID == "":
		return nil, errors.New("estimates of Criterion without benchmark.json, which names the benchmark\nhint: keep the " +
			"two in one folder, as cargo bench leaves them")
	}
	of := f.Mean
	if f.Slope != nil {
		of = f.Slope // which cargo bench prints, if the samples are of growing length
	}
	r := criterionRun{name: f.ID, time: of.Point, failure: of.Error, samples: len(f.Iters)}
	for kind, amount := range f.Throughput {
		r.throughput, r.unit = amount, map[bool]string{true: "B", false: "op"}[strings.HasPrefix(kind, "Bytes")]
	}
	return []criterionRun{r}, nil
}

func readCriterionText(out []byte, b Bounds) ([]criterionRun, error) {
	time := regexp.MustCompile(`^(.*?)\s*time: +\[[0-9.]+ [pnuµm]?s ([0-9.]+) ([pnuµm]?s) [0-9.]+ [pnuµm]?s\]$`)
	rate := regexp.MustCompile(`^ +thrpt: +\[[0-9.]+ \S+ ([0-9.]+) ([KMGT]?i?)(B|elem)/s [0-9.]+ \S+\]$`)
	lines, err := b.lines(out)
	if err != nil {
		return nil, err
	}
	var runs []criterionRun
	before := ""
	for line := range lines {
		if m := time.FindStringSubmatch(line); m != nil {
			if m[1] == "" {
				m[1] = before // a long name has a line of its own
			}
			runs = append(runs, criterionRun{name: strings.TrimSpace(m[1]), time: inSeconds(m[2], m[3]) * 1e9})
		} else if m := rate.FindStringSubmatch(line); m != nil && len(runs) > 0 {
			runs[len(runs)-1].stated(m[1], m[2], m[3])
		}
		before = line
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no results of Criterion in %s\nhint: use its folder target/criterion, or what cargo "+
			"bench prints", Excerpt(out))
	}
	return runs, nil
}

// stated sets the throughput that the text states.
func (r *criterionRun) stated(printed, prefix, of string) {
	r.perSecond, r.unit, r.throughput = true, "op", stated(printed)*map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9,
		"T": 1e12}[prefix]
	if of == "B" {
		r.unit, r.throughput = "B", inBytes(printed, strings.Replace(prefix, "K", "k", 1)+"B")
		if strings.HasSuffix(prefix, "i") {
			r.throughput = inBytes(printed, prefix+"B")
		}
	}
}

// Values returns the throughput, if the benchmark states one, and the time of an iteration.
func (r criterionRun) Values() ([]record.Value, error) {
	if !(r.time > 0) || r.time > largest {
		return nil, fmt.Errorf("time of %s is %g ns", Brief(r.name), r.time)
	}
	out := Values{}
	out.add(record.Throughput, r.unit+"/s", record.Higher, r.rate())
	out.add("time", "s", record.Lower, r.time*1e-9)
	if len(out) == 0 {
		return nil, errors.New("a time that is too small")
	}
	return out, nil
}

// rate returns the throughput per second; 0 if there is none.
func (r criterionRun) rate() float64 {
	if r.perSecond {
		return r.throughput
	}
	return r.throughput / (r.time * 1e-9)
}

// Moments returns the spread that gives the standard error stated, which is Criterion's, by resampling.
func (r criterionRun) Moments() map[string]record.Moments {
	share := r.failure / r.time * math.Sqrt(float64(r.samples))
	if r.samples < 2 || !(share > 0) || share > largest {
		return nil
	}
	out := map[string]record.Moments{"time": {N: r.samples, SD: share * r.time * 1e-9, Within: true}}
	if rate := r.rate(); rate > 0 && rate < largest {
		out[record.Throughput] = record.Moments{N: r.samples, SD: share * rate, Within: true}
	}
	return out
}

// Outcomes returns none: a benchmark that fails has no time.
func (r criterionRun) Outcomes() record.LoadUse { return record.LoadUse{} }

// Params returns the name of the benchmark.
func (r criterionRun) Params() record.Params { return record.Params{"benchmark": r.name} }

// Load returns ErrNoLoad: the load is the benchmark's own.
func (r criterionRun) Load() (record.LoadPoint, error) { return record.LoadPoint{}, ErrNoLoad }
