package record

// DiskUse is what a disk did during the measured window, whoever asked it to: a disk's counters do not tell processes
// apart. It is the disk that holds the trial's data, the busiest of several; where that is not known, the busiest of the
// machine. Its timeline is in the series DiskSeries names.
type DiskUse struct {
	Device string `json:"device"`
	Kind   string `json:"kind,omitempty"` // as Disk.Kind

	Reads       int64   `json:"reads"`  // completed
	Writes      int64   `json:"writes"` // likewise
	ReadBytes   int64   `json:"read_bytes"`
	WriteBytes  int64   `json:"write_bytes"`
	Merges      int64   `json:"merges"`                     // requests that the kernel joined to others before it handed them on
	LargestIO   int64   `json:"largest_io_bytes,omitempty"` // the kernel splits what is larger; 0 not known
	BusyPct     float64 `json:"busy_pct"`                   // time with anything in flight, % of the window
	IowaitPct   float64 `json:"iowait_pct"`                 // time of all CPUs that were idle for want of a disk, % of it
	OthersBytes int64   `json:"others_bytes"`               // that all other disks moved
	WorkBytes   *int64  `json:"work_bytes,omitempty"`       // that the work's own processes read from storage and wrote to it; nil not known
	Data        string  `json:"scratch,omitempty"`          // where the trial's data lie, from the file system down
	OnData      *bool   `json:"on_scratch,omitempty"`       // whether that is this disk; nil not known
	Steps       int     `json:"steps"`                      // of the timeline
	CostS       float64 `json:"cost_s"`                     // CPU seconds that sampling took
}

// SectorBytes is the unit in which the kernel counts what disks move, whatever their own sectors are.
const SectorBytes = 512

// DiskStepNs is the intended length of a step of a disk's timeline; what it was really is in the column DiskStep.
const DiskStepNs = 100e6

// The columns of a disk's timeline. Each is a series with a value a step; one that is not there is 0 throughout.
const (
	DiskStep   = "step_ns"      // length of the step, ns
	DiskIowait = "iowait_ticks" // all CPUs together
	DiskCPU    = "cpu_ticks"    // likewise, whatever they did

	DiskReadIOs      = "read_ios" // completed
	DiskReadMerges   = "read_merges"
	DiskReadSectors  = "read_sectors" // of SectorBytes
	DiskWriteIOs     = "write_ios"
	DiskWriteMerges  = "write_merges"
	DiskWriteSectors = "write_sectors"
	DiskInFlight     = "in_flight" // at the end of the step
	DiskBusyMs       = "busy_ms"   // with anything in flight
)

// DiskSeries is the name of a column's series: of the disk, or with "" of the machine.
func DiskSeries(device, column string) string {
	if device == "" {
		return "diskuse." + column
	}
	return "diskuse." + device + "." + column
}
