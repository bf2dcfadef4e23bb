package tpcc

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
