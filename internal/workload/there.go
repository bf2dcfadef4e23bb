package workload

// There names the processes of a server that is there already.
type There struct {
	Addresses []string // HOST:PORT, or the path of a UNIX socket; of all servers that share the work
	PID       int      // instead of them
	Unit      string
	Container string
	Elsewhere bool // the user has named the machine behind the address, which is not this one
}

// Named reports whether the user has named the processes, so that they must be found.
func (t There) Named() bool { return t.PID > 0 || t.Unit != "" || t.Container != "" }
