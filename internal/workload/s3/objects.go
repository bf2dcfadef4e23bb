package s3

import "sync/atomic"

// objects are the objects of one generator, by number. Lanes share them.
//
// An object's state is a number that each write raises. In an even state the object has the content of that
// version, and in an odd one it isn't there.
// One write of an object is in flight at a time, so that what a reader may find is known.
type objects struct {
	all   []object
	sizes []uint16 // index of each one's size
}

type object struct {
	writing atomic.Bool   // a write is in flight
	acked   atomic.Uint32 // the last state that the store has acknowledged
	issued  atomic.Uint32 // the last state that was asked for
}

// absent is the first state of an object.
const absent = 1

func newObjects(of []uint16) *objects {
	o := &objects{all: make([]object, len(of)), sizes: of}
	for i := range o.all {
		o.all[i].acked.Store(absent)
		o.all[i].issued.Store(absent)
	}
	return o
}

// isThere reports whether a state is an object.
func isThere(state uint32) bool { return state%2 == 0 }

// variantOf returns the content of an object's version.
func variantOf(k int, state uint32) int { return (k*5 + int(state/2)) % variants }

// removed returns the state after a removal.
func removed(state uint32) uint32 { return state + 1 }

// written returns the state after a write. A removal and a write raise a state by more than a write does.
func written(state uint32) uint32 {
	if isThere(state) {
		return state + 2
	}
	return state + 3
}

// begin begins a write of an object, unless one is in flight.
func (o *objects) begin(k int, remove bool) (state uint32, ok bool) {
	x := &o.all[k]
	if x.writing.Load() || !x.writing.CompareAndSwap(false, true) {
		return 0, false
	}
	last := x.issued.Load()
	if remove && !isThere(last) {
		x.writing.Store(false)
		return 0, false
	}
	if state = written(last); remove {
		state = removed(last)
	}
	x.issued.Store(state)
	return state, true
}

// end ends a write. It is unknown whether the store has done one that failed.
func (o *objects) end(k int, state uint32, done bool) {
	x := &o.all[k]
	if done {
		x.acked.Store(state)
	}
	x.writing.Store(false)
}

// there reports whether an object is surely in the store: no write of it is in flight, or was left undecided.
func (o *objects) there(k int) bool {
	x := &o.all[k]
	acked := x.acked.Load()
	return isThere(acked) && x.issued.Load() == acked
}

// may returns the states between which a reader that began when from was acknowledged finds an object.
func (o *objects) may(k int, from uint32) (low, high uint32) { return from, o.all[k].issued.Load() }

// mayMiss reports whether a reader may find nothing between two states.
func mayMiss(low, high uint32, removes bool) bool {
	return !isThere(low) || !isThere(high) || removes && high-low > 2
}

// find returns the next object from k on, in a circle, that accept takes; false if none does.
func (o *objects) find(k int, accept func(k int) bool) (int, bool) {
	for range o.all {
		if accept(k) {
			return k, true
		}
		if k++; k == len(o.all) {
			k = 0
		}
	}
	return 0, false
}
