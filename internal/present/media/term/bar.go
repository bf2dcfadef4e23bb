package term

import (
	"fmt"
	"io"
	"plimsoll/internal/record/block"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	barWidth   = 24 // at most; a quarter of the terminal if that is less
	barTick    = 500 * time.Millisecond
	barSteps   = 1000 // the bar's resolution: it moves with time, not with trials
	barChrome  = 11   // columns of percentage, brackets and spaces
	minBarText = 20
)

// barProgress draws one line at the foot of a terminal. The bar is time: the expected durations of finished trials,
// plus the elapsed time of the present one.
type barProgress struct {
	mu    sync.Mutex
	w     io.Writer
	style Style
	now   func() time.Time

	bar    *progressbar.ProgressBar
	stop   chan struct{}
	idle   sync.WaitGroup
	tally  tally
	budget time.Duration
	spent  time.Duration // expected time of the finished trials
	label  string
	expect time.Duration
	since  time.Time // zero between trials
}

func (p *barProgress) Start(total int, budget time.Duration) {
	p.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally, p.budget, p.spent = tally{total: total}, budget, 0
	p.label, p.expect, p.since = "", 0, time.Time{}
	p.bar = progressbar.NewOptions(barSteps,
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionSetWidth(p.barWidth()),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetTheme(progressbar.Theme{
			Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]",
		}),
	)
	p.stop = make(chan struct{})
	stop := p.stop
	p.idle.Go(func() { p.tick(stop) })
}

func (p *barProgress) tick(stop chan struct{}) {
	t := time.NewTicker(barTick)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

func (p *barProgress) TrialStarted(label string, expect time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally.begin()
	p.label, p.expect, p.since = block.Clean(label), expect, p.now()
	p.draw()
}

func (p *barProgress) TrialDone(label, figure, void string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent += p.expect
	p.expect, p.since = 0, time.Time{}
	if figure != "" || void != "" {
		p.above(fmt.Sprintf("%s %s: %s", p.tally, block.Clean(label), p.tally.outcome(p.style, figure, void)))
	}
}

func (p *barProgress) Note(msg string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.above(block.Clean(msg))
}

func (p *barProgress) Stop() {
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop == nil {
		return
	}
	close(stop)
	p.idle.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.Clear()
	p.bar = nil
}

// above writes a permanent line, and the bar again below it.
func (p *barProgress) above(line string) {
	if p.bar != nil {
		p.bar.Clear()
	}
	fmt.Fprintln(p.w, line)
	p.draw()
}

func (p *barProgress) draw() {
	if p.bar == nil {
		return
	}
	done, left := p.elapsed()
	text, step := p.tally.String(), 0
	if p.budget > 0 {
		text += ", " + duration(left) + " left"
		step = int(barSteps * done / p.budget)
	}
	if p.label != "" {
		text += ": " + p.label
	}
	room := max(p.style.Width-p.barWidth()-barChrome, minBarText)
	// The library ends a bar that is full, and would then draw no more.
	p.bar.Set(min(step, barSteps-1))
	p.bar.Describe(block.Cut(text, room))
}

func (p *barProgress) barWidth() int { return min(barWidth, p.style.Width/4) }

// elapsed returns how much of the budget is used and how much is left. A trial that takes longer than expected holds
// both still.
func (p *barProgress) elapsed() (done, left time.Duration) {
	done = p.spent
	if !p.since.IsZero() {
		done += min(p.now().Sub(p.since), p.expect)
	}
	return done, max(p.budget-done, 0)
}
