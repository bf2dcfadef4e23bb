package record

import "strings"

// The series of what a database did in each second of a trial, beside "ops". Counters are the server's own, which its processes
// hand in at most a second late. One that is not there is 0 throughout, or is not told by that version.
const (
	dbPrefix = "db."

	DBCommits      = dbPrefix + "commits" // transactions, as the server counts them
	DBRollbacks    = dbPrefix + "rollbacks"
	DBBlocksRead   = dbPrefix + "blocks_read" // asked of the kernel
	DBBlocksHit    = dbPrefix + "blocks_hit"  // found in shared memory
	DBDeadlocks    = dbPrefix + "deadlocks"
	DBTempBytes    = dbPrefix + "temp_bytes"
	DBWALBytes     = dbPrefix + "wal_bytes"
	DBPageImages   = dbPrefix + "full_page_images"
	DBWrittenByCP  = dbPrefix + "written_checkpointer" // blocks
	DBWrittenByBG  = dbPrefix + "written_bgwriter"
	DBWrittenByOwn = dbPrefix + "written_backends"
	DBCheckpoints  = dbPrefix + "checkpoints" // begun
	DBAutovacuum   = dbPrefix + "autovacuum"  // workers, the most that were seen at once

	dbWaitPrefix  = dbPrefix + "wait."
	dbEventPrefix = dbPrefix + "event."
)

// DBWait is the name of the series of how often backends of the load were seen in a class of waits.
func DBWait(class string) string { return dbWaitPrefix + class }

// DBEvent is likewise that of one wait event, such as "LWLock.WALInsert".
func DBEvent(event string) string { return dbEventPrefix + event }

// DBEventOf is the wait event whose series has that name.
func DBEventOf(series string) (event string, ok bool) {
	return strings.CutPrefix(series, dbEventPrefix)
}

// IsDBSeries says whether a series of that name tells what a database did.
func IsDBSeries(name string) bool { return strings.HasPrefix(name, dbPrefix) }

// The classes of what a database's backends are seen doing. A backend that does not wait for anything the server knows of runs, or
// waits for a CPU.
const (
	WaitCPU    = "cpu"
	WaitIO     = "io"     // for a file that is not the log's
	WaitWAL    = "wal"    // for the log to be written or made durable, or for its buffers
	WaitLock   = "lock"   // for rows, transactions, tables
	WaitLWLock = "lwlock" // for what processes share in memory
	WaitClient = "client" // for the next that the client says
	WaitOther  = "other"
)

// WaitClasses are all of them.
func WaitClasses() []string {
	return []string{WaitCPU, WaitIO, WaitWAL, WaitLock, WaitLWLock, WaitClient, WaitOther}
}

// The values that a trial of a database has beside its throughput and latency, where it was watched.
const (
	WALBytesPerOp   = "wal_bytes_per_op"
	PageImagesPerOp = "full_page_images_per_op"
	Checkpoints     = "checkpoints"
	CacheHit        = "cache_hit"
	WatchCPU        = "watch_cpu"
)

// WaitShare is the value of a class's share of the backends' time.
func WaitShare(class string) string { return "wait_" + class }

// The names of events of a database.
const (
	EventCheckpointBegin = "checkpoint_begin" // its detail is what brought it about, such as "wal" or "time"
	EventCheckpointEnd   = "checkpoint_end"   // and what it wrote
	EventAutovacuumBegin = "autovacuum_begin" // and the worker's words
	EventAutovacuumEnd   = "autovacuum_end"
)
