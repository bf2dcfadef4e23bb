package agent

import (
	"context"
	"os"
	"path/filepath"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// scratchDir is where the trial of that order keeps its files.
func scratchDir(orderID string) string {
	return filepath.Join(os.TempDir(), "plimsoll-"+orderID)
}

// sweep ends what the trial of that order has left running here, and removes
// its files.
func sweep(o record.Order) {
	_ = host.KillMarked(context.Background(), MarkVar+"="+o.ID)
	_ = workload.RemoveAll(scratchDir(o.ID))
}
