package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// figures measures what the campaign itself makes, and compares what the program says of it: a web server that knows
// when each request came and went, or a command that knows when it began and ended and what it printed; and imports a
// table.
func figures(ctx context.Context, t *trial) outcome {
	measured := worked
	if t.random.IntN(2) == 0 {
		measured = func(ctx context.Context, t *trial) outcome { return t.served(ctx, honest) }
	}
	out := measured(ctx, t)
	if out.broken == "" {
		out.broken = text(t.tabled(ctx))
	}
	return out
}

// What is said of a figure that is not what the campaign made, and of a run that a fault has spoilt and that counts.
const (
	injectedElse    = "what was injected is another figure"
	validAllTheSame = "is valid all the same"
)

// serverFault measures a web server of the campaign's own that does what spoils a run once: by the server's own clock
// in the measured window, or before it. That run is void and no other.
func serverFault(ctx context.Context, t *trial) outcome {
	// Twice those that nothing but the agent's own word tells of.
	faults := []string{absent, absent, shortens, shortens, dies, refuses}
	return t.served(ctx, faults[t.random.IntN(len(faults))])
}

// The load of a web server of the campaign's own.
const (
	webRuns    = 2
	webClients = 2
	webWarmup  = 100 * time.Millisecond
	webWindow  = 300 * time.Millisecond
)

// served measures a web server of the campaign's own.
func (t *trial) served(ctx context.Context, fault string) outcome {
	p := webPlan{dir: filepath.Join(t.dir, "web"), fault: fault, start: 1 + t.random.IntN(webRuns),
		service: 2 * time.Millisecond, warmup: webWarmup, window: webWindow, at: .05 + .9*t.random.Float64()}
	if fault == dies && t.random.IntN(2) == 0 { // so late that few operations fail, of many
		p.service, p.at = 0, .97+.02*t.random.Float64()
	}
	path, err := p.wrapper()
	if err != nil {
		return outcome{broken: text(err)}
	}
	t.own, t.known.window = append(t.own, "PLIMSOLL_EMBEDDED="+path), webWindow
	t.replace = []string{"http", "--set", "http.server=embedded", "--clients", strconv.Itoa(webClients), "--for",
		webWindow.String(), "--warmup", webWarmup.String(), "--replicates", strconv.Itoa(webRuns)}
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	code := r.wait()
	c, err := t.kept(r.said.Load())
	seen, serr := p.seen()
	out := outcome{}
	if err = errors.Join(err, serr); err == nil {
		out.hit, err = p.judge(c, seen, code)
	}
	if err == nil {
		err = t.exported(ctx, c)
	}
	if err != nil {
		err = fmt.Errorf("%s, start %d, at %.2f of the window: exit code %d: %w: %s", fault, p.start, p.at, code, err,
			r.text.String())
	}
	out.broken = text(errors.Join(err, t.deserted(), t.tidy()))
	return out
}

// judge holds a session to what its servers saw: each run has one of its own.
func (p webPlan) judge(c content, seen []traffic, code int) (bool, error) {
	if len(seen) != len(c.order) {
		return false, fmt.Errorf("%d servers were started, and there are %d runs", len(seen), len(c.order))
	}
	hit := p.fault == honest && c.valid() > 0
	others := false
	var errs []error
	for i, l := range c.order {
		spoilt := seen[i].fault > 0
		from, to := l.window()
		hit = hit || spoilt && (p.fault == absent || p.inWindow(seen[i]))
		switch {
		case spoilt && l.Void == nil && p.fault == absent:
			errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": its server was not there", l.ID))
		case spoilt && l.Void == nil && !seen[i].began(from-int64(l.Warmup*1e9)):
			errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": its window begins at %d, and its load between "+
				"%d and %d", l.ID, from, seen[i].ready, seen[i].first()))
		case spoilt && l.Void == nil && seen[i].fault < to:
			errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": its server was spoilt %v before its window ended",
				l.ID, time.Duration(to-seen[i].fault)))
		case l.Void == nil && !spoilt:
			if err := l.agrees(seen[i], webClients); err != nil {
				errs = append(errs, fmt.Errorf("the run %s: %w", l.ID, err))
			}
		case l.Void != nil && !spoilt && !l.stoodStill():
			errs = append(errs, fmt.Errorf("the run %s is void, and nothing was wrong: %v", l.ID, l.Void))
		}
		others = others || l.stoodStill()
	}
	if (code != 0 || c.valid() != webRuns) && !others {
		errs = append(errs, fmt.Errorf("%d of %d runs are valid", c.valid(), webRuns))
	}
	return hit, errors.Join(errs...)
}

