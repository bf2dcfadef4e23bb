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
			`time: +\[[0-9.]+ [pnuµμm]?s [0-9.]+ [pnuµμm]?s [0-9.]+ [pnuµμm]?s\]`),
	)
	marks.Beside = []string{"benchmark.json", "sample.json"}
	marks.Home = criterionHome
	return Tool{Name: Criterion, Doc: "Criterion.rs: folders such as target/criterion, or the text of cargo bench",
		Read: runsOf(readCriterion), Assumed: record.LoadPoint{Kind: record.Once, Level: 1}, Marks: marks}
}

// criterionRun is one benchmark. Times are in ns.
type criterionRun struct {
	bare
	name    string
	time    float64
	failure float64 // standard error of the time; 0: not stated
	samples int     // of one process; 0: not stated
	amounts []criterionAmount
	stated  bool    // the amounts are per second, as in the text
	sampled float64 // mean of the samples, ns; 0: not stated
	mean    float64 // as estimated, ns
}

// criterionAmount is what a benchmark states that an iteration handles.
type criterionAmount struct {
	n    float64
	unit string // B or op
}

// criterionFiles are the documents of a benchmark's folder: each is one of the three.
type criterionFiles struct {
	Slope, Mean *criterionEstimate
	Directory   string                     `json:"directory_name"`
	ID          string                     `json:"full_id"`
	Throughput  map[string]json.RawMessage `json:"throughput"` // one of the kinds of criterionAmounts
	Iters       []float64                  `json:"iters"`
	Times       []float64                  `json:"times"` // ns
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
	r := criterionRun{name: f.ID, time: of.Point, failure: of.Error, samples: len(f.Iters), mean: f.Mean.Point,
		sampled: f.sampled()}
	for kind, stated := range f.Throughput {
		if r.amounts, err = criterionAmounts(kind, stated); err != nil {
			return nil, fmt.Errorf("throughput of %s: %w", Brief(f.ID), err)
		}
	}
	return []criterionRun{r}, nil
}

// criterionAmounts returns what an iteration handles: elements first. The error names a kind that is not known.
func criterionAmounts(kind string, stated json.RawMessage) ([]criterionAmount, error) {
	var n float64
	var both struct{ Elements, Bytes *float64 }
	err := json.Unmarshal(stated, &n)
	switch kind {
	case "Bytes", "BytesDecimal":
		return []criterionAmount{{n, "B"}}, err
	case "Bits":
		return []criterionAmount{{n / 8, "B"}}, err
	case "Elements":
		return []criterionAmount{{n, "op"}}, err
	case "ElementsAndBytes":
		if err := json.Unmarshal(stated, &both); err != nil || both.Elements == nil || both.Bytes == nil {
			return nil, fmt.Errorf("ElementsAndBytes is %s", Excerpt(stated))
		}
		return []criterionAmount{{*both.Elements, "op"}, {*both.Bytes, "B"}}, nil
	}
	return nil,
		fmt.Errorf("its kind %s is not known\nhint: Bytes, BytesDecimal, Bits, Elements and ElementsAndBytes are; "+
			"leave its folder out, or the `throughput` in its benchmark.json", Brief(kind))
}

// sampled returns the mean of the samples' times of an iteration, of which the estimate is; 0 if they are not stated.
func (f criterionFiles) sampled() float64 {
	if len(f.Iters) == 0 || len(f.Iters) != len(f.Times) {
		return 0
	}
	mean := 0.0
	for i, n := range f.Iters {
		mean += f.Times[i] / n / float64(len(f.Iters))
	}
	return mean
}

// criterionSlack is by how much an estimate may differ from the mean of its samples, which it is.
const criterionSlack = 0.05

// Account returns the estimate beside the mean of the samples.
func (r criterionRun) Account() Account {
	return Account{Means: []Meant{
		{Of: Brief(r.name), Stated: r.mean, Follows: r.sampled, Unit: "ns", Slack: criterionSlack}}}
}

