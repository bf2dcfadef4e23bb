package block

// Flame is a tree to be drawn, as the page's template and its script take it.
type Flame struct {
	ID     string
	Title  string
	Hint   string // how much it is, and how to read it
	Whole  string // what a share is of
	What   string // what an operation costs: "CPU"
	Sides  []string
	Per    []float64 // s of an operation that a sample of each side stands for; 0 where it is not known
	Tree   *Frame
	Legend []Key
}

// Key is a category of a legend.
type Key struct {
	Class string
	Name  string
	Share float64
}
