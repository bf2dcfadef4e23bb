package factorial

// Gap is the ratio of two machines at one combination of levels.
type Gap struct {
	Levels []string `json:"levels"` // of the factors, in their order
	Ratio  float64  `json:"ratio"`
	Lo     float64  `json:"lo"`
	Hi     float64  `json:"hi"`
}
