package storage

import "plimsoll/internal/finding"

// The kinds of findings about disks.
const (
	KindSizing        finding.Kind[Sizing]             = "sizing"
	KindDiskBandwidth finding.Kind[DiskBandwidthShare] = "of_disk"
	KindPeakDemand    finding.Kind[PeakDiskDemand]     = "stress"
)
