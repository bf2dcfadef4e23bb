package catalog

import (
	"encoding/json"
	"fmt"
)

// Value is how much of one resource a dollar buys on two types, or how much one unit of it consumes. Ratio is b over a.
type Value struct {
	What     string `json:"what"`
	Unit     string `json:"unit"`
	A        Amount `json:"a"`
	B        Amount `json:"b"`
	Ratio    Amount `json:"ratio"`
	Estimate bool   `json:"estimate,omitempty"` // based on power that was not measured
}

// Offer compares the resources per dollar of two types, without measurements.
type Offer struct {
	A        Type     `json:"a"`
	B        Type     `json:"b"`
	PriceA   Price    `json:"price_a"`
	PriceB   Price    `json:"price_b"`
	Values   []Value  `json:"values"`
	PowerA   *Power   `json:"power_a,omitempty"` // if known for both sides
	PowerB   *Power   `json:"power_b,omitempty"`
	Warnings []string `json:"warnings"`
}

// gbPerHour converts 10^6 bit/s to 10^9 B/h, so that dividing by dollars per hour gives GB/$.
const gbPerHour = 1e6 / 8 * 3600 / 1e9

// Offer compares two types at the prices of a date. The error is a usage.Error if one has no price.
func (c *Catalog) Offer(a, b Type, date string) (Offer, error) {
	o := Offer{A: a, B: b, Warnings: []string{}}
	var err error
	if o.PriceA, err = priceOf(a, date); err != nil {
		return o, err
	}
	if o.PriceB, err = priceOf(b, date); err != nil {
		return o, err
	}
	for _, q := range quantities() {
		o.Values = append(o.Values, newValue(q.what, q.unit,
			q.of(a).over(Some(o.PriceA.PerHour)), q.of(b).over(Some(o.PriceB.PerHour))))
	}
	o.addPower(c)
	o.Warnings = append(o.Warnings, unlike(a, b, a.Name, b.Name)...)
	return o, nil
}

// quantity is a resource of a type that is paid by the hour.
type quantity struct {
	what, unit string
	of         func(Type) Amount
}

func quantities() []quantity {
	return []quantity{
		{"vcpu", "vCPU h/$", func(t Type) Amount { return counted(t.VCPUs) }},
		{"core", "core h/$", func(t Type) Amount { return counted(t.Cores) }},
		{"memory", "GiB h/$", func(t Type) Amount { return t.MemoryGiB }},
		{"nvme", "GB h/$", func(t Type) Amount { return t.NVMeGB }},
		{"network", "GB/$", func(t Type) Amount { return t.NetworkMbps.times(gbPerHour) }},
		{"ebs", "GB/$", func(t Type) Amount { return t.EBSMbps.times(gbPerHour) }},
	}
}

func newValue(what, unit string, a, b Amount) Value {
	return Value{What: what, Unit: unit, A: a, B: b, Ratio: b.over(a)}
}

// addPower adds the power per vCPU and per core, if known for both sides.
func (o *Offer) addPower(c *Catalog) {
	pa, okA := c.Power(o.A)
	pb, okB := c.Power(o.B)
	if !okA || !okB {
		return
	}
	o.PowerA, o.PowerB = &pa, &pb
	per := func(what string, of func(Type) Amount) Value {
		v := newValue(what, "W", Some(pa.Watts).over(of(o.A)), Some(pb.Watts).over(of(o.B)))
		v.Estimate = pa.Kind != Measured || pb.Kind != Measured
		return v
	}
	o.Values = append(o.Values,
		per("power per vcpu", func(t Type) Amount { return counted(t.VCPUs) }),
		per("power per core", func(t Type) Amount { return counted(t.Cores) }))
}

// unlike warns if a vCPU of one type is not the same as of the other; the names are those for display.
func unlike(a, b Type, nameA, nameB string) []string {
	if a.ThreadsPerCore == 0 || b.ThreadsPerCore == 0 {
		t := a
		if a.ThreadsPerCore > 0 {
			t = b
		}
		return []string{fmt.Sprintf("the cores of %s are unknown: its vCPUs may be whole cores or threads", t.Name)}
	}
	if text := UnlikeVCPUs(nameA, a.ThreadsPerCore, nameB, b.ThreadsPerCore); text != "" {
		return []string{text}
	}
	return nil
}

// UnlikeVCPUs returns a warning if a vCPU of one side is not the same as of the other, given their names for display
// and the threads of a core of each; "" if they are alike.
func UnlikeVCPUs(a string, threadsA int, b string, threadsB int) string {
	if threadsA == threadsB {
		return ""
	}
	return fmt.Sprintf("vCPUs differ: threads per core are %d on %s and %d on %s", threadsA, a, threadsB, b)
}

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
