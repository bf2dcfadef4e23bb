package reader

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Pgbench is the format of PostgreSQL's pgbench output, which gives several values.
const Pgbench = "pgbench"

// pgbenchRun is the output of one run.
type pgbenchRun struct {
	facts     map[string]string // "number of clients" and the like, verbatim
	tps       string
	withSetup string    // tps with the time of connecting; "": not stated
	begin     float64   // s that connecting took before the first transaction; 0: not stated
	connects  bool      // each transaction had its own connection
	timed     bool      // the latency is one of transactions, and does not follow from their rate
	progress  []float64 // transactions per second of each --progress line
	latency   float64   // s; 0: not stated
	stddev    float64   // s; 0: not stated
	lag       float64   // s; 0: no rate was set
	paced     bool      // transactions followed a rate
	scripts   []pgbenchScript

	aborted map[string]bool // clients
	whole   string          // what pgbench says if it ended early
}

// pgbenchScript is the statements of one script, without meta commands.
type pgbenchScript struct {
	name       string
	weight     string
	statements []pgbenchStatement
}

type pgbenchStatement struct {
	word string
	s    float64
}

// pgbenchFigures are the lines below the transaction type.
func pgbenchFigures() rules[pgbenchRun] {
	return rules[pgbenchRun]{
		// Older versions print two: the last one excludes connecting.
		on(`^tps = ([0-9.]+)(?: \((.*)\))?$`, func(r *pgbenchRun, m []string) {
			r.tps = m[1]
			if strings.HasPrefix(m[2], "including") {
				r.withSetup = m[1]
			}
			r.connects = r.connects || m[2] == "including reconnection times"
		}),
		on(`^(initial|average) connection time = ([0-9.]+) ms`, func(r *pgbenchRun, m []string) {
			if r.connects = m[1] == "average"; !r.connects {
				r.begin = milliseconds(m[2])
			}
		}),
		on(`^latency (average|stddev)( =|:) ([0-9.]+) ms`, func(r *pgbenchRun, m []string) {
			*map[string]*float64{"average": &r.latency, "stddev": &r.stddev}[m[1]] = milliseconds(m[3])
			r.timed = r.timed || m[1] == "stddev" || m[2] == ":" // of 9.5, by the time that was asked for
		}),
		on(`^rate limit schedule lag: avg ([0-9.]+)`, func(r *pgbenchRun, m []string) {
			r.lag, r.paced = milliseconds(m[1]), true
		}),
		on(`^SQL script [0-9]+: (.+)$`, func(r *pgbenchRun, m []string) {
			if first := r.last(); len(r.scripts) == 1 && first.weight == "" && len(first.statements) == 0 {
				r.scripts = nil // it represented all of them until now
			}
			r.scripts = append(r.scripts, pgbenchScript{name: m[1]})
		}),
		on(`^ - weight: ([0-9]+)`, func(r *pgbenchRun, m []string) { r.last().weight = m[1] }),
		on(`^ {2,}([0-9]+\.[0-9]+)(?: +[0-9]+){0,2}  (\S.*)$`, func(r *pgbenchRun, m []string) {
			if of := r.last(); !strings.HasPrefix(m[2], `\`) {
				of.statements = append(of.statements, pgbenchStatement{pgbenchWord(m[2]), milliseconds(m[1])})
			}
		}),
		on(`^statement latencies`, func(*pgbenchRun, []string) {}),
		on(`^([^ ].*?|): (.*)$`, func(r *pgbenchRun, m []string) { r.facts[m[1]] = m[2] }),
	}
}

// last returns the script that was named last.
func (r *pgbenchRun) last() *pgbenchScript { return &r.scripts[len(r.scripts)-1] }

// readPgbench parses all runs of an output, ignoring other lines.
func readPgbench(out []byte, b Bounds) ([]pgbenchRun, error) {
	ticks := regexp.MustCompile(`^progress: ([0-9.]+) s, ([0-9.]+) tps`)
	gone := regexp.MustCompile(`(?i)\bclient ([0-9]+)\b.*\b(?:aborted|died)\b`)
	figures := pgbenchFigures()
	var runs []pgbenchRun
	var progress []float64 // of the following run: it precedes the rest
	at, broken := 0.0, 0
	aborted := map[string]bool{}
	err := b.scan(out, pgbenchResult, func(line string) bool {
		if m := ticks.FindStringSubmatch(line); m != nil {
			if stated(m[1]) <= at { // the run that it was of has no results
				progress, broken = nil, broken+1
			}
			at, progress = stated(m[1]), append(progress, stated(m[2]))
			return true
		}
		if kind, ok := strings.CutPrefix(line, "transaction type: "); ok {
			runs = append(runs, pgbenchRun{facts: map[string]string{}, progress: progress,
				scripts: []pgbenchScript{{name: kind}}, aborted: aborted})
			progress, aborted, at = nil, map[string]bool{}, 0
			return true
		}
		if m := gone.FindStringSubmatch(line); m != nil {
			aborted[m[1]] = true
			return true
		}
		if last := len(runs) - 1; last >= 0 && strings.Contains(line, "Run was aborted") {
			runs[last].whole = "the run was aborted, and its results are incomplete"
			maps.Copy(runs[last].aborted, aborted) // if standard error came after the results
			clear(aborted)
			return true
		}
		return len(runs) > 0 && figures.line(&runs[len(runs)-1], line)
	})
	if len(runs) > 0 {
		maps.Copy(runs[len(runs)-1].aborted, aborted)
		if len(progress) > 0 {
			broken++
		}
		leaveBroken(b, broken)
	}
	return some(runs, err, out, "pgbench output", "its results begin with `transaction type:`")
}

// leaveBroken tells how many runs began to report and have no results.
func leaveBroken(b Bounds, runs int) {
	if runs > 0 {
		b.leave(fmt.Sprintf("%d of its runs reported progress and no results: broken off, and left out", runs))
	}
}

// pgbenchResult matches lines that look like results.
const pgbenchResult = `^(?:tps\b|latency |number of |statement latencies|rate limit schedule lag|progress: )`

func milliseconds(text string) float64 {
	f, err := Number(text)
	if err != nil {
		return 0
	}
	return f * 1e-3
}

// pgbenchWord returns a statement's first word in lower case; "" if it does not begin with one.
func pgbenchWord(text string) string {
	text = strings.ToLower(strings.TrimLeft(text, "( "))
	return text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
}

// Limits for statements, because a trial's line has to stay small.
const (
	pgbenchStatements = 16
	pgbenchLetters    = 12
)

// Values returns the values of one run, under the names of the workload pgbench.
func (r pgbenchRun) Values() ([]record.Value, error) {
	tps, err := Number(r.tps)
	if err != nil || tps <= 0 {
		return nil, errors.New("pgbench completed no transactions\nhint: see its standard error; use a longer -T")
	}
	out := Values{}
	rate := record.Higher
	if r.paced {
		rate = record.Neutral // it was requested
		out.add(record.Latency, "s", record.Lower, r.latency)
	}
	out.add(record.Throughput, "op/s", rate, tps)
	if !r.paced {
		out.add(record.Latency, "s", record.Lower, r.latency)
	}
	out.add("stddev_of_latency", "s", record.Lower, r.stddev)
	out.add("schedule_lag", "s", record.Lower, r.lag)
	if len(r.progress) > 1 { // of a stall it is 0
		out = append(out, record.Value{Metric: record.Metric{Name: "throughput_least", Unit: "op/s", Better: rate},
			Value: slices.Min(r.progress)})
	}
	r.shares(&out)
	r.statements(&out)
	return out, nil
}

// shares records the shares of transactions that went wrong.
func (r pgbenchRun) shares(out *Values) {
	failed, _ := percentIn(r.facts["number of failed transactions"])
	out.add(record.Failed, "%", record.Lower, failed)
	for _, s := range []struct{ name, fact string }{
		{"serialization_failures", "number of serialization failures"},
		{"deadlock_failures", "number of deadlock failures"},
		{"skipped", "number of transactions skipped"},
	} {
		share, stated := percentIn(r.facts[s.fact])
		out.count(s.name, "%", share, stated)
	}
	for fact, value := range r.facts {
		if strings.HasPrefix(fact, "number of transactions above the ") {
			share, stated := percentIn(value)
			out.count("over_limit", "%", share, stated)
		}
	}
	retries, err := Number(r.facts["total number of retries"])
	if n := r.transactions(); n > 0 {
		out.count("retries", "op", retries/n, err == nil)
	}
}

// transactions returns how many were done or failed.
func (r pgbenchRun) transactions() float64 {
	n := r.Outcomes()
	return float64(n.Done + n.Errors)
}

func (r pgbenchRun) Outcomes() record.LoadUse {
	done, _, _ := strings.Cut(r.facts["number of transactions actually processed"], "/")
	return outcomes(stated(done), map[string]float64{"transaction": r.failed()})
}

// The slack of pgbench's rate: the time that it states is the one that was asked for. A run lasts until its last
// transaction ends, and old versions count the time of connecting to it. Newer ones state that time, and their rate is
// at most the count in the rest.
const (
	pgbenchSlack = 1
	pgbenchOver  = 0.02
)

// Account returns the transactions that were due: those of -t, and those that -L skipped since they were late.
func (r pgbenchRun) Account() Account {
	done, all, counted := strings.Cut(r.facts["number of transactions actually processed"], "/")
	skipped, _, _ := strings.Cut(r.facts["number of transactions skipped"], " ")
	out := Account{Random: r.paced}
	if counted && stated(all) > 0 {
		out.Offered, out.Handled = stated(all), stated(done)+r.failed()
	} else if stated(skipped) > 0 {
		out.Offered, out.Handled = stated(done)+r.failed()+stated(skipped), stated(done)+r.failed()
	}
	switch clients := r.facts["number of clients"]; {
	case len(r.aborted) > 0 && clients != "":
		out.Broken = fmt.Sprintf("%d of %s clients aborted", len(r.aborted), clients)
	case len(r.aborted) > 0:
		out.Broken = fmt.Sprintf("%d clients aborted", len(r.aborted))
	case r.whole != "":
		out.Broken = r.whole
	}
	if out.Broken == "" {
		out.Rates, out.Means = r.rates(stated(done)), r.means()
	}
	return out
}

// rates returns the rate of so many transactions.
func (r pgbenchRun) rates(done float64) []Rated {
	asked, unit, _ := strings.Cut(r.facts["duration"], " ")
	if unit != "s" {
		return nil
	}
	out := Rated{Of: "transactions", Rate: stated(r.tps), Count: done, Seconds: stated(asked),
		Slack: rounded(stated(asked), 1, pgbenchSlack)}
	if rest := out.Seconds - r.begin; r.begin > 0 && rest > 0 && out.Rate > done/rest {
		out.Seconds, out.Slack = rest, pgbenchOver
	}
	return []Rated{out}
}

// means returns the latency that follows from the rate: each client has one transaction at a time. pgbench derives it
// so itself. If it timed each transaction instead, that is the most.
func (r pgbenchRun) means() []Meant {
	tps := stated(cmp.Or(r.withSetup, r.tps))
	if r.paced || r.failed() > 0 || !(tps > 0) {
		return nil
	}
	out := Meant{Of: "latency", Stated: r.latency, Follows: stated(r.facts["number of clients"]) / tps, Unit: "s",
		Slack: rounded(r.latency, 1e-6, pgbenchOver)}
	if r.timed && out.Stated < out.Follows {
		return nil
	}
	return []Meant{out}
}

// failed returns the number of failed transactions.
func (r pgbenchRun) failed() float64 {
	failed, _, _ := strings.Cut(r.facts["number of failed transactions"], " ")
	return stated(failed)
}

// percentIn returns 13.591 for "495 (13.591%)"; false if there is none.
func percentIn(text string) (percent float64, ok bool) {
	_, inside, _ := strings.Cut(text, "(")
	share, _, ok := strings.Cut(inside, "%)")
	f, err := Number(share)
	return f, ok && err == nil
}

func (r pgbenchRun) statements(out *Values) {
	n := 0
	for i, s := range r.scripts {
		before := "statement_"
		if len(r.scripts) > 1 {
			before += "script" + strconv.Itoa(i+1) + "_"
		}
		for j, statement := range s.statements {
			name := before + strconv.Itoa(j+1)
			if w := statement.word; w != "" {
				name += "_" + w[:min(len(w), pgbenchLetters)]
			}
			if n++; n <= pgbenchStatements {
				out.add(name, "s", record.Lower, statement.s)
			}
		}
	}
}

// PgbenchTool reads the output of pgbench.
func PgbenchTool() Tool {
	return Tool{Name: Pgbench, Doc: "output of PostgreSQL's pgbench, one or more runs per file", Read: runsOf(readPgbench),
		Marks: lineLike("a line `transaction type: …`", `^(?:transaction type: |progress: [0-9.]+ s, [0-9.]+ tps)`)}
}

func (r pgbenchRun) Load() (record.LoadPoint, error) {
	return clientsLoad(r.facts["number of clients"])
}

// Params returns the parameters that distinguish runs, under the names of the workload pgbench.
func (r pgbenchRun) Params() record.Params {
	out := record.Params{"script": r.script()}
	for name, fact := range map[string]string{"scale": "scaling factor", "protocol": "query mode",
		"tries": "maximum number of tries", "threads": "number of threads"} {
		if v := r.facts[fact]; v != "" {
			out[name] = v
		}
	}
	if r.paced {
		out["paced"] = "true" // the rate itself is not printed
	}
	if r.connects {
		out["connect"] = "true"
	}
	return out
}

// script returns a name such as "tpcb-like", or "transfer.sql@3 select-only@1".
func (r pgbenchRun) script() string {
	var words []string
	for _, s := range r.scripts {
		word := s.name
		switch s.name {
		case "<builtin: TPC-B (sort of)>", "TPC-B (sort of)": // the second until 9.5
			word = "tpcb-like"
		case "<builtin: simple update>", "Update only pgbench_accounts":
			word = "simple-update"
		case "<builtin: select only>", "SELECT only":
			word = "select-only"
		}
		if s.weight != "" && len(r.scripts) > 1 {
			word += "@" + s.weight
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
