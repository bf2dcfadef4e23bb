package reader

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Locust is the format of Locust's statistics: the CSV of --csv, and --json.
const Locust = "locust"

// LocustTool returns Locust.
func LocustTool() Tool {
	return Tool{Name: Locust, Doc: "statistics of Locust: the file _stats.csv of --csv, or --json",
		Read: runsOf(readLocust),
		Marks: either(lineLike("CSV with `Type,Name,Request Count,Failure Count`",
			`^"?Type"?,"?Name"?,"?Request Count"?,"?Failure Count"?`),
			jsonLike("JSON with `num_requests` and `response_times`", `\[`, "num_requests", "num_failures", "response_times"))}
}

// locustLoad is why there is no load.
const locustLoad = "Locust's statistics do not state its users\nhint: set them with --load N (locust -u)"

// locustAll is the name of the row that sums all requests up.
const locustAll = "Aggregated"

func readLocust(out []byte, b Bounds) (runs []loadRun, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(out), []byte("[")) {
		return readLocustJSON(out, b)
	}
	return readLocustCSV(out, b)
}

// leaveParts says that requests by name are not read apart.
func leaveParts(b Bounds, tool string, names int) {
	if names > 1 {
		b.leave(fmt.Sprintf("%s states %d requests by name: their sum is read, and not each apart", tool, names))
	}
}

func readLocustCSV(out []byte, b Bounds) ([]loadRun, error) {
	if err := sparse(out, 8*b.Items); err != nil {
		return nil, err
	}
	if err := few(out, "\n", b.Lines, "lines"); err != nil {
		return nil, err
	}
	rows := csv.NewReader(bytes.NewReader(out))
	rows.FieldsPerRecord = -1
	all, err := rows.ReadAll()
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("no CSV of Locust: %w", errors.Join(err, errors.New("it is empty")))
	}
	header, sum, failed, names := all[0], 0.0, 0.0, 0
	for _, row := range all[1:] {
		if len(row) != len(header) {
			return nil, fmt.Errorf("the row %s has %d cells, its header has %d", Brief(strings.Join(row, ",")), len(row),
				len(header))
		}
		cell := func(name string) string {
			if at := slices.Index(header, name); at >= 0 {
				return row[at]
			}
			return ""
		}
		count, bad := stated(cell("Request Count")), stated(cell("Failure Count"))
		if cell("Name") != locustAll {
			sum, failed, names = sum+count, failed+bad, names+1
			continue
		}
		if sum != count || failed != bad {
			return nil,
				fmt.Errorf("the %s of Locust has %.0f requests and %.0f failures, and its rows have %.0f and %.0f\nhint: "+
					"the "+
					"file was edited, or rows are missing", locustAll, count, bad, sum, failed)
		}
		leaveParts(b, "Locust", names)
		return []loadRun{locustRow(header, row, cell, count, bad)}, nil
	}
	return nil, fmt.Errorf("the CSV of Locust has no row %s\nhint: import the file whose name ends in _stats.csv",
		locustAll)
}

func locustRow(header, row []string, cell func(string) string, count, failed float64) loadRun {
	r := loadRun{tool: "Locust", rate: stated(cell("Requests/s")), count: count, load: locustLoad,
		failed: map[string]float64{"failed": failed}}
	for name, column := range map[string]string{"avg": "Average Response Time", "min": "Min Response Time",
		"max": "Max Response Time"} {
		r.latencies.set(name, stated(cell(column))*1e-3)
	}
	for i, name := range header {
		if percent, ok := strings.CutSuffix(name, "%"); ok && percent != "100" {
			r.latencies.set(percent, stated(row[i])*1e-3)
		}
	}
	if r.rate > 0 {
		r.received = stated(cell("Average Content Size")) * r.rate
	}
	return r
}

// locustEntry is the part of an entry of the JSON that we use. Times of responses are in ms, others in s.
type locustEntry struct {
	Name     string             `json:"name"`
	From     float64            `json:"start_time"`
	To       float64            `json:"last_request_timestamp"`
	Requests float64            `json:"num_requests"`
	Untimed  float64            `json:"num_none_requests"`
	Failures float64            `json:"num_failures"`
	Total    float64            `json:"total_response_time"`
	Most     float64            `json:"max_response_time"`
	Least    float64            `json:"min_response_time"`
	Length   float64            `json:"total_content_length"`
	Times    map[string]float64 `json:"response_times"`
}

func readLocustJSON(out []byte, b Bounds) ([]loadRun, error) {
	entries, err := documents(b, out, b.Items, func(e locustEntry) []locustEntry { return []locustEntry{e} })
	if err != nil {
		return nil, err
	}
	r := loadRun{tool: "Locust", load: locustLoad, failed: map[string]float64{}}
	from, to, total, bytes, untimed := math.Inf(1), 0.0, 0.0, 0.0, 0.0
	r.latencies.least = math.Inf(1)
	times := map[float64]float64{}
	for _, e := range entries {
		if e.Requests == 0 {
			continue
		}
		from, to, total, bytes = min(from, e.From), max(to, e.To), total+e.Total, bytes+e.Length
		r.count, r.failed["failed"], untimed = r.count+e.Requests, r.failed["failed"]+e.Failures, untimed+e.Untimed
		r.latencies.least, r.latencies.most = min(r.latencies.least, e.Least*1e-3), max(r.latencies.most, e.Most*1e-3)
		binned := 0.0
		for text, n := range e.Times {
			ms, err := Number(text)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%s is no time of a response of Locust", Brief(text))
			}
			times[ms], binned = times[ms]+n, binned+n
		}
		if binned != e.Requests-e.Untimed {
			return nil, fmt.Errorf("%s of Locust has %.0f requests, and %.0f times of responses\nhint: the file was edited, "+
				"or a "+
				"part of it is missing", Brief(e.Name), e.Requests-e.Untimed, binned)
		}
	}
	leaveParts(b, "Locust", len(entries))
	if !(to > from) {
		return nil, errors.New("no requests of Locust were completed\nhint: see its standard error")
	}
	r.seconds = to - from
	r.received = bytes / r.seconds
	r.latencies.mean = total / max(1, r.count-untimed) * 1e-3
	for _, percent := range []float64{50, 90, 95, 99} {
		if at, ok := quantileOf(times, percent); ok {
			r.latencies.set(strconv.FormatFloat(percent, 'f', -1, 64), at*1e-3)
		}
	}
	return []loadRun{r}, nil
}

// quantileOf returns a percentile of values that occur so many times.
func quantileOf(times map[float64]float64, percent float64) (v float64, ok bool) {
	total, seen := 0.0, 0.0
	var values []float64
	for at, n := range times {
		values, total = append(values, at), total+n
	}
	slices.Sort(values)
	for _, at := range values {
		if seen += times[at]; seen >= percent/100*total {
			return at, true
		}
	}
	return 0, false
}
