package record

import "strings"

// The series of a database's activity, one value a second of a trial, in addition to "ops". Counters are the server's
// own, which its processes report up to a second late. A missing series is 0 throughout, or unavailable in that
// version.
const (
	dbPrefix = "db."

	DBCommits      = dbPrefix + "commits" // transactions, as the server counts them
	DBRollbacks    = dbPrefix + "rollbacks"
	DBBlocksRead   = dbPrefix + "blocks_read" // requested from the kernel
	DBBlocksHit    = dbPrefix + "blocks_hit"  // found in shared memory
	DBDeadlocks    = dbPrefix + "deadlocks"
	DBTempBytes    = dbPrefix + "temp_bytes"
	DBWALBytes     = dbPrefix + "wal_bytes"
	DBPageImages   = dbPrefix + "full_page_images"
	DBWrittenByCP  = dbPrefix + "written_checkpointer" // blocks
	DBWrittenByBG  = dbPrefix + "written_bgwriter"
	DBWrittenByOwn = dbPrefix + "written_backends"
	DBCheckpoints  = dbPrefix + "checkpoints" // begun
	DBAutovacuum   = dbPrefix + "autovacuum"  // maximum number of workers seen at once

	dbWaitPrefix  = dbPrefix + "wait."
	dbEventPrefix = dbPrefix + "event."
)

// DBWait returns the name of the series that counts samples of the load's backends in a class of waits.
func DBWait(class string) string { return dbWaitPrefix + class }

// DBEvent returns the name of the series that counts samples in a wait event, such as "LWLock.WALInsert".
func DBEvent(event string) string { return dbEventPrefix + event }

// IsDBSeries reports whether a series of that name is about a database.
func IsDBSeries(name string) bool { return strings.HasPrefix(name, dbPrefix) }

// The classes of a database backend's sampled states. A backend without a wait known to the server runs, or waits for a
// CPU.
const (
	WaitCPU    = "cpu"
	WaitIO     = "io"     // for a file other than the log
	WaitWAL    = "wal"    // for the log to be written or made durable, or for its buffers
	WaitLock   = "lock"   // for rows, transactions, tables
	WaitLWLock = "lwlock" // for data shared in memory
	WaitClient = "client" // for the client's next message
	// WaitStandby is for a synchronous standby to confirm a commit.
	WaitStandby = "standby"
	WaitOther   = "other"
)

// WaitClasses returns all of them.
func WaitClasses() []string {
	return []string{WaitCPU, WaitIO, WaitWAL, WaitLock, WaitLWLock, WaitStandby, WaitClient, WaitOther}
}

// The values that a trial of a monitored database has in addition to throughput and latency.
const (
	WALBytesPerOp   = "wal_bytes_per_op"
	PageImagesPerOp = "full_page_images_per_op"
	Checkpoints     = "checkpoints"
	CacheHit        = "cache_hit"
	WatchCPU        = "watch_cpu"
)

// WaitShare returns the name of the value for a class's share of the backends' time.
func WaitShare(class string) string { return "wait_" + class }

// The names of database events.
const (
	EventCheckpointBegin = "checkpoint_begin" // detail: its cause, such as "wal" or "time"
	EventCheckpointEnd   = "checkpoint_end"   // detail: the amount written
	EventAutovacuumBegin = "autovacuum_begin" // detail: text from the worker
	EventAutovacuumEnd   = "autovacuum_end"
)

// The names of events of a cluster's broker; their detail names it.
const (
	EventBrokerKilled  = "broker_killed"
	EventBrokerLeft    = "broker_left" // its cluster noticed
	EventBrokerStarted = "broker_started"
	EventBrokerInSync  = "broker_in_sync"

	EventBrokerAdded      = "broker_added"      // its start began
	EventBrokerJoined     = "broker_joined"     // its cluster listed it, and partitions were reassigned
	EventBrokerReassigned = "broker_reassigned" // it has its partitions, all replicas in sync

	// EventDriveLost names the loss of an object store's drive.
	EventDriveLost = "drive_lost"

	brokerEvents = "broker_" // begins the names of all of them
)

// IsServerEvent reports whether an event is of one server of a cluster, which only that server's host knows.
func IsServerEvent(name string) bool {
	return strings.HasPrefix(name, brokerEvents) || name == EventDriveLost
}

// Standby is the name of a database's standby: its values and series begin with it.
const Standby = "standby"

// The values of a trial in which a broker was killed, all in seconds from then on.
const (
	FaultRecovery = "fault_recovery" // until throughput was as before
	FaultLost     = "fault_lost"     // of throughput as before, that is missing
	FaultOutage   = "fault_outage"   // with hardly any throughput, in a row
	FaultInSync   = "fault_in_sync"  // until all replicas were in sync again
)

// FaultPrefix and AddPrefix begin the names of the values of a fault, and of an added broker.
const (
	FaultPrefix = "fault_"
	AddPrefix   = "add_"
)

// The values of a trial in which a broker was added, in seconds from its start on.
const (
	AddRecovery   = AddPrefix + "recovery"   // until throughput was as before
	AddLost       = AddPrefix + "lost"       // of throughput as before, that is missing
	AddOutage     = AddPrefix + "outage"     // with hardly any throughput, in a row
	AddReassigned = AddPrefix + "reassigned" // until it had its partitions
	AddMoved      = AddPrefix + "moved"      // bytes of its replicas then
)