// inWindow reports whether a fault came in the window by the server's clock, which knows when the load's first request
// came and how long it is to be. The window ends earlier by as much as that request was late.
func (p webPlan) inWindow(seen traffic) bool {
	from := seen.first() + int64(p.warmup)
	return len(seen.all) > 0 && seen.fault >= from && seen.fault < from+int64(p.window)
}

// workRuns is how many runs a session of a command of the campaign's own has.
const workRuns = 3

// work is that command: FILE LASTS. It prints a value, and appends to a file what it did.
func work(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: work FILE LASTS")
	}
	lasts, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	started, err := startOf(os.Getpid())
	if err != nil {
		return err
	}
	began := monotonic()
	for monotonic() < began+int64(lasts)/4 { // works, and then waits
	}
	time.Sleep(lasts - lasts/4)
	f, err := os.OpenFile(args[0], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	value := 1000 + float64(began%1000003)/7
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return err
	}
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	fmt.Println("value", value)
	_, err = fmt.Fprintln(f, started, began, monotonic(), cpu, value)
	return errors.Join(err, f.Close())
}

// startOf returns when a process was started, on CLOCK_MONOTONIC, by proc_pid_stat(5), which counts hundredths of a
// second since the machine was started.
func startOf(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 20 {
		return 0, fmt.Errorf("/proc/%d/stat: %q", pid, text)
	}
	ticks, err := strconv.ParseInt(fields[19], 10, 64)
	var boot unix.Timespec
	err = errors.Join(err, unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot))
	return ticks*int64(time.Second/100) - (boot.Nano() - monotonic()), err
}

// worked measures a command of the campaign's own: by its time, or by what it prints.
func worked(ctx context.Context, t *trial) outcome {
	self, err := os.Executable()
	if err != nil {
		return outcome{broken: text(err)}
	}
	ledger, lasts := filepath.Join(t.dir, "work"), 300*time.Millisecond
	t.replace = []string{"exec", "--set", fmt.Sprintf("exec.command=%s work %s %v", self, ledger, lasts), "--replicates",
		strconv.Itoa(workRuns)}
	parsed := t.random.IntN(2) == 0
	if parsed {
		t.replace = append(t.replace, "--set", "exec.parse=regexp", "--set", "exec.pattern=value ([0-9.e+]+)", "--set",
			"exec.metric=speed", "--set", "exec.unit=op/s", "--set", "exec.better=higher")
	}
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	code := r.wait()
	c, err := t.kept(r.said.Load())
	done, derr := readWork(ledger)
	if err = errors.Join(err, derr); err == nil {
		err = agreeWith(c, done, parsed)
	}
	if code != 0 {
		err = errors.Join(err, fmt.Errorf("exit code %d: %s", code, r.text.String()))
	}
	if err == nil {
		err = t.exported(ctx, c)
	}
	return outcome{hit: c.valid() > 0, broken: text(errors.Join(err, t.deserted(), t.tidy()))}
}

// doneWork is what a command did: when its process was there, and when it began and ended, in nanoseconds of
// CLOCK_MONOTONIC, with how much CPU time, in seconds, and what it printed.
type doneWork struct {
	started, began, ended int64
	cpu, value            float64
}

