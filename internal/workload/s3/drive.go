package s3

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plimsoll/internal/client/load"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/fault"
)

// faultLose is the fault of a drive that is lost.
const faultLose = "lose"

// sharesOf returns how much of the window is over when a drive is lost.
func sharesOf(p workload.Params) []float64 {
	all, err := fault.ParseList(p.Text(paramFault), faultLose)
	if err != nil || len(all) == 0 {
		return nil
	}
	return []float64{all[0].At}
}

func checkFault(p workload.Params) error {
	all, err := fault.ParseList(p.Text(paramFault), faultLose)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %s=%s: %w\nhint: --fault %s@50%%", Name, paramFault, p.Text(paramFault), err, faultLose)
	case len(all) == 0:
		return nil
	case len(all) > 1:
		return fmt.Errorf("%s: %s=%s: one drive can be lost\nhint: --fault %s@50%%", Name, paramFault, p.Text(paramFault),
			faultLose)
	case drivesOf(p) < leastDrives || p.Int(store.ParamParity) == 0:
		nodes := p.Int(paramNodes)
		return fmt.Errorf("%s: %s=%s with %d drives and parity=%s: the store would lose its objects\nhint: --drives %d", Name,
			paramFault, p.Text(paramFault), drivesOf(p), p.Text(store.ParamParity), (leastDrives+nodes-1)/nodes)
	}
	return nil
}

// leastDrives is the number of drives from which an erasure set can be written to without one of them.
const leastDrives = 4

// lostDrive is a drive that is lost in the window.
type lostDrive struct {
	*fault.Run
	share float64
	name  string
	at    int64 // when it was lost: CLOCK_MONOTONIC, ns
}

// loseOne has the last of a server's drives lost in the window, if that is wanted; nil if not. l is the layout of
// several servers; nil: there is one.
func loseOne(ctx context.Context, p workload.Params, drives []string, l *store.Layout) *lostDrive {
	shares := sharesOf(p)
	if len(shares) == 0 {
		return nil
	}
	drive := drives[len(drives)-1]
	f := &lostDrive{share: shares[0], name: filepath.Base(drive)}
	if l != nil {
		f.name += fmt.Sprintf(" of node %d", l.Self)
	}
	f.Run = fault.Intend(ctx, func(context.Context) error {
		// Its folder disappears, as the mount of a drive that was pulled.
		at, err := cputime.Monotonic()
		if err == nil {
			err = os.Rename(drive, drive+".lost")
		}
		if err != nil {
			return fmt.Errorf("%s: lose a drive: %w", Name, err)
		}
		f.at = at
		return nil
	})
	return f
}

// begin sets when the drive is lost, as the window begins.
func (f *lostDrive) begin(from, to int64) {
	if f != nil {
		f.At(from + int64(f.share*float64(to-from)))
	}
}

// wait returns once the drive is lost.
func (f *lostDrive) wait(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.Run.Wait(ctx)
}

func (f *lostDrive) close() {
	if f != nil {
		f.Run.Close()
	}
}

// values returns what the loss cost.
func (f *lostDrive) values(r load.Result) []record.Value {
	if f == nil || !f.Over() || f.at == 0 {
		return nil
	}
	return fault.Cost(record.FaultPrefix, f.at, 0, r.Windows.Ops, r.Start, r.Windows.StepNs)
}

// events returns the instant of the loss.
func (f *lostDrive) events() []record.Event {
	if f == nil || !f.Over() {
		return nil
	}
	return fault.Ordered(f.name, record.Event{TimeNs: f.at, Name: record.EventDriveLost})
}
