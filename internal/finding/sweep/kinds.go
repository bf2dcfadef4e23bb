package sweep

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
)

// The kinds of findings about sweeps.
const (
	KindScaling         finding.Kind[Scaling]              = "scaling"
	KindSpeedup         finding.Kind[estimate.Estimate]    = "over_one"
	KindMemoryBandwidth finding.Kind[MemoryBandwidthShare] = "of_memory"
	KindBySize          finding.Kind[BySize]               = "by_size"
	KindByClients       finding.Kind[ByClients]            = "by_clients"
	KindPlateau         finding.Kind[Plateau]              = "plateau"
	KindPastSaturation  finding.Kind[PastSaturation]       = "past_saturation"
	KindSensitivity     finding.Kind[Sensitivity]          = "depends"
	KindFewLarge        finding.Kind[FewLarge]             = "few_large"
)
