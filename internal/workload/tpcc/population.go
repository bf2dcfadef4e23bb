package tpcc

import "fmt"

// population is the number of rows of each table (clause 4.3), which with the seed determines all data.
type population struct {
	warehouses, copies int
	items              int // also the stock rows of each warehouse
	customers          int // of a district; also its initial orders
	undelivered        int // of these orders, the last
	seed               uint64
}

// districts is the number of districts of a warehouse.
const districts = 10

// mostNames is the number of possible last names.
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

// names returns the number of last names in use: the first customers of a district have one each.
func (p population) names() int { return min(mostNames, p.customers) }

// bytes returns the approximate size of the data on disk with their indexes, as measured for ten full warehouses and
// for three small ones.
func (p population) bytes() int64 {
	perOrder := int64(p.customers) * districts * 2400 // with its customer, its lines and its payment
	return int64(p.copies) * (int64(p.warehouses)*(perOrder+int64(p.items)*350) + int64(p.items)*120)
}

// key returns everything that the data depend on.
func (p population) key() string {
	return fmt.Sprintf("format=1 warehouses=%d tables=%d items=%d customers=%d undelivered=%d seed=%d",
		p.warehouses, p.copies, p.items, p.customers, p.undelivered, p.seed)
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
	forHeat // of clients before the trial
)
