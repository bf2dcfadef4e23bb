package block

// Flame is a flame graph in the form that the page's template and its script use.
type Flame struct {
	ID     string
	Title  string
	Hint   string // the total, and instructions for reading it
	Whole  string // the whole that shares refer to
	What   string // the cost of an operation: "CPU"
	Sides  []string
	Per    []float64 // s of an operation per sample of each side; 0 if unknown
	Tree   *Frame
	Legend []Key
}

// Key is a category of a legend.
type Key struct {
	Class string
	Name  string
	Share float64
}
