// Command samplers watches this machine as a run does, and nothing else, so that what that costs can be measured from outside.
//
//	samplers STEP TIME
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/host/noise"
	"plimsoll/internal/host/pulse"
	"plimsoll/internal/host/storage"
	"plimsoll/internal/host/topology"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "samplers:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: samplers STEP TIME")
	}
	step, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	length, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	return watch(hostfs.System(), step, length)
}

// watch has the ledger, the watchdog, and the samplers of disks and of clocks at work for a time. Clocks are never sampled more often than
// a run does it.
func watch(root hostfs.Root, step, length time.Duration) error {
	disks, err := storage.NewSampler(root, step, length, "")
	if err != nil {
		return err
	}
	cpus, err := topology.Allowed()
	if err != nil {
		return err
	}
	clocks, err := noise.NewClockSampler(root, max(step, noise.ClockStep), cpus)
	if err != nil && !hostfs.NotHere(err) {
		return err
	}
	ledger := noise.NewLedger(root)
	if err := ledger.Start(); err != nil {
		return err
	}
	beats := pulse.Start()
	defer beats.Stop()
	dog := noise.Watch(beats, root, 1)
	disks.Start(beats)
	clocks.Start(beats)
	time.Sleep(length)
	clocks.Stop()
	timeline, err := disks.Stop()
	dog.Stop()
	ledger.Stop()
	fmt.Println(len(timeline.AtNs), "samples of disks")
	return err
}
