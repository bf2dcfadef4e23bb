package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Fio is the format of fio's --output-format=json or json+, which gives several values.
const Fio = "fio"

// FioOutput is the part of fio's JSON that we use; see "JSON+ output" in its manual.
type FioOutput struct {
	Version string            `json:"fio version"`
	Global  map[string]string `json:"global options"`
	Jobs    []fioJob          `json:"jobs"`
}

type fioJob struct {
	Name    string            `json:"jobname"`
	Group   int               `json:"groupid"`
	Error   int               `json:"error"`
	Errors  float64           `json:"total_err"`   // with continue_on_error
	User    float64           `json:"usr_cpu"`     // % of Runtime
	System  float64           `json:"sys_cpu"`     // likewise
	Runtime float64           `json:"job_runtime"` // ms, of all jobs reported together
	Options map[string]string `json:"job options"`
	Read    FioSide           `json:"read"`
	Write   FioSide           `json:"write"`
}

// FioSide is the reads or the writes of a job.
type FioSide struct {
	Bytes    float64    `json:"bw_bytes"` // per second
	IOPS     float64    `json:"iops"`
	Total    float64    `json:"total_ios"`
	Lat      fioLatency `json:"lat_ns"`
	Complete fioLatency `json:"clat_ns"`
}

// fioLatency has bins in json+ only, if percentiles of it were requested.
type fioLatency struct {
	N          float64            `json:"N"`
	Percentile map[string]float64 `json:"percentile"`
	Bins       map[string]float64 `json:"bins"` // ns -> operations
}

// ReadFio parses fio's document, which may follow messages of fio.
func ReadFio(out []byte, b Bounds) (FioOutput, error) {
	var o FioOutput
	at := 0
	if !bytes.HasPrefix(out, []byte("{")) {
		at = bytes.Index(out, []byte("\n{")) + 1
	}
	if at == 0 && !bytes.HasPrefix(out, []byte("{")) {
		return o, fmt.Errorf("no fio JSON in %s\nhint: fio --output-format=json+", Excerpt(out))
	}
	if err := sparse(out[at:], b.Times); err != nil {
		return o, err
	}
	in := json.NewDecoder(bytes.NewReader(out[at:]))
	if err := in.Decode(&o); err != nil {
		return o, fmt.Errorf("invalid fio JSON: %w, in %s", err, Excerpt(out))
	}
	if bytes.Contains(out[at+int(in.InputOffset()):], []byte("\n{")) {
		return o, errors.New("several documents of fio: states in between, as of --status-interval, or other runs\nhint: " +
			"keep the last document of each run, in a file of its own")
	}
	if o.Version == "" || len(o.Jobs) == 0 {
		return o, fmt.Errorf("not fio JSON, or without jobs, in %s", Excerpt(out))
	}
	return o, o.check()
}

func (o FioOutput) check() error {
	for _, j := range o.Jobs {
		if j.Error != 0 {
			return fmt.Errorf("fio's job %s failed with error %d", Brief(j.Name), j.Error)
		}
		if j.Group != o.Jobs[0].Group {
			return errors.New("fio's jobs ran one after the other (several groups)\nhint: leave out stonewall, or run the " +
				"jobs one by one")
		}
		for _, v := range []float64{j.Errors, j.User, j.System, j.Runtime, j.Read.Bytes, j.Read.IOPS, j.Read.Total,
			j.Write.Bytes, j.Write.IOPS, j.Write.Total} {
			if v < 0 {
				return fmt.Errorf("fio's job %s has a negative figure, %g", Brief(j.Name), v)
			}
		}
	}
	return nil
}