func readCriterionText(out []byte, b Bounds) ([]criterionRun, error) {
	time := regexp.MustCompile(`^(.*?)\s*time: +\[[0-9.]+ [pnuµμm]?s ([0-9.]+) ([pnuµμm]?s) [0-9.]+ [pnuµμm]?s\]$`)
	rate := regexp.MustCompile(`^ +thrpt: +\[[0-9.]+ +\S+ ([0-9.]+) +([KMGT]?i?)(B|b|elem)/s [0-9.]+ +\S+\]$`)
	var runs []criterionRun
	before := ""
	err := b.scan(out, `(?:time|thrpt): +\[`, func(line string) bool {
		above := before
		before = line
		if m := time.FindStringSubmatch(line); m != nil {
			if m[1] == "" {
				m[1] = above // a long name has a line of its own
			}
			runs = append(runs, criterionRun{name: strings.TrimSpace(m[1]), time: inSeconds(m[2], m[3]) * 1e9})
		} else if m := rate.FindStringSubmatch(line); m != nil && len(runs) > 0 {
			return runs[len(runs)-1].states(m[1], m[2], m[3])
		} else {
			return strings.Contains(line, "change:") || strings.Contains(line, "%")
		}
		return true
	})
	runs = nonzero(b, runs, func(r criterionRun) float64 { return r.time },
		func(r criterionRun) string { return tooShort(r.name) })
	return some(runs, err, out, "results of Criterion", "use its folder target/criterion, or what cargo bench prints")
}

// states adds a throughput that the text states; false if its unit is not known.
func (r *criterionRun) states(printed, prefix, of string) bool {
	out := criterionAmount{stated(printed) * map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[prefix],
		"op"}
	switch of {
	case "B":
		out.unit, out.n = "B", inBytes(printed, strings.Replace(prefix, "K", "k", 1)+"B")
		if strings.HasSuffix(prefix, "i") {
			out.n = inBytes(printed, prefix+"B")
		}
	case "b":
		out.unit, out.n = "B", out.n/8
	}
	if out.n == 0 {
		return false
	}
	r.stated, r.amounts = true, append(r.amounts, out)
	return true
}

// Values returns the throughput, if the benchmark states one, and the time of an iteration.
func (r criterionRun) Values() ([]record.Value, error) {
	if !(r.time > 0) || r.time > largest {
		return nil, fmt.Errorf("time of %s is %g ns", Brief(r.name), r.time)
	}
	out := Values{}
	for i, rate := range r.rates() {
		out.add(criterionNames()[min(i, 1)], r.amounts[i].unit+"/s", record.Higher, rate)
	}
	out.add("time", "s", record.Lower, r.time*1e-9)
	if len(out) == 0 {
		return nil, errors.New("a time that is too small")
	}
	return out, nil
}

// criterionNames returns the metrics of a benchmark's first and second amount.
func criterionNames() []string { return []string{record.Throughput, "moved"} }

// rates returns the amounts per second.
func (r criterionRun) rates() []float64 {
	var out []float64
	for _, a := range r.amounts[:min(len(r.amounts), len(criterionNames()))] {
		if !r.stated {
			a.n /= r.time * 1e-9
		}
		out = append(out, a.n)
	}
	return out
}

// Moments returns the spread that gives the standard error stated, which is Criterion's, by resampling.
func (r criterionRun) Moments() map[string]record.Moments {
	share := r.failure / r.time * math.Sqrt(float64(r.samples))
	if r.samples < 2 || !(share > 0) || share > largest {
		return nil
	}
	out := map[string]record.Moments{"time": {N: r.samples, SD: share * r.time * 1e-9, Within: true}}
	for i, rate := range r.rates() {
		if rate > 0 && rate < largest {
			out[criterionNames()[i]] = record.Moments{N: r.samples, SD: share * rate, Within: true}
		}
	}
	return out
}

// Params returns the name of the benchmark.
func (r criterionRun) Params() record.Params { return record.Params{"benchmark": r.name} }
