package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// suite is the YAML form of a Request; docs/suites.md is its manual. Unknown keys are errors.
type suite struct {
	Name       string            `yaml:"name"`
	Doc        string            `yaml:"doc"`
	Quick      bool              `yaml:"quick"`
	QuickFor   string            `yaml:"quick_for"` // a time: that of a run with --quick
	Profile    bool              `yaml:"profile"`
	Energy     string            `yaml:"energy"` // a command
	Replicates int               `yaml:"replicates"`
	For        string            `yaml:"for"`    // a time, such as 10s
	Warmup     string            `yaml:"warmup"` // a time
	Margin     float64           `yaml:"margin"`
	Claim      string            `yaml:"claim"`
	Alpha      float64           `yaml:"alpha"`
	Limit      int               `yaml:"max_replicates"`
	MaxTime    string            `yaml:"max_time"` // a time
	Pilot      string            `yaml:"pilot"`    // a time; 0s: none
	Primary    map[string]string `yaml:"primary"`  // workload -> metric
	Measure    []suiteAsk        `yaml:"measure"`
	Factors    []suiteFactor     `yaml:"factors"`
}

type suiteAsk struct {
	Workload string            `yaml:"workload"`
	Set      map[string]any    `yaml:"set"`
	Sweep    map[string][]any  `yaml:"sweep"`
	Vary     map[string][]any  `yaml:"vary"`
	Quick    map[string]any    `yaml:"quick"` // a value, or a list of values
	Optional bool              `yaml:"optional"`
	Load     string            `yaml:"load"`   // line, sweep, safe
	SLO      map[string]string `yaml:"slo"`    // statistic -> a time
	For      string            `yaml:"for"`    // a time, instead of the suite's
	Warmup   string            `yaml:"warmup"` // a time, instead of the suite's
}

type suiteFactor struct {
	Name   string       `yaml:"name"`
	Values []any        `yaml:"values"` // of the parameter Name
	Levels []suiteLevel `yaml:"levels"`
}

type suiteLevel struct {
	Name string         `yaml:"name"`
	Set  map[string]any `yaml:"set"`
}

