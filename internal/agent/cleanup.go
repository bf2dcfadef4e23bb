package agent

import (
	"context"
	"os"
	"path/filepath"

	"plimsoll/internal/host/procs"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// scratchDir returns the directory for the files of the order's trial.
func scratchDir(orderID string) string {
	return filepath.Join(os.TempDir(), "plimsoll-"+orderID)
}

// cleanUp kills what the order's trial left running here, and removes its files.
func cleanUp(o record.Order) {
	_ = procs.KillMarked(context.Background(), MarkVar+"="+o.ID)
	_ = workload.RemoveAll(scratchDir(o.ID))
}
