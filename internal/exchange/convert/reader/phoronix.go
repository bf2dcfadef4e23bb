package reader

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Phoronix is the format of results of the Phoronix Test Suite: composite.xml, and its export as JSON and CSV.
const Phoronix = "phoronix"

// PhoronixTool returns the Phoronix Test Suite.
func PhoronixTool() Tool {
	return Tool{Name: Phoronix, Doc: "result file of the Phoronix Test Suite: composite.xml, or its JSON or CSV",
		Read: runsOf(readPhoronix), Assumed: record.LoadPoint{Kind: record.Once, Level: 1}, Marks: either(
			lineLike("XML with `<PhoronixTestSuite>`", `^\s*<PhoronixTestSuite>`),
			jsonLike("JSON with `systems` and `results`, whose entries have `proportion`", `\{`, "systems", "results",
				"proportion"),
			Marks{Looks: "CSV with a row `\"TEST - … (UNIT)\",HIB`", Match: isPhoronixCSV}), Places: true}
}

// isPhoronixCSV reports whether a file has a row of a result as CSV.
func isPhoronixCSV(head []byte) bool {
	return AnyLine(`^".* \(.*\)",[HL]IB,`)(head)
}

// phoronixRun is one run of a test on a system.
type phoronixRun struct {
	bare
	system, test, title, description, version, scale string
	lower                                            bool // less is better
	value                                            float64
	stated, mean                                     float64 // the result, and the mean of its runs
}

// phoronixResult is a result of a test in XML.
type phoronixResult struct {
	Identifier  string `xml:"Identifier"`
	Title       string `xml:"Title"`
	Version     string `xml:"AppVersion"`
	Description string `xml:"Description"`
	Scale       string `xml:"Scale"`
	Proportion  string `xml:"Proportion"`
	Format      string `xml:"DisplayFormat"`
	Entries     []struct {
		System string `xml:"Identifier"`
		Value  string `xml:"Value"`
		Raw    string `xml:"RawString"`
	} `xml:"Data>Entry"`
}

func readPhoronix(out []byte, b Bounds) (runs []phoronixRun, err error) {
	switch head := bytes.TrimSpace(out); {
	case bytes.HasPrefix(head, []byte("{")):
		runs, err = readPhoronixJSON(out, b)
	case bytes.HasPrefix(head, []byte("<")):
		runs, err = readPhoronixXML(out, b)
	default:
		runs, err = readPhoronixCSV(out, b)
	}
	return some(runs, err, out, "results of the Phoronix Test Suite", "use composite.xml of a result")
}

func readPhoronixXML(out []byte, b Bounds) ([]phoronixRun, error) {
	if err := few(out, "<", 8*b.Items, "elements"); err != nil {
		return nil, err
	}
	var doc struct {
		XMLName xml.Name         `xml:"PhoronixTestSuite"`
		Results []phoronixResult `xml:"Result"`
	}
	if err := xml.Unmarshal(out, &doc); err != nil {
		return nil, fmt.Errorf("XML of the Phoronix Test Suite: %w\nhint: the file may be cut off", err)
	}
	var runs []phoronixRun
	for _, r := range doc.Results {
		of := phoronixRun{test: r.Identifier, title: r.Title, description: r.Description, version: r.Version, scale: r.Scale}
		if !of.directed(r.Proportion, r.Format, b) {
			continue
		}
		for _, e := range r.Entries {
			var raw []float64
			for _, text := range strings.Split(e.Raw, ":") {
				if v, err := Number(text); err == nil {
					raw = append(raw, v)
				}
			}
			of.system = e.System
			got, err := of.each(stated(e.Value), raw, b)
			if err != nil {
				return nil, err
			}
			runs = append(runs, got...)
		}
	}
	return runs, b.enough(len(runs))
}

func readPhoronixJSON(out []byte, b Bounds) ([]phoronixRun, error) {
	if err := sparse(out, b.Items); err != nil {
		return nil, err
	}
	var doc struct {
		Results map[string]struct {
			Identifier  string `json:"identifier"`
			Title       string `json:"title"`
			Version     string `json:"app_version"`
			Description string `json:"description"`
			Scale       string `json:"scale"`
			Proportion  string `json:"proportion"`
			Format      string `json:"display_format"`
			Systems     map[string]struct {
				Value json.RawMessage `json:"value"`
				Raw   []float64       `json:"raw_values"`
			} `json:"results"`
		} `json:"results"`
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return nil, notJSON(err, out)
	}
	var runs []phoronixRun
	for _, key := range sortedNames(doc.Results) {
		r := doc.Results[key]
		of := phoronixRun{test: r.Identifier, title: r.Title, description: r.Description, version: r.Version, scale: r.Scale}
		if !of.directed(r.Proportion, r.Format, b) {
			continue
		}
		for _, system := range sortedNames(r.Systems) {
			of.system = system
			got, err := of.each(stated(strings.Trim(string(r.Systems[system].Value), `"`)), r.Systems[system].Raw, b)
			if err != nil {
				return nil, err
			}
			runs = append(runs, got...)
		}
	}
	return runs, b.enough(len(runs))
}

