package plain

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// planted has for each rule sentences in which it must find as many places as there are brackets. The brackets are
// removed before.
func planted() map[string][]string {
	return map[string][]string{
		"Alone": {"Reads [alone] take 5 ms.", "It measures the disk [alone]."},
		"For": {"No verdict is given[, for] it would be wrong.", "It stops[, for] the runs are equal.",
			"It stops[; for] nothing changes."},
		"Hold":   {"The file [holds] the runs.", "This [held] until version 2.", "Files [hold] figures."},
		"Length": {"[One]" + strings.Repeat(" word", 30) + "."},
		"Lie":    {"The interval [lies] above 0.", "Data [lie] on a disk."},
		"Micro":  {"A call takes 5 [us] here.", "It took 1.5[us] then."},
		"None": {"An order [is no] image.", "It [has none] of these.", "Values that [are no] numbers fail.",
			"The cause [was none]."},
		"Of":      {"[Of] 20 runs three failed.", "It ends. [Of] the rest nothing is kept."},
		"Own":     {"They are types [of their own].", "It has a clock [of its own]."},
		"Percent": {"It uses 30 [%] of the CPUs."},
		"Say":     {"The note [says] why.", "It is [said] once.", "Nothing [tells] them apart, and you are [told] so."},
		"Stand":   {"The answer [stands] first.", "It [stood] above the table."},
		"ThatOf":  {"Its rate is [that of] the disk.", "Runs are [those of] a night."},
		"What":    {"It shows a part [of what] it wrote.", "It compares the file [with what] it wrote."},
		"Words": {"It appears [beside] the name.", "[Likewise] it ends.", "It passes [whatever] fails.",
			"[Whoever] asks waits."},
	}
}

// asPeers are sentences as hyperfine, k6, restic, fio and pgbench write them: no rule finds anything.
func asPeers() []string {
	return []string{
		"'sleep 0.01' ran 1.91 ± 0.02 times faster than 'sleep 0.02'.",
		"need >= 6 samples for confidence interval at level 0.95",
		"You can use -i to ignore non-zero exit codes. For example, a command that fails still counts.",
		"Thresholds are the pass/fail criteria that you define for your test metrics.",
		"There is no limit on the number of files, and there are no files larger than 30% of the disk.",
		"The repository is no longer locked, and the option has no effect.",
		"Of course, you can pass a password with --password-file.",
		"The process waits for a lock; the lock is held by another restic.",
		"VUs stand for virtual users. Their own data is not shared, but you can let alone what you don't need.",
		"Waits up to 5 µs, for at most 10 minutes, for example, for each transaction of type tpcb-like.",
		"For example, say you have two clients, say 5 and 6. Let's say they run.",
		"Say, for instance, they stop. To tell fio not to wait, set it.",
		"A stand-alone server is better than a stand-in, but leave the release branch alone.",
		"Use the option to what extent you like, e.g. Of the type int.",
	}
}

