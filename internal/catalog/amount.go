package catalog

import "encoding/json"

// Amount is a figure that may be unknown; its JSON form is a number or null.
type Amount struct {
	Value float64
	Known bool
}

// Some returns a known amount.
func Some(v float64) Amount { return Amount{v, true} }

// MarshalJSON implements json.Marshaler; an unknown amount is null.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.Known {
		return []byte("null"), nil
	}
	return json.Marshal(a.Value)
}

// times multiplies a known amount.
func (a Amount) times(f float64) Amount { return Amount{a.Value * f, a.Known} }

// over divides; the quotient is unknown if an operand is, or if the divisor is 0.
func (a Amount) over(b Amount) Amount {
	if !a.Known || !b.Known || b.Value == 0 {
		return Amount{}
	}
	return Some(a.Value / b.Value)
}

// counted returns the amount for a count, whose 0 means unknown.
func counted(n int) Amount { return Amount{float64(n), n > 0} }
