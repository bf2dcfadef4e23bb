package record

// The series that tell how a disk is held back: what ended in each step, of a load on disks (docs/format.md).
const (
	SeriesDiskBytes = "disk.bytes"
	SeriesDiskIOs   = "disk.ios"
)

// Regulation is what a trial's timeline says of how its disk was held back. What its class does not have, or
// what could not be told, is nil. Rates are bytes per second; docs/regulation.md says how each is found.
type Regulation struct {
	Class        string   `json:"class"` // one of stat.Quantum, Credit, Stalls and Smooth
	PeriodS      *float64 `json:"period_s,omitempty"`
	QuantumBytes *float64 `json:"quantum_bytes,omitempty"`
	Rate         float64  `json:"rate"` // sustained
	BurstRate    *float64 `json:"burst_rate,omitempty"`
	AtLeast      bool     `json:"burst_rate_at_least,omitempty"` // bursts are too short for more than a lower bound
	Duty         *float64 `json:"duty,omitempty"`
	ZeroFraction float64  `json:"zero_fraction"`
	BucketBytes  *float64 `json:"bucket_bytes,omitempty"`
	ExhaustedS   *float64 `json:"exhausted_s,omitempty"` // after which a credit had run out
	SafeRate     *float64 `json:"safe_rate,omitempty"`
	SafeBurst    *float64 `json:"safe_burst_bytes,omitempty"`

	Cycles      int      `json:"cycles"` // bursts that were seen from start to start
	AutoPeriodS *float64 `json:"auto_period_s,omitempty"`
	BinS        float64  `json:"bin_s"`               // length of the bins that were looked at
	SilenceS    *float64 `json:"silence_s,omitempty"` // silences at least so long make up half of all silent time
	ZeroP50S    *float64 `json:"zero_p50_s,omitempty"`
	ZeroP99S    *float64 `json:"zero_p99_s,omitempty"`
	ZeroMaxS    *float64 `json:"zero_max_s,omitempty"`
	ObservedS   float64  `json:"observed_s"`
	Bytes       float64  `json:"bytes"`    // that were moved in that time
	IOBytes     float64  `json:"io_bytes"` // of an I/O, on average
}
