package tpcc

import "slices"

// input is a transaction's input; each kind uses part of it.
type input struct {
	kind     kind
	copy     int // of the tables, from 1
	w, d     int
	customer customer
	lines    []line // New-Order: by supplier and item, to lock stock in one order; an unused item is last
	unused   bool   // New-Order: the last line's item does not exist, so that the transaction is rolled back
	cents    int    // Payment: the amount
	carrier  int    // Delivery
	least    int    // Stock-Level: the threshold
}

// customer is the customer of a Payment or an Order-Status, by name or, if that is empty, by number.
type customer struct {
	w, d, id int
	name     []byte
}

// line is a line of an order.
type line struct {
	item, supplier, quantity int
	number                   int // position as entered, from 1
}

// terminal draws inputs (clauses 2.4.1 to 2.8.1).
type terminal struct {
	skew
	random
	deck *deck
	// home is the fixed warehouse and district of the inputs; a zero warehouse means any.
	home home
}

// home is a terminal's place.
type home struct{ copy, w, d int }

// draw replaces the input by the next one.
func (t *terminal) draw(in *input) {
	in.kind = t.deck.deal(&t.random)
	in.copy, in.w = t.home.copy, t.home.w
	if in.w == 0 {
		in.copy, in.w = t.between(1, t.copies), t.between(1, t.warehouses)
	}
	in.d = t.between(1, districts)
	switch in.kind {
	case newOrder:
		t.drawOrder(in)
	case payment:
		in.cents = t.between(100, 5000_00)
		in.customer.w, in.customer.d = in.w, in.d
		if t.percent(15) {
			in.customer.w, in.customer.d = t.other(in.w, t.warehouses), t.between(1, districts)
		}
		t.drawCustomer(in)
	case orderStatus:
		in.customer.w, in.customer.d = in.w, in.d
		t.drawCustomer(in)
	case delivery:
		in.carrier = t.between(1, 10)
	case stockLevel:
		in.least = t.between(10, 20)
		if t.home.d > 0 {
			in.d = t.home.d
		}
	}
}

// drawCustomer chooses a customer by name in 60 of 100 cases.
func (t *terminal) drawCustomer(in *input) {
	in.customer.name, in.customer.id = in.customer.name[:0], 0
	if t.percent(60) {
		in.customer.name = lastName(in.customer.name, t.nameNumber(&t.random))
		return
	}
	in.customer.id = t.customerID(&t.random)
}

func (t *terminal) drawOrder(in *input) {
	in.customer = customer{w: in.w, d: in.d, id: t.customerID(&t.random), name: in.customer.name[:0]}
	n := t.between(fewestLines, mostLines)
	in.unused = t.percent(1)
	in.lines = in.lines[:0]
	for i := range n {
		l := line{item: t.itemID(&t.random), supplier: in.w, number: i + 1}
		if t.percent(1) {
			l.supplier = t.other(in.w, t.warehouses)
		}
		l.quantity = t.between(1, 10)
		in.lines = append(in.lines, l)
	}
	last := n
	if in.unused {
		in.lines[n-1].item = t.items + 1
		last--
	}
	slices.SortFunc(in.lines[:last], func(a, b line) int {
		if a.supplier != b.supplier {
			return a.supplier - b.supplier
		}
		return a.item - b.item
	})
}

// kind is one of the five types of transactions.
type kind int

// The types.
const (
	newOrder kind = iota
	payment
	orderStatus
	delivery
	stockLevel
	kinds = 5
)

func (k kind) String() string {
	return [kinds]string{"new_order", "payment", "order_status", "delivery", "stock_level"}[k]
}

// share returns a kind's percentage of the transactions: the specification's minimum for all but New-Order (clause
// 5.2.3).
func (k kind) share() int { return [kinds]int{45, 43, 4, 4, 4}[k] }

// deck deals kinds as in clause 5.2.4.2: a pack of cards in the mix's proportions, dealt to its end and shuffled
// again.
type deck struct {
	cards [100]kind
	dealt int
}

func newDeck() *deck {
	d := &deck{dealt: 100}
	at := 0
	for k := range kind(kinds) {
		for range k.share() {
			d.cards[at] = k
			at++
		}
	}
	return d
}

func (d *deck) deal(r *random) kind {
	if d.dealt == len(d.cards) {
		for i := range d.cards {
			j := r.between(0, i)
			d.cards[i], d.cards[j] = d.cards[j], d.cards[i]
		}
		d.dealt = 0
	}
	d.dealt++
	return d.cards[d.dealt-1]
}
