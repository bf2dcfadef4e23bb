package pgscript

import "math/rand/v2"

// State is a client's state between commands: its variables and its random numbers. It is for one goroutine at a
// time.
type State struct {
	variables []variable
	source    rand.PCG
	random    *rand.Rand // draws from source
	stack     []value    // of a call's arguments
	mark      struct {
		variables []variable
		source    rand.PCG
	}
}

// variable holds a value, or a text from the server that has not been parsed yet.
type variable struct {
	known bool
	texts bool
	value value
	text  []byte
}

// The predefined variables of every client.
const (
	nameScale       = "scale"
	nameClient      = "client_id"
	nameSeed        = "random_seed"
	nameDefaultSeed = "default_seed"
)

// automatic returns the names of the predefined variables.
func automatic() []string { return []string{nameScale, nameClient, nameSeed, nameDefaultSeed} }

// NewState returns the initial state of client i. Clients of one seed draw different numbers, reproducibly.
func (p *Program) NewState(client int, scale int64, seed uint64) *State {
	st := &State{variables: make([]variable, len(p.names)), stack: make([]value, 0, 64)}
	st.source.Seed(seed, mix(uint64(client)+1))
	st.random = rand.New(&st.source)
	// In a script a seed is a positive whole number.
	public := int64(seed >> 1)
	for name, v := range map[string]int64{nameScale: scale, nameClient: int64(client), nameSeed: public,
		nameDefaultSeed: int64(mix(seed) >> 1)} {
		st.set(p.byName[name], intOf(v))
	}
	return st
}

func (st *State) set(i int, v value) {
	at := &st.variables[i]
	at.known, at.texts, at.value = true, false, v
}

func (st *State) setText(i int, text []byte) {
	at := &st.variables[i]
	if text == nil {
		st.set(i, value{})
		return
	}
	at.known, at.texts = true, true
	at.text = append(at.text[:0], text...)
}

// appendTo appends the variable's text; isNull reports a null.
func (v *variable) appendTo(dst []byte) (text []byte, isNull bool) {
	switch {
	case v.texts:
		return append(dst, v.text...), false
	case !v.known || v.value.kind == null:
		return dst, true
	}
	return v.value.appendTo(dst), false
}

// Mark saves the state, for a transaction that may be retried.
func (st *State) Mark() {
	st.mark.source = st.source
	if st.mark.variables == nil {
		st.mark.variables = make([]variable, len(st.variables))
	}
	copyVariables(st.mark.variables, st.variables)
}

// Back restores the state saved by Mark.
func (st *State) Back() {
	st.source = st.mark.source
	copyVariables(st.variables, st.mark.variables)
}

func copyVariables(to, from []variable) {
	for i := range from {
		text := append(to[i].text[:0], from[i].text...)
		to[i] = from[i]
		to[i].text = text
	}
}

// Below returns a random whole number from 0 to n−1, to choose among scripts; n must be positive.
func (st *State) Below(n int64) int64 { return st.random.Int64N(n) }