// readPhoronixCSV reads the table at the end: a row for each result, a column for each system.
func readPhoronixCSV(out []byte, b Bounds) ([]phoronixRun, error) {
	title := regexp.MustCompile(`^(.*?) - (.*) \(([^()]*)\)$`)
	var systems []string
	var runs []phoronixRun
	var bad error
	err := b.scan(out, `^".* \(.*\)",[HL]IB`, func(line string) bool {
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil || len(cells) < 3 {
			return false
		}
		if strings.TrimSpace(cells[0]) == "" && cells[1] == "" {
			systems = cells[2:]
			return true
		}
		m := title.FindStringSubmatch(cells[0])
		if m == nil || len(cells) != len(systems)+2 {
			return false
		}
		of := phoronixRun{test: strings.ToLower(strings.ReplaceAll(m[1], " ", "-")), title: m[1], description: m[2],
			scale: m[3]}
		if !of.directed(cells[1], "", b) {
			return true
		}
		for i, system := range systems {
			of.system = system
			if cells[i+2] == "" {
				continue // not measured
			}
			got, err := of.each(stated(cells[i+2]), nil, b)
			if err != nil && bad == nil {
				bad = err
			}
			runs = append(runs, got...)
		}
		return true
	})
	if err == nil {
		err = bad
	}
	return runs, err
}

// directed sets which way is better; false, and said, of a result that is no number or states none.
func (r *phoronixRun) directed(proportion, format string, b Bounds) bool {
	r.lower = proportion == "LIB"
	if format != "" && format != "BAR_GRAPH" && format != "BAR_ANALYZE_GRAPH" || !r.lower && proportion != "HIB" {
		b.leave(fmt.Sprintf("%s, %s, is left out: it is no figure of which more or less is better", Brief(r.title),
			Brief(r.description)))
		return false
	}
	return true
}

// phoronixSlack is by how much a result may differ from the mean of its runs, which is rounded.
const phoronixSlack = 0.02

// each returns the runs of a test on a system; one of its result, if they are not stated.
func (r phoronixRun) each(value float64, raw []float64, b Bounds) ([]phoronixRun, error) {
	r.stated = value
	if len(raw) < 2 {
		r.value = value
		if !(value > 0) {
			b.leave(fmt.Sprintf("%s on %s has no result", Brief(r.title), Brief(r.system)))
			return nil, nil
		}
		return []phoronixRun{r}, nil
	}
	var out []phoronixRun
	for _, v := range raw {
		r.mean += v / float64(len(raw))
		out = append(out, r)
	}
	for i, v := range raw {
		out[i].value, out[i].mean = v, r.mean
		if !(v > 0) {
			return nil, fmt.Errorf("a run of %s on %s is %g", Brief(r.title), Brief(r.system), v)
		}
	}
	return out, nil
}

// Machine returns the system that the result names.
func (r phoronixRun) Machine() string { return r.system }

// Benchmark returns the test without its suite and its version.
func (r phoronixRun) Benchmark(string) (string, error) {
	_, name, suite := strings.Cut(r.test, "/")
	if !suite {
		name = r.test
	}
	name = regexp.MustCompile(`-[0-9]+(?:\.[0-9]+)+$`).ReplaceAllString(name, "")
	if name == "" {
		return "", errors.New("a result of the Phoronix Test Suite does not name its test")
	}
	return name, nil
}

// Values returns the result: a time, a rate, or a value named after its unit.
func (r phoronixRun) Values() ([]record.Value, error) {
	name, unit, factor := phoronixUnit(r.scale)
	better := record.Higher
	if r.lower {
		better = record.Lower
	}
	switch {
	case name == "" && unit == "s":
		name = record.Elapsed
	case name == "" && better == record.Higher:
		name = record.Throughput
	case name == "":
		name = unit
	}
	if r.lower && name == record.Throughput || !r.lower && unit == "s" {
		return nil, fmt.Errorf("%s has the unit %s and is better when %s, which contradict each other", Brief(r.title),
			Brief(r.scale), better)
	}
	out := Values{}
	out.add(name, unit, better, r.value*factor)
	if len(out) == 0 {
		return nil, fmt.Errorf("the result of %s is %g", Brief(r.title), r.value)
	}
	return out, nil
}

// phoronixUnit returns the base unit of a scale and its factor; a name, if it is neither a time nor a rate.
func phoronixUnit(scale string) (name, unit string, factor float64) {
	word := strings.TrimSpace(scale)
	if f := map[string]float64{"Seconds": 1, "Second": 1, "sec": 1, "s": 1, "Milliseconds": 1e-3, "ms": 1e-3,
		"Microseconds": 1e-6, "us": 1e-6, "Nanoseconds": 1e-9, "ns": 1e-9, "Minutes": 60}[word]; f > 0 {
		return "", "s", f
	}
	m := regexp.MustCompile(`(?i)^(.+?)(?: per second|/s|/sec|/second| a second)$`).FindStringSubmatch(word)
	if m == nil && word == "TPS" {
		return "", "op/s", 1
	}
	if m == nil {
		return word, "", 1
	}
	if bytes := inBytes("1", m[1]); bytes > 0 && m[1] != "KB" { // of 1000 or of 1024
		return "", "B/s", bytes
	}
	if regexp.MustCompile(phoronixCounted).MatchString(m[1]) {
		return "", "op/s", 1
	}
	return word, "", 1
}

// phoronixCounted matches what is counted one by one. Other words, such as GFLOP, kH and M samples, may have a prefix.
const phoronixCounted = `(?i)^(?:(?:frame|image|page|request|req|response|operation|op|transaction|iteration|event|item|` +
	`node|position|row|record|message|token|word|sample|object|inference|sign|lookup|loop|call|job|task|run|update|key)s?|` +
	`quer(?:y|ies)|verif(?:y|ies)|entr(?:y|ies)|batch(?:es)?)$`

// Params returns the description of the test's options, and the version of what it ran.
func (r phoronixRun) Params() record.Params {
	out := record.Params{}
	if r.description != "" {
		out["test"] = r.description
	}
	if r.version != "" {
		out["version"] = r.version
	}
	return out
}

// Account returns the result beside the mean of its runs.
func (r phoronixRun) Account() Account {
	return Account{Means: []Meant{{Of: Brief(r.title), Stated: r.stated, Follows: r.mean, Unit: r.scale,
		Slack: phoronixSlack}}}
}