func readWork(path string) ([]doneWork, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []doneWork
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var d doneWork
		if _, err := fmt.Sscan(lines.Text(), &d.started, &d.began, &d.ended, &d.cpu, &d.value); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// agreeWith returns an error if the runs are not those of the command, each with its figures.
func agreeWith(c content, done []doneWork, parsed bool) error {
	if len(done) != len(c.order) {
		return fmt.Errorf("the command ran %d times, and there are %d runs", len(done), len(c.order))
	}
	var errs []error
	for i, l := range c.order {
		d := done[i]
		if l.Void != nil {
			continue
		}
		if parsed && math.Abs(l.value("speed")/d.value-1) > 1e-12 {
			errs = append(errs, fmt.Errorf("the run %s has %v: "+injectedElse+", %v", l.ID, l.value("speed"), d.value))
		}
		// Its process is there for a moment after it read a clock: on a machine with other work at most half of what it took.
		least, most := time.Duration(d.ended-d.began).Seconds(), 1.5*time.Duration(d.ended-d.started).Seconds()+.02
		if got := l.value("time"); got < least || got > most {
			errs = append(errs, fmt.Errorf("the run %s took %v s: "+injectedElse+", %v to %v", l.ID, got, least, most))
		}
		if got := l.value("user_s") + l.value("system_s"); got < .95*d.cpu-.001 || got > 1.2*d.cpu+.02 {
			errs = append(errs, fmt.Errorf("the run %s took %v s of CPU time: "+injectedElse+", %v", l.ID, got, d.cpu))
		}
		if from, to := l.window(); d.began < from || d.ended > to {
			errs = append(errs, fmt.Errorf("the run %s was measured from %d to %d: "+injectedElse+", %d to %d", l.ID, from, to,
				d.began, d.ended))
		}
	}
	return errors.Join(errs...)
}

// tabled imports a table: the values of the session are those of the table.
func (t *trial) tabled(ctx context.Context) error {
	t.session = filepath.Join(t.dir, "table.plimsoll.jsonl")
	var rows strings.Builder
	rows.WriteString("machine,workload,replicate,load,load_kind,metric,value,unit\n")
	var want []float64
	for i := range 20 {
		v := float64(1000 + t.random.IntN(1e6))
		want = append(want, v)
		fmt.Fprintf(&rows, "m%d,table,%d,1,clients,throughput,%v,op/s\n", i%2, i/2, v)
	}
	path := filepath.Join(t.dir, "table.csv")
	err := os.WriteFile(path, []byte(rows.String()), 0o600)
	if err == nil {
		_, err = t.importTo(ctx, t.session, "table.csv")
	}
	if err != nil {
		return err
	}
	c, err := t.kept(0)
	if err == nil {
		err = sameValues("the session has", firsts(c), want)
	}
	if err == nil {
		err = t.exported(ctx, c)
	}
	return errors.Join(err, t.deserted(), t.tidy())
}

// firsts returns the first value of each valid run.
func firsts(c content) []float64 {
	var out []float64
	for _, l := range c.order {
		if l.Void == nil && len(l.Values) > 0 {
			out = append(out, l.Values[0].Value)
		}
	}
	return out
}

func sameValues(who string, got, want []float64) error {
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a/b-1) < 1e-12 }) {
		return fmt.Errorf("%s %v: "+injectedElse+", %v", who, got, want)
	}
	return nil
}

// exported checks that an export has the values of the file, as the program reads them.
func (t *trial) exported(ctx context.Context, c content) error {
	if c.valid() == 0 {
		return nil
	}
	r, err := t.command(ctx, []string{t.program, "export", t.session, "--format", "csv"})
	if err != nil {
		return err
	}
	if code := r.wait(); code != 0 {
		return fmt.Errorf("export ends with %d: %s", code, r.text.String())
	}
	f, err := os.Open(r.out.Name())
	if err != nil {
		return err
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.FieldsPerRecord = -1
	rows, err := table.ReadAll()
	if err != nil || len(rows) == 0 {
		return fmt.Errorf("export: %d rows: %w", len(rows), err)
	}
	metric, value := slices.Index(rows[0], "metric"), slices.Index(rows[0], "value")
	first := ""
	for _, l := range c.order {
		if l.Void == nil && len(l.Values) > 0 {
			first = l.Values[0].Name
		}
	}
	var got []float64
	for _, row := range rows[1:] {
		if row[metric] == first {
			v, err := strconv.ParseFloat(row[value], 64)
			if err != nil {
				return err
			}
			got = append(got, v)
		}
	}
	return sameValues("export has", got, firsts(c))
}
