package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// recordedSys names a tree in the form of /sys. Only this test binary reads it: its agents then see these meters, and
// plimsoll's own never do.
const recordedSys = "RECORDED_SYS"

// onTree is plimsoll, with the agent on a recorded tree if there is one.
func onTree() {
	tree := os.Getenv(recordedSys)
	if tree == "" || len(os.Args) != 2 || os.Args[1] != "agent" {
		checked()
	}
	a := newAgent()
	a.Root.Sys = tree
	if err := a.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plimsoll agent:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// meters moves the counters of the tree that its argument names, as a machine of 40 W and 200 J for each second of CPU
// time does that nothing but the processes on this tree uses. It ends when the file "stop" appears in the tree, and
// after ten minutes.
// With a second argument "back" the counters go back all the time.
func meters() {
	const idleWatts, perCPUSecond = 40, 200
	tree, back := os.Args[1], len(os.Args) > 2 && os.Args[2] == "back"
	paths, _ := filepath.Glob(filepath.Join(tree, "class/powercap/*/energy_uj"))
	var starts, wraps []float64
	for _, p := range paths {
		starts = append(starts, numberIn(p))
		wraps = append(wraps, numberIn(filepath.Join(filepath.Dir(p), "max_energy_range_uj")))
	}
	if len(paths) == 0 {
		fmt.Fprintln(os.Stderr, "no counters in", tree)
		os.Exit(1)
	}
	// A meter that waits for a CPU would add the joules of the wait at once. Only root may raise its priority.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, -20)
	used := cpuOf{tree: tree, by: map[string]float64{}}
	for began := time.Now(); time.Since(began) < 10*time.Minute; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(tree, "stop")); err == nil {
			os.Exit(0)
		}
		cpu := used.seconds()
		joules := idleWatts*time.Since(began).Seconds() + perCPUSecond*cpu
		if back {
			joules = -joules
		}
		for i, p := range paths {
			at := starts[i] + joules*1e6
			for at >= wraps[i] {
				at -= wraps[i]
			}
			f, err := os.OpenFile(p, os.O_WRONLY, 0)
			if err == nil {
				// In place and of one length: a reader never sees a part.
				_, err = fmt.Fprintf(f, "%-19d\n", int64(at))
				f.Close()
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
}

func numberIn(path string) float64 {
	text, err := os.ReadFile(path)
	n, parseErr := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil || parseErr != nil {
		fmt.Fprintln(os.Stderr, path, err, parseErr)
		os.Exit(1)
	}
	return n
}

// cpuOf sums up the CPU time of the processes on a tree, those that have ended too.
type cpuOf struct {
	tree string
	by   map[string]float64 // by process
}

func (c *cpuOf) seconds() float64 {
	const ticks = 100 // USER_HZ
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		pid := strings.Split(path, "/")[2]
		env, _ := os.ReadFile(path)
		if pid == strconv.Itoa(os.Getpid()) || !bytes.Contains(env, []byte(recordedSys+"="+c.tree+"\x00")) {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		_, after, ok := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		if !ok || len(fields) < 13 {
			continue
		}
		user, _ := strconv.ParseFloat(fields[11], 64)
		system, _ := strconv.ParseFloat(fields[12], 64)
		c.by[pid] = max(c.by[pid], (user+system)/ticks)
	}
	sum := 0.0
	for _, s := range c.by {
		sum += s
	}
	return sum
}
