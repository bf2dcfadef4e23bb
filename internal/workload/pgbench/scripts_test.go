package pgbench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

// brief is sources as NAME@WEIGHT(length of the text).
func brief(list []source) string {
	var out []string
	for _, s := range list {
		word := fmt.Sprintf("%s@%d", s.Name, s.Weight)
		if s.builtin {
			word += "!"
		}
		out = append(out, word+"("+strings.TrimSpace(strings.ReplaceAll(s.Text, "\n", " "))+")")
	}
	return strings.Join(out, " ")
}

func TestSources(t *testing.T) {
	sel := "(" + strings.ReplaceAll(strings.TrimSpace(builtinText(scriptSelect)), "\n", " ") + ")"
	for value, want := range map[string]string{
		"select-only":         "select-only@1!" + sel,
		" select-only@3 ":     "select-only@3!" + sel,
		"select 1;":           "script@1(select 1;)",
		"-- a note\nselect 1": "script@1(-- a note select 1)",
		"-- script a.sql@3\nselect 1\n-- script select-only@2\n-- script b\nselect 2;": "a.sql@3(select 1) select-only@2!" +
			sel + " b@1(select 2;)",
		"\n-- script select-only\nselect 3;": "select-only@1(select 3;)",
	} {
		got, err := sourcesOf(value)
		if err != nil || brief(got) != want {
			t.Errorf("%q: %s (%v), want %s", value, brief(got), err, want)
		}
	}
	for value, want := range map[string]string{
		"":                                  "pgbench: no script\nhint: available: tpcb-like",
		"tpcb":                              "no script is named \"tpcb\"\nhint: did you mean tpcb-like?",
		"select-only@99999999999":           "is not a whole number from 0",
		strings.Repeat("select-only ", 200): "200 scripts exceed the limit of 128",
		strings.Repeat("select 1;\n", 1e4):  "the limit of a plan is 65536",
	} {
		if _, err := sourcesOf(value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", value, err, want)
		}
	}
}

func TestInline(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	odd := filepath.Join(dir, "odd@x.sql")
	for name, text := range map[string]string{"a.sql": "\\set x 1\nselect :x;\n", odd: "select 2"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for value, want := range map[string]string{
		"tpcb-like":               "tpcb-like",
		"select-only@2 tpcb-like": "select-only@2 tpcb-like",
		"select 1;":               "select 1;",
		"a.sql":                   "-- script a.sql@1\n\\set x 1\nselect :x;\n",
		"a.sql@3 select-only@7 " + odd: "-- script a.sql@3\n\\set x 1\nselect :x;\n-- script select-only@7\n-- script " +
			odd + "@1\nselect 2\n",
	} {
		got, err := inline(value)
		if err != nil || got != want {
			t.Errorf("%q: %q (%v), want %q", value, got, err, want)
		}
		if again, err := inline(got); err != nil || again != got {
			t.Errorf("%q is not as it was: %q (%v)", got, again, err)
		}
		if _, err := sourcesOf(got); err != nil {
			t.Errorf("%q: %v", value, err)
		}
	}
	for value, want := range map[string]string{"select-onli": "did you mean select-only?",
		"./none.sql": "read a script: open ./none.sql", "none.sql": "there is no file \"none.sql\""} {
		if _, err := inline(value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", value, err, want)
		}
	}
}

// TestCheck: errors in a script are found with file and line before anything runs.
func TestCheck(t *testing.T) {
	for set, want := range map[[2]string]string{
		{paramScript, "-- script a.sql@1\nselect 1;\n\\shell ls\n"}: "pgbench: a.sql:2: \\shell is refused",
		{paramScript, "select :x;"}:                                 "pgbench: script:1: no variable :x is set",
		{"dsn", "host=x"}:                                           "dsn applies only with server=dsn, but server=postgres",
	} {
		if err := workloadtest.Check(Spec(), values(record.Params{set[0]: set[1]}), record.Machine{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", set, err, want)
		}
	}
}

func TestNamesOfStatements(t *testing.T) {
	p, err := programOf(values(record.Params{paramScript: "select-only@2 tpcb-like"}))
	if err != nil {
		t.Fatal(err)
	}
	ta := newTally(p)
	for _, s := range p.Scripts[1].Statements {
		ta.statement(1, s, true, 2000)
	}
	ta.statement(0, p.Scripts[0].Statements[0], false, 5) // in the warm-up
	ta.transactions, ta.retries, ta.deadlocks = 50, 5, 1
	var got []string
	for _, v := range valuesOf(ta) {
		got = append(got, fmt.Sprintf("%s=%.6g%s", v.Name, v.Value, v.Unit))
	}
	want := "statement_script2_1_begin=2e-06s statement_script2_2_update=2e-06s statement_script2_3_select=2e-06s " +
		"statement_script2_4_update=2e-06s " +
		"statement_script2_5_update=2e-06s statement_script2_6_insert=2e-06s statement_script2_7_end=2e-06s " +
		"deadlock_failures=2% retries=0.1op"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
	long, err := programOf(values(record.Params{paramScript: strings.Repeat("select 1;\n", maxStatements+4)}))
	if err != nil {
		t.Fatal(err)
	}
	if left := newTally(long).left(); len(left) != 1 ||
		!strings.Contains(left[0], "have 20 statements; latencies are reported for the first 16") {
		t.Errorf("%q", left)
	}
}

func valuesOf(t *tally) []record.Value {
	values, _ := t.values()
	return values
}

// TestNames: a file's name may have spaces, an apostrophe and a byte-order mark in its text.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"my script.sql", "bob's.sql", "two words.sql@3.sql"} {
		if err := os.WriteFile(name, []byte("\ufeffselect 1;\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		taken, err := take([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []string{taken.Set[paramScript], name} {
			text, err := inline(value)
			if err != nil {
				t.Fatal(err)
			}
			sources, err := sourcesOf(text)
			if err != nil || len(sources) != 1 || sources[0].Name != name || sources[0].Text != "select 1;\r\n" {
				t.Errorf("%q: %+v, %v", value, sources, err)
			}
		}
	}
	taken, err := take([]string{"my script.sql@2", "select-only@9"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := inline(taken.Set[paramScript])
	if err != nil {
		t.Fatal(err)
	}
	sources, err := sourcesOf(text)
	if err != nil || len(sources) != 2 || sources[0].Name != "my script.sql" || sources[0].Weight != 2 ||
		sources[1].Weight != 9 {
		t.Errorf("%+v, %v", sources, err)
	}
}
