package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plimsoll/internal/record/block"
)

// question is what a user asks, and the command that answers it from recorded data.
type question struct {
	name string // of its file in testdata/screens
	data string // a session, or a file to import
	args []string
}

func questions() []question {
	const corpus, published = "testdata/corpus/", "../../examples/published/"
	session := func(name string) string { return corpus + name + "/" + corpusSession }
	return []question{
		{"old-or-new", session("command"), []string{"compare", "--by", "exec.command"}},
		{"old-or-new-undecided", session("pgbench"), []string{"compare", "--by", "pgbench.checksums"}},
		{"several-benchmarks", session("factors"), []string{"compare", "--by", "http.tls"}},
		{"equal", session("hosts"), []string{"compare"}},
		{"cheaper", session("clients"), []string{"compare"}},
		{"cheaper-undecided", published + "percona-postgresql.csv", []string{"compare", "--baseline", "m5d", "--date",
			"2021-10"}},
		{"load", session("search"), []string{"show"}},
		{"load-of-two", session("rates"), []string{"show"}},
		{"disk", session("disk"), []string{"show"}},
		{"why", "../../examples/data/libraries.plimsoll.jsonl", []string{"compare"}},
		{"run", "../../examples/data/first.plimsoll.jsonl", []string{"show"}},
		{"run-of-one", session("kafka"), []string{"show"}},
	}
}

// TestAnswerScreens: each question has an answer of at most six lines of 80 columns, whose first line is a sentence
// with a verb and a number. An inconclusive one ends with the next step.
func TestAnswerScreens(t *testing.T) {
	sentence := regexp.MustCompile(`(?s) (is|was|may be|takes|took|may take|handles|reaches|does|may handle) .*\d`)
	for _, q := range questions() {
		t.Run(q.name, func(t *testing.T) {
			got := answerAt80(t, q)
			lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
			const most, columns = 6, 80
			if len(lines) > most {
				t.Errorf("%d lines, and at most %d fit", len(lines), most)
			}
			for _, line := range lines {
				if block.DisplayWidth(line) > columns {
					t.Errorf("over %d columns: %q", columns, line)
				}
			}
			if !sentence.MatchString(got) {
				t.Errorf("no sentence with a verb and a number:\n%s", got)
			}
			if strings.Contains(got, "INCONCLUSIVE") && !strings.Contains(got, "\nnext ") {
				t.Errorf("no next step:\n%s", got)
			}
			golden := filepath.Join("testdata/screens", q.name+".txt")
			if *updateCorpus {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf(
					"got\n%s\nwant\n%s\nhint: if it is meant, go test ./cmd/plimsoll -run TestAnswerScreens -update",
					got,
					want,
				)
			}
		})
	}
}

// answerAt80 returns the first part of what a command prints to a file at 80 columns.
func answerAt80(t *testing.T, q question) string {
	t.Helper()
	env := func(name string) string { return map[string]string{"COLUMNS": "80"}[name] }
	run := func(args ...string) string {
		var out, complaint bytes.Buffer
		if code := start(args, strings.NewReader(""), &out, &complaint, env); code != exitDone {
			t.Fatalf("plimsoll %s: exit %d: %s", strings.Join(args, " "), code, complaint.String())
		}
		return out.String()
	}
	file := q.data
	if filepath.Ext(file) == ".csv" {
		file = filepath.Join(t.TempDir(), "imported.plimsoll.jsonl")
		run("import", q.data, "-o", file)
	}
	answer, _, _ := strings.Cut(run(append(q.args, file)...), "\n\n")
	return strings.TrimSuffix(answer, "\n") + "\n"
}
