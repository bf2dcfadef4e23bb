package record

// DiskUse is the activity of a disk during the measured window, whoever caused it: a disk's counters do not distinguish
// processes. It is the disk that holds the trial's data, or the busiest of several; if that is unknown, the busiest of
// the machine. Its timeline is in the series that DiskSeries names.
type DiskUse struct {
	Device string `json:"device"`
	Host   string `json:"host,omitempty"` // machine of a cluster whose disk it is; "": the first
	Kind   string `json:"kind,omitempty"` // as Disk.Kind

	Reads      int64 `json:"reads"`  // completed
	Writes     int64 `json:"writes"` // likewise
	ReadBytes  int64 `json:"read_bytes"`
	WriteBytes int64 `json:"write_bytes"`
	// Requests that the kernel merged with others before issuing them.
	Merges      int64   `json:"merges"`
	LargestIO   int64   `json:"largest_io_bytes,omitempty"` // the kernel splits larger ones; 0 unknown
	BusyPct     float64 `json:"busy_pct"`                   // time with anything in flight, % of the window
	IowaitPct   float64 `json:"iowait_pct"`                 // time of all CPUs idle while waiting for a disk, % of it
	OthersBytes int64   `json:"others_bytes"`               // moved by all other disks
	// Mean requests in flight, and mean seconds of a request from queueing to completion; 0 unknown, or none.
	QueueDepth float64 `json:"queue_depth,omitempty"`
	WaitS      float64 `json:"wait_s,omitempty"`
	// The disks below the trial's data, by name, if there are several, as below an array: MostMembers at most.
	Members []DiskMember `json:"members,omitempty"`
	// Read from and written to storage by the work's own processes; nil unknown.
	WorkBytes *int64  `json:"work_bytes,omitempty"`
	Data      string  `json:"scratch,omitempty"`    // location of the trial's data, from the file system down
	OnData    *bool   `json:"on_scratch,omitempty"` // whether Data is on this disk; nil unknown
	Steps     int     `json:"steps"`                // of the timeline
	CostS     float64 `json:"cost_s"`               // CPU seconds spent sampling
}

// MostMembers bounds the disks of an array that a trial's line has.
const MostMembers = 16

// DiskMember is one of several disks below a trial's data, as DiskUse.
type DiskMember struct {
	Device     string  `json:"device"`
	Reads      int64   `json:"reads"`
	Writes     int64   `json:"writes"`
	ReadBytes  int64   `json:"read_bytes"`
	WriteBytes int64   `json:"write_bytes"`
	Merges     int64   `json:"merges"`
	BusyPct    float64 `json:"busy_pct"`
	QueueDepth float64 `json:"queue_depth"`
	WaitS      float64 `json:"wait_s"`
}

// SectorBytes is the unit in which the kernel counts disk transfers, whatever the disk's own sectors are.
const SectorBytes = 512

// DiskStepNs is the intended length of a step of a disk's timeline; the actual length is in the column DiskStep.
const DiskStepNs = 100e6

// The columns of a disk's timeline. Each is a series with one value a step; a missing one is 0 throughout.
const (
	DiskStep   = "step_ns"      // length of the step, ns
	DiskIowait = "iowait_ticks" // all CPUs together
	DiskCPU    = "cpu_ticks"    // likewise, in any state

	DiskReadIOs      = "read_ios" // completed
	DiskReadMerges   = "read_merges"
	DiskReadSectors  = "read_sectors" // of SectorBytes
	DiskWriteIOs     = "write_ios"
	DiskWriteMerges  = "write_merges"
	DiskWriteSectors = "write_sectors"
	DiskInFlight     = "in_flight" // at the end of the step
	DiskBusyMs       = "busy_ms"   // with anything in flight
)

// DiskSeries returns the name of a column's series: of the disk, or of the machine if device is "".
func DiskSeries(device, column string) string {
	if device == "" {
		return "diskuse." + column
	}
	return "diskuse." + device + "." + column
}
