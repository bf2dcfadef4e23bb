package tpcc

import (
	"strconv"
)

// made is the time in all rows, fixed so that a seed always gives the same rows.
const made = "2020-01-01 00:00:00"

// batch is the rows of one table for one COPY: next appends one row, and reports false if none is left.
type batch struct {
	table string // such as stock3
	next  func(out []byte) ([]byte, bool)
}

// batches returns all rows, in the order in which to load them: tables alternate, so that connections seldom load
// the same one.
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

// stream returns the random numbers of a copy's rows.
func (p population) stream(copy int, parts ...uint64) random {
	return stream(p.seed, append([]uint64{uint64(copy)}, parts...)...)
}

// row builds a row in COPY's text form.
type row struct{ out []byte }

func (r *row) int(v int) *row {
	r.out = strconv.AppendInt(r.out, int64(v), 10)
	return r.tab()
}

func (r *row) word(s string) *row {
	r.out = append(r.out, s...)
	return r.tab()
}

// null appends a null.
func (r *row) null() *row { return r.word(`\N`) }

// cents appends an amount; parts is the number of its units in one.
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

// address appends two streets, a city, a state and a zip code.
func (r *row) address(from *random) *row {
	r.text(from, 10, 20).text(from, 10, 20).text(from, 10, 20).text(from, 2, 2)
	r.out = append(from.digits(r.out, 4), "11111"...)
	return r.tab()
}

// original appends 26 to 50 letters; a tenth of them contain "ORIGINAL".
func (r *row) original(from *random) *row {
	begin := len(r.out)
	r.out = from.text(r.out, 26, 50)
	if from.percent(10) {
		at := from.between(begin, len(r.out)-len(originalMark))
		copy(r.out[at:], originalMark)
	}
	return r.tab()
}

// originalMark distinguishes brand from generic goods.
const originalMark = "ORIGINAL"

// end returns the row, whose last tab becomes a newline.
func (r *row) end() []byte {
	r.out[len(r.out)-1] = '\n'
	return r.out
}
