package tpcc

import "fmt"

// population is how many rows there are of what (clause 4.3), by which all data are known together with their seed.
type population struct {
	warehouses, copies int
	items              int // so many rows of stock has each warehouse too
	customers          int // of a district; so many orders it has at first
	undelivered        int // of these orders, the last
	seed               uint64
}

// districts are those of a warehouse.
const districts = 10

// mostNames are the last names that there are.
const mostNames = 1000

// The values of the parameter population.
const (
	populationSpec  = "spec"
	populationSmall = "small"
)

func populationOf(size string, warehouses, copies int, seed uint64) population {
	p := population{warehouses: warehouses, copies: copies, items: 100_000, customers: 3000, undelivered: 900, seed: seed}
	if size == populationSmall {
		p.items, p.customers, p.undelivered = 1000, 300, 90
	}
	return p
}

// names are the last names in use: the first customers of a district have one each.
func (p population) names() int { return min(mostNames, p.customers) }

// bytes is about how large the data are on disk with their indexes, as they were measured for ten warehouses of the specification's and
// for three small ones.
func (p population) bytes() int64 {
	perOrder := int64(p.customers) * districts * 2400 // with its customer, its lines and what has been paid
	return int64(p.copies) * (int64(p.warehouses)*(perOrder+int64(p.items)*350) + int64(p.items)*120)
}

// key says what the data depend on.
func (p population) key() string {
	return fmt.Sprintf("format=1 warehouses=%d tables=%d items=%d customers=%d undelivered=%d seed=%d", p.warehouses, p.copies, p.items, p.customers, p.undelivered, p.seed)
}

// The purposes of random streams.
const (
	forConstants = iota
	forItems
	forStock
	forWarehouse
	forDistrict
	forCustomers
	forHistory
	forOrders
	forCounts
	forLines
	forClient
)
