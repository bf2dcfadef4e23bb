package tpcc

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
