// Command samplers watches this machine as a run does, and nothing else, so that what that costs can be measured from
// outside.
//
//	samplers STEP TIME
//
// A STEP of 0 samples neither disks nor clocks.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/machine/host/storage"
	"plimsoll/internal/machine/host/topology"
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
	if step != 0 && step < pulse.Beat {
		return fmt.Errorf("a step of %v: it must be %v at least, or 0", step, pulse.Beat)
	}
	return watch(hostfs.System(), step, length)
}

// watch has the ledger and the watchdog at work for a time, and samples disks every step, and clocks every 250 ms;
// neither if the step is 0.
func watch(root hostfs.Root, step, length time.Duration) error {
	ledger := noise.NewLedger(root)
	if err := ledger.Start(); err != nil {
		return err
	}
	beats := pulse.Start(pulse.Beat)
	dog := noise.Watch(beats, root, 1)
	stop := func() error { return nil }
	if step > 0 {
		var err error
		if stop, err = sample(root, beats, step, length); err != nil {
			return err
		}
	}
	time.Sleep(length)
	err := stop()
	dog.Stop()
	ledger.Stop()
	return err
}

// sample starts the samplers. A machine without clocks to read has none of them sampled in a run either.
func sample(root hostfs.Root, beats *pulse.Pulse, step, length time.Duration) (stop func() error, err error) {
	disks, err := storage.NewSampler(root, step, length, "")
	if err != nil {
		return nil, err
	}
	cpus, err := topology.Allowed()
	if err != nil {
		return nil, err
	}
	clocks, err := noise.NewClockSampler(root, cpus)
	if err != nil && !hostfs.NotHere(err) {
		return nil, err
	}
	disks.Start(beats)
	if err != nil {
		return func() error { _, err := disks.Stop(); return err }, nil
	}
	clocks.Start()
	return func() error {
		clocks.Stop()
		_, err := disks.Stop()
		return err
	}, nil
}