func TestPlantedSentencesAreFound(t *testing.T) {
	rules := mustRules(t)
	all := planted()
	for _, r := range rules {
		if len(all[r.Name]) == 0 {
			t.Errorf("no sentence is planted for rule %s", r.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, marked := range all[name] {
			text := strings.NewReplacer("[", "", "]", "").Replace(marked)
			found := find(rules, text)
			if len(found) != strings.Count(marked, "[") ||
				slices.ContainsFunc(found, func(f finding) bool { return f.rule != name || f.message == "" }) {
				t.Errorf("%s: %s: found %v", name, marked, found)
			}
		}
	}
}

func TestSentencesOfPeersAreClean(t *testing.T) {
	rules := mustRules(t)
	for _, text := range asPeers() {
		if found := find(rules, text); len(found) > 0 {
			t.Errorf("%s: found %v", text, found)
		}
	}
	if found := find(rules, strings.Repeat("Thirty"+strings.Repeat(" words", 29)+". ", 3)); len(found) > 0 {
		t.Errorf("three sentences of 30 words: found %v", found)
	}
}

func TestRulesOfOtherFormsAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"extends: existence\nmessage: m\nlevel: error\ntokens: [a]\nunknown: 1":     "unknown",
		"extends: metric\nmessage: m\nlevel: error":                                 "only existence",
		"extends: existence\nmessage: m\nlevel: error":                              "tokens",
		"extends: existence\nmessage: m\nlevel: warning\ntokens: [a]":               "level error",
		"extends: existence\nmessage: m\nlevel: error\nscope: heading\ntokens: [a]": "scope",
		"extends: existence\nmessage: m\nlevel: error\ntokens: ['(?!a)']":           "invalid",
		"extends: occurrence\nmessage: m\nlevel: error\ntoken: a":                   "max",
	} {
		if _, err := readRule("r", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestPageProse(t *testing.T) {
	const page = "# A title that stands\n\nIt `says` and\nholds [a link](lies.md).\n\n```sh\nalone beside\n```\n\n" +
		"- an item\n  - alone\n\n<!-- facts -->\n| a | b |\n|---|---|\n| x | beside |\n\nText.\n\n| c | d |\n|---|---|\n" +
		"| alone | `alone` |\n"
	want := []string{"page.md:1: Stand", "page.md:4: Hold", "page.md:11: Alone", "page.md:22: Alone"}
	wantPlaces(t, findIn(mustRules(t), "page.md", "", "page", pageProse([]byte(page))), want)
}

func TestTextsAndComments(t *testing.T) {
	const source = "// Package a says what it is.\npackage a\n\nimport \"beside/alone/one two three\"\n\n" +
		"// F holds\n// x.\n//\n//\talone in an example\n//\n//go:generate alone is a directive\nfunc F() {\n" +
		"\tuse(\"the rest is said here\", \"said here\", \"it \"+\n\t\t\"is \"+use(\"a run that is told\")+\" alone\")\n" +
		"\tuse(\"uses %.0f %% of it\") // in one go, beside\n" +
		"\tuse(`a first line\nthis one is alone`)\n}\n\ntype T struct {\n\tA int `says:\"a b c\"`\n}\n"
	places, err := findInGo(mustRules(t), "a.go", "internal/a", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	wantPlaces(t, places, []string{"a.go:13: Say", "a.go:14: Say", "a.go:14: Alone", "a.go:15: Percent",
		"a.go:17: Alone", "a.go:1: Say", "a.go:6: Hold", "a.go:15: Words"})
	if k := places[0].where; k != (key{"internal/a", "string", "Say"}) {
		t.Errorf("counted by %v", k)
	}
	if k := places[len(places)-1].where; k != (key{"internal/a", "comment", "Words"}) {
		t.Errorf("counted by %v", k)
	}
}

func TestOnlyProseOfStrings(t *testing.T) {
	const source = "package a\n\nvar (\n\ta = `said\n\ta word said\n\tselect c_id, o_id from {said} where o_id = c_id\n" +
		"\tuse --says, --tells, --held and --alone\n\tthree words said here`\n)\n"
	places, err := findInGo(mustRules(t), "a.go", "internal/a", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	wantPlaces(t, places, []string{"a.go:5: Say", "a.go:8: Say"})
}

func wantPlaces(t *testing.T, places []place, want []string) {
	t.Helper()
	for i := range max(len(places), len(want)) {
		if i >= len(places) || i >= len(want) || !strings.HasPrefix(places[i].String(), want[i]+":") {
			t.Fatalf("found %v, want %v", places, want)
		}
	}
}

func TestCountsOnlyFall(t *testing.T) {
	a, b := key{"internal/a", "string", "Say"}, key{"internal/b", "comment", "Hold"}
	at := func(k key, n int) []place { return slices.Repeat([]place{{"x.go", 7, k, "text"}}, n) }
	for _, c := range []struct {
		allowed map[key]int
		found   []place
		wrong   []string
		lowered map[key]int
	}{
		{map[key]int{a: 2}, at(a, 2), nil, map[key]int{a: 2}},
		{map[key]int{a: 2}, at(a, 3), []string{"x.go:7: Say"}, map[key]int{a: 2}},
		{map[key]int{a: 2}, at(a, 1), []string{"-update"}, map[key]int{a: 1}},
		{map[key]int{a: 2}, nil, []string{"-update"}, map[key]int{}},
		{map[key]int{a: 2}, slices.Concat(at(a, 2), at(b, 1)), []string{"0 are allowed"}, map[key]int{a: 2}},
	} {
		wrong, lowered := exceeded(c.allowed, c.found)
		if len(wrong) != len(c.wrong) || len(wrong) > 0 && !strings.Contains(wrong[0], c.wrong[0]) {
			t.Errorf("%v, found %v: %q, want %q", c.allowed, c.found, wrong, c.wrong)
		}
		if !maps.Equal(lowered, c.lowered) {
			t.Errorf("%v, found %v: lowered to %v, want %v", c.allowed, c.found, lowered, c.lowered)
		}
		again, err := readCounts(writeCounts(lowered))
		if err != nil || !maps.Equal(again, lowered) {
			t.Errorf("%v is read back as %v: %v", lowered, again, err)
		}
	}
	for _, text := range []string{"internal/a string Say", "internal/a string Say 0", "internal/a string Say x"} {
		if _, err := readCounts([]byte(text)); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}
