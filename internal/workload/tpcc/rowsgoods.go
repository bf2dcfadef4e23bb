package tpcc

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
		r.int(w).text(&from, 6, 10).address(&from).cents(from.between(0, 2000), 10_000).cents(districts*p.customers*firstPayment, 100)
	})
}

func (p population) districtRows(copy, w int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forDistrict, uint64(w))
	return counted(districts, func(r *row, d int) {
		r.int(d).int(w).text(&from, 6, 10).address(&from).cents(from.between(0, 2000), 10_000).cents(p.customers*firstPayment, 100).int(p.customers + 1)
	})
}
