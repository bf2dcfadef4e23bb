package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "regulation:", err)
		stop()
		os.Exit(1)
	}
}

// processors are more than there are threads that wait for requests.
const processors = 64

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("regulation", flag.ContinueOnError)
	program := flags.String("plimsoll", "plimsoll", "the program that is tested")
	seed := flags.Uint64("seed", 1, "of the disks")
	disks := flags.Int("disks", 120, "how many are drawn")
	safe := flags.Bool("safe-rate", false, "verify the safe rate of each as well")
	serve := flags.String("serve", "", "mount disk number -disks at this directory, and do nothing else until interrupted")
	if err := flags.Parse(args); err != nil {
		return err
	}
	// Threads that wait for requests keep their processors of Go's until its monitor takes these away, up to 10 ms later,
	// and timers wait for one: where there were two, up to a third of the periods of some disks were cut in two.
	runtime.GOMAXPROCS(processors)
	if *serve != "" {
		return served(ctx, *serve, drawn(*seed, *disks))
	}
	dir, err := os.MkdirTemp("", "plimsoll-regulation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("seed %d, %d disks\n%-40s %-8s %8s %8s %8s\n", *seed, *disks, "truth", "found", "period", "bytes", "rate")
	var all []result
	for i := range *disks {
		t := drawn(*seed, i)
		found, err := measured(ctx, *program, filepath.Join(dir, fmt.Sprint(i)), t, *safe)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return fmt.Errorf("disk %d, %s: %w", i, t, err)
		}
		all = append(all, result{t, found})
		fmt.Println(all[i])
	}
	summary(all)
	return ctx.Err()
}

// served lets others load a paced disk.
func served(ctx context.Context, dir string, t truth) error {
	unmount, err := mount(dir, t.pacer)
	if err != nil {
		return err
	}
	fmt.Printf("%s at %s\n", t, dir)
	<-ctx.Done()
	return unmount()
}

// found is what `plimsoll show` says of a disk.
type found struct {
	Class        string   `json:"class"`
	PeriodS      *float64 `json:"period_s"`
	QuantumBytes *float64 `json:"quantum_bytes"`
	BucketBytes  *float64 `json:"bucket_bytes"`
	Rate         *float64 `json:"rate"`
	Verified     *struct {
		Holds *bool `json:"holds"`
	} `json:"verified"`
}

// measured runs the load, by threads since the kernel carries out what io_uring asks of FUSE one after the other, on a
// disk that is mounted for it, and asks what was found.
func measured(ctx context.Context, program, dir string, t truth, safe bool) (found, error) {
	mnt, session := filepath.Join(dir, "disk"), filepath.Join(dir, "session.jsonl")
	if err := os.MkdirAll(mnt, 0o700); err != nil {
		return found{}, err
	}
	unmount, err := mount(mnt, t.pacer)
	if err != nil {
		return found{}, err
	}
	args := []string{"run", "disk", "-o", session, "--replicates", "1", "--warmup", "0s", "--for",
		t.measure.Round(time.Second / 10).String()}
	for _, set := range []string{"path=" + mnt, "rw=randread", fmt.Sprintf("block=%dB", t.block), "jobs=1", "depth=128",
		"size=64MiB", "engine=threads"} {
		args = append(args, "--set", "disk."+set)
	}
	if safe {
		args = append(args, "--safe-rate")
	}
	load := exec.CommandContext(ctx, program, args...)
	load.Cancel = func() error { return load.Process.Signal(os.Interrupt) } // so that it ends its trial
	load.WaitDelay = 10 * time.Second
	out, runErr := load.CombinedOutput()
	if err := unmount(); err != nil {
		return found{}, fmt.Errorf("unmounting: %w", err)
	}
	if runErr != nil {
		return found{}, fmt.Errorf("%w: %s", runErr, out)
	}
	shown, err := exec.CommandContext(ctx, program, "show", "--json", session).Output()
	if err != nil {
		return found{}, fmt.Errorf("show: %w", err)
	}
	var doc struct {
		Findings []struct {
			Kind string `json:"kind"`
			Body *found `json:"body"`
		} `json:"findings"`
	}
	if err := json.Unmarshal(shown, &doc); err != nil {
		return found{}, err
	}
	for _, f := range doc.Findings {
		if f.Kind == "regulation" && f.Body != nil {
			return *f.Body, nil
		}
	}
	return found{Class: "none"}, nil
}

// result is one row.
type result struct {
	truth truth
	found found
}

// off is the error of a figure as a fraction; NaN where there is none.
func off(found *float64, truth float64) float64 {
	if found == nil || truth == 0 {
		return math.NaN()
	}
	return *found/truth - 1
}

// errors are those of the period, of the bytes of a period or a bucket, and of the rate.
func (r result) errors() [3]float64 {
	amount := r.found.QuantumBytes
	if r.truth.class == "credit" {
		amount = r.found.BucketBytes
	}
	return [3]float64{off(r.found.PeriodS, r.truth.period), off(amount, r.truth.amount), off(r.found.Rate, r.truth.rate)}
}

func (r result) String() string {
	text := fmt.Sprintf("%-40s %-8s", r.truth, r.found.Class)
	for _, e := range r.errors() {
		if math.IsNaN(e) {
			text += fmt.Sprintf(" %8s", "")
			continue
		}
		text += fmt.Sprintf(" %+6.2f %%", 100*e)
	}
	if v := r.found.Verified; v != nil && v.Holds != nil {
		text += fmt.Sprintf("  safe rate holds: %t", *v.Holds)
	}
	return text
}

// summary counts classes, and gives the median and the largest error of each figure where the class is right.
func summary(all []result) {
	fmt.Println()
	for _, class := range []string{"quantum", "credit", "stalls", "smooth"} {
		n, right, quantum := 0, 0, 0
		var errs [3][]float64
		for _, r := range all {
			if r.truth.class != class {
				continue
			}
			n++
			if r.found.Class == "quantum" {
				quantum++
			}
			if r.found.Class != class {
				continue
			}
			right++
			for i, e := range r.errors() {
				if !math.IsNaN(e) {
					errs[i] = append(errs[i], math.Abs(e))
				}
			}
		}
		fmt.Printf("%-8s class right in %d of %d, called quantum %d", class, right, n, quantum)
		for i, name := range []string{"period", "bytes", "rate"} {
			if e := errs[i]; len(e) > 0 {
				slices.Sort(e)
				fmt.Printf("; %s off by %.2f %% at the median, %.2f %% at most", name, 100*e[len(e)/2], 100*e[len(e)-1])
			}
		}
		fmt.Println()
	}
}
