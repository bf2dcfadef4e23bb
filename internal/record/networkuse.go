package record

// NetworkUse is what the network of the machine that does the work moved over the measured window, whoever asked it to.
type NetworkUse struct {
	Interface     string `json:"interface,omitempty"`  // that moved most in one direction; "" where there is none but the loopback
	ReceivedBytes int64  `json:"received_bytes"`       // by that interface
	SentBytes     int64  `json:"sent_bytes"`           // likewise
	Mbit          int64  `json:"mbit_per_s,omitempty"` // its speed in one direction as it says itself, 10^6 bit/s; 0 not known
	LoopbackBytes int64  `json:"loopback_bytes"`       // between processes of this machine
}
