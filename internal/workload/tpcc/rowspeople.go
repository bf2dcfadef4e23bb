package tpcc

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
		r.word(credit).cents(50_000_00, 100).cents(from.between(0, 5000), 10_000).word("-10.00").cents(firstPayment, 100).int(1).int(0).text(&from, 300, 500)
	})
}

func (p population) historyRows(copy, w int) func([]byte) ([]byte, bool) {
	from := p.stream(copy, forHistory, uint64(w))
	return inDistricts(p.customers, func(r *row, d, i int) {
		r.int(i).int(d).int(w).int(d).int(w).word(made).cents(firstPayment, 100).text(&from, 12, 24)
	})
}
