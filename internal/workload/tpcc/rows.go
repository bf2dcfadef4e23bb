package tpcc

import "strconv"

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

// firstPayment is each customer's initial payment in cents.
const firstPayment = 1000

// inDistricts calls make for 1 to n in each district of a warehouse.
func inDistricts(n int, make func(r *row, d, i int)) func([]byte) ([]byte, bool) {
	return counted(districts*n, func(r *row, i int) { make(r, (i-1)/n+1, (i-1)%n+1) })
}

func (p population) customerRows(copy, w int) func([]byte) ([]byte, bool) {
	from, c := p.stream(copy, forCustomers, uint64(w)), loadConstants(p.seed)
	return inDistricts(p.customers, func(r *row, d, i int) {
		r.int(i).int(d).int(w).text(&from, 8, 16).word("OE")
		name := i - 1
		if i > mostNames {
			name = from.nurand(unevenName, c.name, 0, mostNames-1)
		}
		r.out = lastName(r.out, name)
		r.tab().address(&from)
		r.out = from.digits(r.out, 16)
		r.tab().word(made)
		credit := "GC"
		if from.percent(10) {
			credit = "BC"
		}
		r.word(credit).cents(50_000_00, 100).cents(from.between(0, 5000), 10_000).word("-10.00").cents(firstPayment, 100).
			int(1).int(0).text(&from, 300, 500)
	})
}

func (p population) historyRows(copy, w int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forHistory, uint64(w))
	return inDistricts(p.customers, func(r *row, d, i int) {
		r.int(i).int(d).int(w).int(d).int(w).word(made).cents(firstPayment, 100).text(&from, 12, 24)
	})
}

// counted returns an iterator that calls make for 1 to n.
func counted(n int, make func(r *row, i int)) func([]byte) ([]byte, bool) {
	i := 0
	return func(out []byte) ([]byte, bool) {
		if i == n {
			return out, false
		}
		i++
		r := row{out}
		make(&r, i)
		return r.end(), true
	}
}

func (p population) itemRows(copy int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forItems)
	return counted(p.items, func(r *row, i int) {
		r.int(i).int(from.between(1, 10_000)).text(&from, 14, 24).cents(from.between(100, 10_000), 100).original(&from)
	})
}

func (p population) stockRows(copy, w int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forStock, uint64(w))
	return counted(p.items, func(r *row, i int) {
		r.int(i).int(w).int(from.between(10, 100))
		for range districts {
			r.text(&from, 24, 24)
		}
		r.int(0).int(0).int(0).original(&from)
	})
}

func (p population) warehouseRows(copy, w int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forWarehouse, uint64(w))
	return counted(1, func(r *row, _ int) {
		r.int(w).text(&from, 6, 10).address(&from).cents(from.between(0, 2000), 10_000).
			cents(districts*p.customers*firstPayment, 100)
	})
}

func (p population) districtRows(copy, w int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forDistrict, uint64(w))
	return counted(districts, func(r *row, d int) {
		r.int(d).int(w).text(&from, 6, 10).address(&from).cents(from.between(0, 2000), 10_000).cents(p.customers*firstPayment,
			100).int(p.customers + 1)
	})
}

// The minimum and maximum of an order's lines.
const (
	fewestLines = 5
	mostLines   = 15
)

// counts returns the stream of line counts of a warehouse's orders; the orders and their lines use the same one.
func (p population) counts(copy, w int) random { return p.stream(copy, forCounts, uint64(w)) }

func (p population) orderRows(copy, w int) func([]byte) ([]byte, bool) {
	from, counts := p.stream(copy, forOrders, uint64(w)), p.counts(copy, w)
	customers := make([]int32, p.customers)
	return inDistricts(p.customers, func(r *row, d, o int) {
		if o == 1 {
			from.permute(customers)
		}
		r.int(o).int(d).int(w).int(int(customers[o-1])).word(made)
		carrier := from.between(1, 10)
		if p.delivered(o) {
			r.int(carrier)
		} else {
			r.null()
		}
		r.int(counts.between(fewestLines, mostLines)).int(1)
	})
}

// delivered reports whether an order is initially delivered.
func (p population) delivered(o int) bool { return o <= p.customers-p.undelivered }

func (p population) newOrderRows(w int) func([]byte) ([]byte, bool) {
	return inDistricts(p.undelivered, func(r *row, d, i int) { r.int(p.customers - p.undelivered + i).int(d).int(w) })
}

// lineRows returns the lines of all orders of a warehouse.
func (p population) lineRows(copy, w int) func([]byte) ([]byte, bool) {
	from, counts := p.stream(copy, forLines, uint64(w)), p.counts(copy, w)
	order, line, lines := -1, 0, 0
	return func(out []byte) ([]byte, bool) {
		if line == lines {
			order++
			if order == districts*p.customers {
				return out, false
			}
			line, lines = 0, counts.between(fewestLines, mostLines)
		}
		line++
		d, o := order/p.customers+1, order%p.customers+1
		r := row{out}
		r.int(o).int(d).int(w).int(line).int(from.between(1, p.items)).int(w)
		amount := from.between(1, 999_999)
		if p.delivered(o) {
			r.word(made).int(5).word("0.00")
		} else {
			r.null().int(5).cents(amount, 100)
		}
		return r.text(&from, 24, 24).end(), true
	}
}
