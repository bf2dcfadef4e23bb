package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/judge"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// sizingOptions are the requirements for sizing a disk.
type sizingOptions struct {
	percentile float64 // of the time
	room       string  // size; "": that of the disk
	volumes    bool    // list a provider's volumes for any machine
}

const (
	sizedFor = 99 // % of the time by default
	gibBytes = 1 << 30
)

func (o *sizingOptions) flags(f *pflag.FlagSet) {
	f.Float64Var(&o.percentile, "percentile-of-time", sizedFor, "size disks for this share of the time, in %; 100 for the highest rate there was")
	f.BoolVar(&o.volumes, "volumes", false, "list a cloud provider's volumes that satisfy the disk's load, with prices, also for machines outside its cloud")
	f.StringVar(&o.room, "volume-size", "", "required storage space, such as 500GiB; default the size of the disk that was used")
}

func (o sizingOptions) check() (gib float64, err error) {
	if !(o.percentile > 0) || o.percentile > 100 {
		return 0, usagef("--percentile-of-time %g: it must be over 0 and at most 100", o.percentile)
	}
	if o.room == "" {
		return 0, nil
	}
	n, err := record.ParseSize(o.room)
	if err != nil {
		return 0, usagef("--volume-size: %v", err)
	}
	if n == 0 {
		return 0, usagef("--volume-size %s: it must be over 0", o.room)
	}
	return float64(n) / gibBytes, nil
}

// addSizing sizes the disks of the results, if trials have timelines.
func (a *app) addSizing(shown *finding.Shown, log *session.Log, o sizingOptions) error {
	gib, err := o.check()
	if err != nil {
		return err
	}
	v, err := a.newValuer(nil, log)
	if err != nil {
		return err
	}
	judge.AddSizing(shown, log.Trials, storage.SizingOptions{
		Percentile: o.percentile, GiB: gib, Volumes: o.volumes || o.room != "", Catalog: v.catalogue, Type: v.typeOf,
		Timeline: func(t record.Trial) (storage.DiskTimeline, error) { return diskTimeline(log, t) },
	})
	return nil
}

// diskTimeline reads the series of a trial's disk.
func diskTimeline(log *session.Log, t record.Trial) (storage.DiskTimeline, error) {
	all, err := log.Series(t.ID)
	if err != nil {
		return storage.DiskTimeline{}, err
	}
	columns := map[string][]int64{}
	for _, s := range all {
		if !strings.HasPrefix(s.Name, record.DiskSeries("", "")) || s.Enc != record.EncWindows {
			continue
		}
		if columns[s.Name], err = session.DecodeWindowsUpTo(s.Data, maxSeconds); err != nil {
			return storage.DiskTimeline{}, fmt.Errorf("series %s: %w", s.Name, err)
		}
	}
	return storage.NewDiskTimeline(*t.Disk, columns)
}