// ParseSuite parses a suite. name appears in errors, and is the suite's name unless it has its own.
func ParseSuite(name string, text []byte) (Request, error) {
	var s suite
	if err := bounded(text); err != nil {
		return Request{}, usagef("suite %s: %v", name, err)
	}
	documents := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict(), yaml.DisallowUnknownField())
	err := documents.Decode(&s)
	if err != nil && !errors.Is(err, io.EOF) {
		return Request{}, usagef("suite %s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	var next map[string]any
	if err := documents.Decode(&next); next != nil || err != nil && !errors.Is(err, io.EOF) {
		return Request{}, usagef("suite %s: it has several documents, and a suite is one\nhint: leave out the line ---, or "+
			"write a file for each", name)
	}
	req := Request{Name: or(s.Name, name), Doc: s.Doc, Quick: s.Quick, Profile: s.Profile, Energy: s.Energy,
		Replicates: s.Replicates,
		Margin:     s.Margin, Claim: s.Claim, Alpha: s.Alpha, Limit: s.Limit, Primary: s.Primary, WarmupS: -1}
	if s.For != "" {
		if req.DurationS, err = record.ParseDuration(s.For); err != nil {
			return req, usagef("suite %s: for: %v", name, err)
		}
	}
	if req.QuickS, err = ownTime("quick_for", s.QuickFor); err != nil {
		return req, usagef("suite %s: %v", name, err)
	}
	if s.Warmup != "" {
		if req.WarmupS, err = record.ParseDuration(s.Warmup); err != nil {
			return req, usagef("suite %s: warmup: %v", name, err)
		}
		if req.WarmupS < 0 {
			return req, usagef("suite %s: warmup: %s is negative", name, s.Warmup)
		}
	}
	if s.MaxTime != "" {
		if req.MaxS, err = record.ParseDuration(s.MaxTime); err != nil || req.MaxS <= 0 {
			return req, usagef("suite %s: max_time: %s is not a time over 0s", name, s.MaxTime)
		}
	}
	if s.Pilot != "" {
		if req.PilotS, err = record.ParseDuration(s.Pilot); err != nil || req.PilotS < 0 {
			return req, usagef("suite %s: pilot: %s is not a time of 0s or more", name, s.Pilot)
		}
	}
	if err := s.scalars(); err != nil {
		return req, usagef("suite %s: %v", name, err)
	}
	for _, a := range s.Measure {
		ask, err := a.ask(s.Quick)
		if err != nil {
			return req, usagef("suite %s: %v", name, err)
		}
		req.Measure = append(req.Measure, ask)
	}
	if s.Quick {
		req.shrink()
	}
	for _, f := range s.Factors {
		req.Factors = append(req.Factors, f.factor())
	}
	if len(req.Measure) == 0 {
		return req, usagef("suite %s: nothing to measure\nhint: add a list `measure:` of workloads", name)
	}
	return req, nil
}

// scalars rejects parameters that are lists, maps or nil: they would be converted to text that nobody wrote.
func (s suite) scalars() error {
	var bad error
	check := func(key string, v any) {
		switch v.(type) {
		case string, bool, int, int64, uint64, float64:
		default:
			bad = fmt.Errorf("%s: %v is not text, a number, true or false", key, v)
		}
	}
	for _, a := range s.Measure {
		for key, v := range a.Set {
			check(key, v)
		}
		for key, v := range a.Quick {
			values := listOf(v)
			if len(values) == 0 {
				bad = fmt.Errorf("%s: quick: an empty list", key)
			}
			for _, v := range values {
				check(key, v)
			}
		}
		for _, lists := range []map[string][]any{a.Sweep, a.Vary} {
			for key, list := range lists {
				for _, v := range list {
					check(key, v)
				}
			}
		}
	}
	for _, f := range s.Factors {
		for _, v := range f.Values {
			check(f.Name, v)
		}
		for _, l := range f.Levels {
			for key, v := range l.Set {
				check(key, v)
			}
		}
	}
	return bad
}

func (a suiteAsk) ask(quick bool) (Ask, error) {
	out := Ask{Workload: a.Workload, Set: texts(a.Set), Optional: a.Optional}
	for _, key := range slices.Sorted(maps.Keys(a.Sweep)) {
		out.Sweep = append(out.Sweep, Axis{key, textList(a.Sweep[key])})
	}
	for _, key := range slices.Sorted(maps.Keys(a.Vary)) {
		out.Vary = append(out.Vary, Vary(a.Workload+"."+key, textList(a.Vary[key])))
	}
	for _, key := range slices.Sorted(maps.Keys(a.Quick)) {
		out.Quick = append(out.Quick, Axis{key, textList(listOf(a.Quick[key]))})
	}
	var err error
	if out.DurationS, err = ownTime("for", a.For); err != nil {
		return out, fmt.Errorf("%s: %w", a.Workload, err)
	}
	if out.WarmupS, err = ownTime("warmup", a.Warmup); err != nil {
		return out, fmt.Errorf("%s: %w", a.Workload, err)
	}
	if a.Load == "" && len(a.SLO) == 0 {
		return out, nil
	}
	if a.Load == "safe" && len(a.SLO) == 0 {
		out.Safe = true
		return out, nil
	}
	if a.Load != "line" && a.Load != "sweep" {
		return out, fmt.Errorf("%s: load: %q is not line, sweep or safe (without slo)", a.Workload, a.Load)
	}
	objectives, err := ParseObjectives(a.SLO)
	out.Search = NewSearch(a.Load == "sweep", objectives, quick)
	return out, err
}

// ownTime parses a time of one entry; "" is 0, the suite's.
func ownTime(key, text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	s, err := record.ParseDuration(text)
	if err != nil || s < shortest || s > maxSeconds {
		return 0, fmt.Errorf("%s: %s is not a time from 10ms to a week", key, text)
	}
	return s, nil
}

// ParseObjectives parses times by percentile of latency, such as 10ms by p99.
func ParseObjectives(texts map[string]string) (map[string]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	out := map[string]float64{}
	for statistic, text := range texts {
		s, err := record.ParseDuration(text)
		percentile, ok := record.ParsePercentile(statistic)
		if err != nil || s <= 0 || !ok {
			return nil, usagef("latency target %s: must be a percentile and a time\nhint: --slo %s", joined(statistic, text),
				meantObjective(statistic, text))
		}
		out[percentile] = s
	}
	return out, nil
}

// joined returns a latency target as it was written.
func joined(statistic, text string) string {
	if text == "" {
		return strconv.Quote(statistic)
	}
	return strconv.Quote(statistic + "=" + text)
}

// meantObjective returns the latency targets that a rejected one may have meant, for the flag --slo.
func meantObjective(statistic, text string) string {
	parts := strings.Split(statistic+"="+text, ",")
	return strings.Join(list.Map(parts, meantTarget), " --slo ")
}

// meantTarget returns the latency target that a text may have meant, of p99 and 10ms if they are missing.
func meantTarget(text string) string {
	percentile, time := "p99", "10ms"
	separates := func(r rune) bool { return strings.ContainsRune("=<: ", r) }
	for _, part := range strings.FieldsFunc(strings.ToLower(text), separates) {
		if p, ok := record.ParsePercentile(part); ok {
			percentile = p
		} else if _, err := record.ParseDuration(part); err == nil && !strings.HasPrefix(part, "-") {
			time = part
		} else if n, err := strconv.ParseFloat(part, 64); err == nil && n > 0 {
			time = part + "ms"
		}
	}
	return percentile + "=" + time
}

func (f suiteFactor) factor() Factor {
	if len(f.Values) > 0 {
		return Vary(f.Name, textList(f.Values))
	}
	out := Factor{Name: f.Name}
	for _, l := range f.Levels {
		out.Levels = append(out.Levels, Level{l.Name, texts(l.Set)})
	}
	return out
}

func texts(m map[string]any) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = fmt.Sprint(v)
	}
	return out
}

// listOf returns a value, or the list that it is, as a list.
func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

func textList(vs []any) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = fmt.Sprint(v)
	}
	return out
}
