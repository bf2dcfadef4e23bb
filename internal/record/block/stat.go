package block

// Stat is a result that a page shows as a card or, of many machines, as a field of a table.
type Stat struct {
	Kind  StatKind
	Label string // what it is of
	Text  string // with its unit
	Sure  string // its interval and the number of runs, or a reason; "" for neither
	Tag   string // its verdict; "" for none
	Tone  Tone   // of the verdict

	Of     string // the machine or level that it is of; "" if it is of no one alone
	Column string // what figures of its kind are, for a table of many
	Short  string // what stands beside the figure there, such as its interval
	Best   bool   // the one to take
}

// StatKind is the question that a figure answers. A page orders cards by it.
type StatKind int

// The kinds, in the order of a page.
const (
	VerdictStat  StatKind = iota // which is better, and by how much
	CapacityStat                 // the load that a machine handles
	ValueStat                    // what a dollar buys
	CostStat                     // what a demand costs
)