// Sides returns the directions with any operations.
func (o FioOutput) Sides() []FioSide {
	var out []FioSide
	for _, j := range o.Jobs {
		for _, s := range []FioSide{j.Read, j.Write} {
			if s.Total > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

// Values returns the totals of all jobs: bytes and operations per second, latency, and CPU time per operation.
func (o FioOutput) Values() ([]record.Value, error) {
	sides := o.Sides()
	bandwidth, iops, total, cpu := 0.0, 0.0, 0.0, 0.0
	for _, s := range sides {
		bandwidth, iops, total = bandwidth+s.Bytes, iops+s.IOPS, total+s.Total
	}
	for _, j := range o.Jobs {
		cpu += (j.User + j.System) / 100 * j.Runtime / 1000
	}
	var out []record.Value
	for _, v := range []record.Value{
		{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher}, Value: bandwidth},
		{Metric: record.Metric{Name: record.IOPS, Unit: "op/s", Better: record.Higher}, Value: iops},
		{Metric: record.Metric{Name: record.LatencyP50, Unit: "s", Better: record.Lower}, Value: fioQuantile(sides, 50)},
		{Metric: record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}, Value: fioQuantile(sides, 99)},
		{Metric: record.Metric{Name: record.CPUPerOp, Unit: "s", Better: record.Lower}, Value: cpu / total},
	} {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value <= 0 {
			continue
		}
		out = append(out, v)
	}
	if len(out) < 2 || out[0].Name != record.Throughput || out[1].Name != record.IOPS {
		return nil, errors.New("fio completed no reads or writes\nhint: use a longer --runtime")
	}
	if n := o.Outcomes(); n.Errors > 0 {
		out = append(out, record.Value{Metric: record.Metric{Name: record.Failed, Unit: "%", Better: record.Lower},
			Value: failedShare(n)})
	}
	return out, nil
}

// Outcomes counts the reads and writes of all jobs, and the errors despite which they continued.
func (o FioOutput) Outcomes() record.LoadUse {
	total, errors := 0.0, 0.0
	for _, s := range o.Sides() {
		total += s.Total
	}
	for _, j := range o.Jobs {
		errors += j.Errors
	}
	return outcomes(total, map[string]float64{"io": errors})
}

// fioQuantile returns a percentile of latency over all jobs and directions, in seconds; 0 if unknown, which without
// bins is the case if there is more than one of them.
func fioQuantile(sides []FioSide, percent float64) float64 {
	sum := map[float64]float64{}
	total := 0.0
	for _, s := range sides {
		l := s.Lat
		if len(l.Percentile) == 0 && len(l.Bins) == 0 {
			l = s.Complete
		}
		if len(l.Bins) == 0 {
			if len(sides) > 1 {
				return 0
			}
			return l.Percentile[strconv.FormatFloat(percent, 'f', 6, 64)] * 1e-9
		}
		for at, n := range l.Bins {
			if ns, err := strconv.ParseFloat(at, 64); err == nil && n > 0 {
				sum[ns] += n
				total += n
			}
		}
	}
	seen := 0.0
	for _, ns := range slices.Sorted(maps.Keys(sum)) {
		if seen += sum[ns]; seen >= percent/100*total {
			return ns * 1e-9
		}
	}
	return 0
}

// FioTool reads the output of fio.
func FioTool() Tool {
	return Tool{Name: Fio, Doc: "output of fio --output-format=json+, one run per file",
		Read: func(out []byte, b Bounds) ([]Run, error) {
			o, err := ReadFio(out, b)
			return []Run{o}, err
		}, Marks: lineLike("JSON with `fio version`", `^\s*"fio version"\s*:`)}
}

// Params returns the parameters of the jobs.
func (o FioOutput) Params() record.Params {
	params, _ := o.asked()
	return params
}

// Load returns the operations in flight of all jobs.
func (o FioOutput) Load() (record.LoadPoint, error) {
	_, load := o.asked()
	return load, nil
}

// asked returns the parameters that distinguish runs of fio, from its options, and the load: as many operations in
// flight as the depths of all jobs together.
func (o FioOutput) asked() (record.Params, record.LoadPoint) {
	params, level := record.Params{}, 0.0
	for _, j := range o.Jobs {
		options := map[string]string{}
		maps.Copy(options, o.Global)
		maps.Copy(options, j.Options)
		for _, name := range []string{"rw", "readwrite", "bs", "blocksize", "ioengine", "direct", "size", "fsync",
			"fdatasync", "rwmixread"} {
			switch v := options[name]; {
			case v == "" || slices.Contains(strings.Split(params[name], "+"), v):
			case params[name] == "":
				params[name] = v
			default:
				params[name] += "+" + v
			}
		}
		depth := fioCount(options["iodepth"])
		if len(o.Jobs) == 1 { // which may be several, reported together
			depth *= fioCount(options["numjobs"])
		}
		level += depth
	}
	return params, record.LoadPoint{Kind: record.Closed, Level: level, Unit: record.ParamClients}
}

func fioCount(option string) float64 {
	n, err := strconv.ParseUint(option, 10, 20)
	if err != nil || n == 0 {
		return 1
	}
	return float64(n)
}
