package record

// CloudAWS is Amazon's name in Cloud.Provider.
const CloudAWS = "aws"

// Cloud is the cloud offering that a machine is. Nothing in it identifies one instance.
type Cloud struct {
	Provider string `json:"provider,omitempty"` // such as "aws", "gcp", "azure"
	Type     string `json:"type,omitempty"`     // instance type, such as "c5.18xlarge"
	Region   string `json:"region,omitempty"`
	Zone     string `json:"zone,omitempty"`
}

// Disk is a block device that stores data: a drive or an array.
type Disk struct {
	Name       string   `json:"name"` // such as "nvme0n1"
	Model      string   `json:"model,omitempty"`
	Kind       string   `json:"kind,omitempty"` // "EBS", "instance store" and the like, if the model tells
	Bytes      int64    `json:"bytes"`
	Rotational bool     `json:"rotational"` // as reported by the kernel; hypervisors often report it wrongly
	Scheduler  string   `json:"scheduler,omitempty"`
	RAID       string   `json:"raid,omitempty"`    // level, such as "raid0"
	Members    []string `json:"members,omitempty"` // of the array
}

// NIC is a network interface backed by a device.
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

// The sources of Power: energy counters of the CPU's RAPL, energy counters of a sensor, and a sensor of watts, whose
// samples are integrated.
const (
	PowerRAPL   = "rapl"
	PowerEnergy = "sensor of energy"
	PowerWatts  = "sensor of watts"
)
