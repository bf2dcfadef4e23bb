package tpcc

import (
	"strconv"
)

// made is when all rows were: one time, so that a seed gives the same rows always.
const made = "2020-01-01 00:00:00"

// batch is rows of one table that one COPY brings: next appends one row, or says that there is none left.
type batch struct {
	table string // such as stock3
	next  func(out []byte) ([]byte, bool)
}

// batches are all rows, in the order in which they are worth beginning: tables take turns, so that those who load seldom meet in one.
func (p population) batches() []batch {
	var out []batch
	for c := 1; c <= p.copies; c++ {
		out = append(out, p.batch(c, "item", p.itemRows(c)))
		for w := 1; w <= p.warehouses; w++ {
			out = append(out,
				p.batch(c, "order_line", p.lineRows(c, w)),
				p.batch(c, "stock", p.stockRows(c, w)),
				p.batch(c, "customer", p.customerRows(c, w)),
				p.batch(c, "orders", p.orderRows(c, w)),
				p.batch(c, "history", p.historyRows(c, w)),
				p.batch(c, "new_orders", p.newOrderRows(w)),
				p.batch(c, "district", p.districtRows(c, w)),
				p.batch(c, "warehouse", p.warehouseRows(c, w)))
		}
	}
	return out
}

func (p population) batch(copy int, name string, next func([]byte) ([]byte, bool)) batch {
	return batch{of(copy, "{"+name+"}"), next}
}

// stream is that of a copy's rows.
func (p population) stream(copy int, parts ...uint64) random {
	return stream(p.seed, append([]uint64{uint64(copy)}, parts...)...)
}

// row is one of COPY's text form.
type row struct{ out []byte }

func (r *row) int(v int) *row {
	r.out = strconv.AppendInt(r.out, int64(v), 10)
	return r.tab()
}

func (r *row) word(s string) *row {
	r.out = append(r.out, s...)
	return r.tab()
}

// null is a value that is not there.
func (r *row) null() *row { return r.word(`\N`) }

// cents is an amount; parts is how many of it make one.
func (r *row) cents(v, parts int) *row {
	r.out = strconv.AppendInt(r.out, int64(v/parts), 10)
	r.out = append(r.out, '.')
	for v, parts = v%parts, parts/10; parts > 0; parts /= 10 {
		r.out = append(r.out, byte('0'+v/parts))
		v %= parts
	}
	return r.tab()
}

func (r *row) text(from *random, lo, hi int) *row {
	r.out = from.text(r.out, lo, hi)
	return r.tab()
}

func (r *row) tab() *row {
	r.out = append(r.out, '\t')
	return r
}

// address is two streets, a city, a state and a zip code.
func (r *row) address(from *random) *row {
	r.text(from, 10, 20).text(from, 10, 20).text(from, 10, 20).text(from, 2, 2)
	r.out = append(from.digits(r.out, 4), "11111"...)
	return r.tab()
}

// original is 26 to 50 letters; a tenth of them have "ORIGINAL" in some place.
func (r *row) original(from *random) *row {
	begin := len(r.out)
	r.out = from.text(r.out, 26, 50)
	if from.percent(10) {
		at := from.between(begin, len(r.out)-len(originalMark))
		copy(r.out[at:], originalMark)
	}
	return r.tab()
}

// originalMark is what brand and generic goods are told by.
const originalMark = "ORIGINAL"

// end is the row, whose last tab becomes its end.
func (r *row) end() []byte {
	r.out[len(r.out)-1] = '\n'
	return r.out
}
