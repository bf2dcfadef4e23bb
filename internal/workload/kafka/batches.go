package kafka

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"
)

// batches counts the batches sent by all clients.
type batches struct {
	count, records, whole, sent atomic.Int64
}

// OnProduceBatchWritten implements kgo.HookProduceBatchWritten.
func (b *batches) OnProduceBatchWritten(_ kgo.BrokerMetadata, _ string, _ int32, m kgo.ProduceBatchMetrics) {
	b.count.Add(1)
	b.records.Add(int64(m.NumRecords))
	b.whole.Add(int64(m.UncompressedBytes))
	b.sent.Add(int64(m.CompressedBytes))
}

// libraryVersion returns the version of franz-go in this program.
func libraryVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/twmb/franz-go" {
			return m.Version
		}
	}
	return "unknown" // test binaries have no build info
}

// collector returns the garbage collector's GOGC.
func collector(lanes int) int { return 400 * max(lanes, 1) }
