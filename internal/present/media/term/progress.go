package term

import (
	"fmt"
	"io"
	"sync"
	"time"

	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Progress reports how far a run is. Its methods may be called from several goroutines. Errors of its writer are
// ignored: a closed terminal must not end a measurement.
type Progress interface {
	// Start announces the plan's number of trials, 0 if only the run will tell, and their total duration.
	Start(total int, budget time.Duration)
	// TrialStarted announces the trial that runs now, and its expected duration.
	TrialStarted(label string, expect time.Duration)
	// TrialDone reports a trial's figure; void is the reason if it cannot be trusted, else "". If both are empty, it
	// prints nothing.
	TrialDone(label, figure string, void string)
	// Note prints a remark that is not about progress, on a line of its own.
	Note(msg string)
	// Stop removes the display; it may be called more than once.
	Stop()
}

// NewProgress returns a bar with the time left if the terminal can draw one, else plain lines.
func NewProgress(w io.Writer, tty bool, style Style) Progress {
	if style.Width <= 0 {
		style.Width = defaultWidth
	}
	if tty && !style.Dumb {
		return &barProgress{w: w, style: style, now: time.Now}
	}
	return &lineProgress{w: w, style: style}
}

// tally counts trials, for both kinds of progress.
type tally struct {
	total, begun int
	why          string // of the last failed trial
}

func (t *tally) begin() { t.begun++ }

// String returns "trial 3/20". If void trials are repeated, the count may exceed a plan's total; the total then grows.
func (t tally) String() string {
	if t.total == 0 {
		return fmt.Sprintf("run %d", max(t.begun, 1))
	}
	return fmt.Sprintf("run %d/%d", max(t.begun, 1), max(t.total, t.begun))
}

// outcome returns how a trial ended. What the program printed that failed stands where the run ends, and a reason only
// where it is new.
func (t *tally) outcome(style Style, result, void string) string {
	if void == "" {
		return block.Clean(result)
	}
	why, before := figure.Brief(void), t.why
	if t.why = why; why == before {
		why = "as before"
	}
	return style.Paint(block.Bad, "failed") + ", " + block.Clean(why)
}

// lineProgress writes a line for each finished trial.
type lineProgress struct {
	mu    sync.Mutex
	w     io.Writer
	style Style
	tally tally
}

func (p *lineProgress) say(format string, args ...any) {
	fmt.Fprintf(p.w, format+"\n", args...)
}

func (p *lineProgress) Start(total int, budget time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally = tally{total: total}
	switch {
	case total > 0 && budget > 0:
		p.say("%s, %s of warm-up and measurement", figure.Count(total, "run"), duration(budget))
	case total > 0:
		p.say("%s", figure.Count(total, "run"))
	}
}

func (p *lineProgress) TrialStarted(string, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally.begin()
}

func (p *lineProgress) TrialDone(label, figure, void string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if figure != "" || void != "" {
		p.say("%s %s: %s", p.tally, block.Clean(label), p.tally.outcome(p.style, figure, void))
	}
}

func (p *lineProgress) Note(msg string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say("%s", block.Clean(msg))
}

func (p *lineProgress) Stop() {}

// duration formats a time to the second, as "4m10s".
func duration(d time.Duration) string {
	if d < time.Second {
		return "less than 1s"
	}
	return d.Round(time.Second).String()
}
