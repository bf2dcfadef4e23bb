package convert

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
)

// toldBy returns what an import of a text says: the doubts of its runs, and what it did not read.
func toldBy(t *testing.T, format, text string) (said []string, runs int) {
	t.Helper()
	err := formatNamed(t, format).Read(strings.NewReader(text), Options{File: "f", Machine: "m", Replicate: Unnumbered},
		func(r Result) error {
			if r.Keys != nil {
				runs++
			}
			for _, d := range slices.Concat(r.Doubts, r.Unread) {
				if !slices.Contains(said, d) {
					said = append(said, d)
				}
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return said, runs
}

func readCapture(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestJMHLacks: forks and iterations that are configured and not there are named, in JSON and in the text of a run.
func TestJMHLacks(t *testing.T) {
	whole, text := readCapture(t, "jmh.json"), readCapture(t, "jmh.txt")
	for name, complete := range map[string]string{"json": whole, "text": text} {
		if said, runs := toldBy(t, reader.JMH, complete); len(said) > 0 || runs == 0 {
			t.Errorf("%s: a complete output of %d runs lacks %q", name, runs, said)
		}
	}
	raw := regexp.MustCompile(`(?s)("rawData" : \[\s*)(\[[^\]]*\]),`)
	value := regexp.MustCompile(`(?s)("rawData" : \[\s*\[\s*[0-9.E-]+),\s*[0-9.E-]+`)
	forked := regexp.MustCompile(`(?s)# Fork: 3 of 3\n.*?\n\n`)
	for name, c := range map[string]struct{ text, want string }{
		"a fork of JSON":        {once(raw, whole, "$1"), "b.Sums.hash\" has 2 of 3 forks"},
		"an iteration of JSON":  {once(value, whole, "$1"), "b.Sums.hash\" has 8 of 9 iterations"},
		"more forks configured": {strings.ReplaceAll(whole, `"forks" : 3`, `"forks" : 5`), "has 3 of 5 forks"},
		"more iterations configured": {strings.ReplaceAll(whole, `"measurementIterations" : 3`,
			`"measurementIterations" : 4`), "has 9 of 12 iterations"},
		"a sampled fork": {`[{"jmhVersion":"1.37","benchmark":"b.S","mode":"sample","threads":1,"forks":3,
			"measurementIterations":1,"primaryMetric":{"score":2.0,"scoreUnit":"us/op","scorePercentiles":{"50.0":2.0},
			"rawDataHistogram":[[[[2.0,5]]],[[[2.0,4]]]]}}]`, "b.S\" has 2 of 3 forks"},
		"a fork of the text":       {once(forked, text, "\n"), "b.Sums.sum\" has 2 of 3 forks"},
		"an iteration of the text": {strings.Replace(text, "\nIteration   3: 0.651 ops/us", "", 1), "8 of 9 iterations"},
	} {
		if c.text == whole || c.text == text {
			t.Fatalf("%s: nothing was taken out", name)
		}
		if name == "a fork of JSON" || name == "an iteration of JSON" {
			c.text = restated(t, c.text)
		}
		if said, _ := toldBy(t, reader.JMH, c.text); len(said) != 1 || !strings.Contains(said[0], c.want) {
			t.Errorf("%s: %q lacks %q", name, said, c.want)
		}
	}
}

func once(re *regexp.Regexp, text, by string) string {
	at := re.FindStringIndex(text)
	if at == nil {
		return text
	}
	return text[:at[0]] + re.ReplaceAllString(text[at[0]:at[1]], by) + text[at[1]:]
}

// restated sets the first score to the mean of its iterations, as JMH does.
func restated(t *testing.T, text string) string {
	t.Helper()
	var all []map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	of := all[0]["primaryMetric"].(map[string]any)
	sum, n := 0.0, 0.0
	for _, fork := range of["rawData"].([]any) {
		for _, v := range fork.([]any) {
			sum, n = sum+v.(float64), n+1
		}
	}
	of["score"] = sum / n
	out, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
