package term

import (
	"fmt"
	"io"
	"sync"
	"time"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
)

// Progress tells a person how far a run is. Its methods may be called from
// several goroutines. Errors of its writer are ignored: a closed terminal must
// not end a measurement.
type Progress interface {
	// Start says how many trials the plan asks for, 0 where only the run will
	// tell, and how long they take together.
	Start(total int, budget time.Duration)
	// TrialStarted names the trial that runs now, and how long it should take.
	TrialStarted(label string, expect time.Duration)
	// TrialDone gives its figure; void is why it cannot be trusted, else "".
	// Where there is neither, it says nothing.
	TrialDone(label, figure string, void string)
	// Note says something that is not about progress, on a line of its own.
	Note(msg string)
	// Stop removes what is shown; it may be called more than once.
	Stop()
}

// NewProgress gives a bar with the time left on a terminal that can draw one,
// and plain lines elsewhere.
func NewProgress(w io.Writer, tty bool, style Style) Progress {
	if style.Width <= 0 {
		style.Width = defaultWidth
	}
	if tty && !style.Dumb {
		return &barProgress{w: w, style: style, now: time.Now}
	}
	return &lineProgress{w: w, style: style}
}

// tally counts trials; it is what both kinds of progress know.
type tally struct {
	total, begun int
}

func (t *tally) begin() { t.begun++ }

// String writes "trial 3/20". A plan's total may be passed, when void trials
// are run again; it then grows.
func (t tally) String() string {
	if t.total == 0 {
		return fmt.Sprintf("trial %d", max(t.begun, 1))
	}
	return fmt.Sprintf("trial %d/%d", max(t.begun, 1), max(t.total, t.begun))
}

// outcome writes how a trial ended.
func outcome(style Style, figure, void string) string {
	if void != "" {
		return style.Paint(block.Bad, "void") + ", " + Clean(void)
	}
	return Clean(figure)
}

// lineProgress writes a line for each trial that is done.
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
		p.say("%s, about %s", figure.Count(total, "trial"), duration(budget))
	case total > 0:
		p.say("%s", figure.Count(total, "trial"))
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
		p.say("%s %s: %s", p.tally, Clean(label), outcome(p.style, figure, void))
	}
}

func (p *lineProgress) Note(msg string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say("%s", Clean(msg))
}

func (p *lineProgress) Stop() {}

// duration writes a time to the second, as "4m10s".
func duration(d time.Duration) string {
	if d < time.Second {
		return "less than 1s"
	}
	return d.Round(time.Second).String()
}
