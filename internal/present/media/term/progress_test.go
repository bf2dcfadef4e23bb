package term

import (
	"bytes"
	"plimsoll/internal/record/block"
	"strings"
	"sync"
	"testing"
	"time"
)

// rehearse runs a plan of three trials through p.
func rehearse(p Progress) {
	p.Start(3, 30*time.Second)
	p.TrialStarted("aes-gcm size=16KiB cpus=1", 10*time.Second)
	p.TrialDone("aes-gcm size=16KiB cpus=1", "5.81 GB/s", "")
	p.Note("steal is 3%\x1b[2J")
	p.TrialStarted("aes-gcm size=16KiB cpus=4", 10*time.Second)
	p.TrialDone("aes-gcm size=16KiB cpus=4", "", "throttled for 1.8 s")
	p.Stop()
	p.Stop()
}

func TestPlainProgress(t *testing.T) {
	want := `3 runs, 30s of warm-up and measurement
run 1/3 aes-gcm size=16KiB cpus=1: 5.81 GB/s
steal is 3%` + "\uFFFD" + `[2J
run 2/3 aes-gcm size=16KiB cpus=4: failed, throttled for 1.8 s
`
	for name, p := range map[string]func(*bytes.Buffer) Progress{
		"no terminal":   func(b *bytes.Buffer) Progress { return NewProgress(b, false, Style{Width: 80}) },
		"dumb terminal": func(b *bytes.Buffer) Progress { return NewProgress(b, true, Style{Width: 80, Dumb: true}) },
	} {
		var b bytes.Buffer
		rehearse(p(&b))
		if b.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, b.String(), want)
		}
	}
}

func TestPlainProgressWithoutTotal(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, false, Style{})
	p.Start(0, 0)
	p.TrialStarted("disk", 0)
	p.TrialDone("disk", "1.10 GB/s", "")
	if got, want := b.String(), "run 1 disk: 1.10 GB/s\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// lockedBuffer may be written by the bar's ticker as well.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestBarKeepsFinishedTrials(t *testing.T) {
	var out lockedBuffer
	rehearse(NewProgress(&out, true, Style{Width: 80}))
	for _, want := range []string{
		"run 1/3 aes-gcm size=16KiB cpus=1: 5.81 GB/s\n",
		"run 2/3 aes-gcm size=16KiB cpus=4: failed, throttled for 1.8 s\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %q in %q", want, out.String())
		}
	}
	if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
		t.Errorf("Stop leaves the bar: %q", out.String())
	}
}

// shownBar is the last drawing of a bar.
func shownBar(out *lockedBuffer) string {
	text := out.String()
	return strings.TrimSuffix(text[strings.LastIndex(text, "\r")+1:], "\x1b[0K")
}

func TestBarTellsTimeLeftFromThePlan(t *testing.T) {
	var out lockedBuffer
	clock := time.Unix(1000, 0)
	p := &barProgress{w: &out, style: Style{Width: 90}, now: func() time.Time { return clock }}
	p.Start(2, 200*time.Second)
	defer p.Stop()
	p.TrialStarted("disk mode=read", 100*time.Second)
	for _, c := range []struct {
		after      time.Duration
		share, say string
	}{
		{0, "0%", "run 1/2, 3m20s left: disk mode=read"},
		{50 * time.Second, "25%", "run 1/2, 2m30s left: disk mode=read"},
		{170 * time.Second, "50%", "run 1/2, 1m40s left: disk mode=read"}, // late: it holds still
	} {
		p.mu.Lock()
		clock = time.Unix(1000, 0).Add(c.after)
		p.draw()
		p.mu.Unlock()
		if got := shownBar(&out); !strings.Contains(got, c.say) || !strings.Contains(got, c.share) {
			t.Errorf("after %v: %q, want %q and %q", c.after, got, c.share, c.say)
		}
	}
}

// Void trials that are run again pass the plan's total and its time; the bar
// must neither end nor run backwards.
func TestBarOutlivesItsBudget(t *testing.T) {
	var out lockedBuffer
	p := NewProgress(&out, true, Style{Width: 60})
	p.Start(1, 10*time.Second)
	for range 3 {
		p.TrialStarted("a workload with a name that is much too long for this terminal", 10*time.Second)
		p.TrialDone("a", "1 GB/s", "")
	}
	got := shownBar(&out)
	p.Stop()
	if !strings.Contains(got, "run 3/3, less than 1s left") {
		t.Errorf("the bar is %q", got)
	}
	if w := block.DisplayWidth(got); w > 60 {
		t.Errorf("the bar is %d wide: %q", w, got)
	}
}
