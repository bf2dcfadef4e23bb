package catalog

import "encoding/json"

// Amount is a figure that may be unknown; its JSON form is a number or null.
type Amount struct {
	Value float64
	Known bool
}

// Some is a known amount.
func Some(v float64) Amount { return Amount{v, true} }

// MarshalJSON writes an unknown amount as null.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.Known {
		return []byte("null"), nil
	}
	return json.Marshal(a.Value)
}

// times scales a known amount.
func (a Amount) times(f float64) Amount { return Amount{a.Value * f, a.Known} }

// over divides; the quotient is unknown where an operand is, or the divisor is 0.
func (a Amount) over(b Amount) Amount {
	if !a.Known || !b.Known || b.Value == 0 {
		return Amount{}
	}
	return Some(a.Value / b.Value)
}

// counted is an amount of a count of which 0 means unknown.
func counted(n int) Amount { return Amount{float64(n), n > 0} }
