package record

// CloudAWS is Amazon's name in Cloud.Provider.
const CloudAWS = "aws"

// Cloud is where a machine is rented. Nothing in it names one instance.
type Cloud struct {
	Provider string `json:"provider,omitempty"` // such as "aws", "gcp", "azure"
	Type     string `json:"type,omitempty"`     // instance type, such as "c5.18xlarge"
	Region   string `json:"region,omitempty"`
	Zone     string `json:"zone,omitempty"`
}

// Disk is a block device that stores something: a drive or an array.
type Disk struct {
	Name       string   `json:"name"` // such as "nvme0n1"
	Model      string   `json:"model,omitempty"`
	Kind       string   `json:"kind,omitempty"` // "EBS", "instance store" and their like, where the model says so
	Bytes      int64    `json:"bytes"`
	Rotational bool     `json:"rotational"` // as the kernel was told; hypervisors often tell it wrongly
	Scheduler  string   `json:"scheduler,omitempty"`
	RAID       string   `json:"raid,omitempty"`    // level, such as "raid0"
	Members    []string `json:"members,omitempty"` // of the array
}

// NIC is a network interface that a device stands behind.
type NIC struct {
	Name   string `json:"name"`
	Driver string `json:"driver,omitempty"`
	Mbit   int64  `json:"mbit_per_s,omitempty"` // 0 unknown
	MTU    int64  `json:"mtu"`                  // bytes
	Up     bool   `json:"up"`
}

// Power is a part of the machine whose energy can be metered.
type Power struct {
	Name     string `json:"name"`   // such as "package-0"
	Scope    string `json:"scope"`  // "package", "core", "uncore", "dram", "psys", "socket", "module"; "" unknown
	Source   string `json:"source"` // one of Power*
	Readable bool   `json:"readable"`
}

// The sources of Power: energy counters of the CPU's RAPL, energy counters of
// a sensor, and a sensor of watts, whose energy is added up from samples.
const (
	PowerRAPL   = "rapl"
	PowerEnergy = "sensor of energy"
	PowerWatts  = "sensor of watts"
)
