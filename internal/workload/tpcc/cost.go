package tpcc

import "plimsoll/internal/workload/database"

// The CPU seconds of the reference machine for one warehouse of the specification's size, to load and index it, and to
// check its conditions; and for the items that all warehouses of a copy share.
const (
	warehouseCPU = 1.3
	conditionCPU = 1.55
	itemsCPU     = 5
)

// cost returns the work of filling and checking, in proportion to the rows.
func (p population) cost() database.SetCost {
	perCopy := float64(p.warehouses) * float64(p.customers) / specCustomers
	check := float64(p.copies) * perCopy * conditionCPU
	return database.SetCost{Fill: float64(p.copies)*(perCopy*warehouseCPU+itemsCPU*float64(p.items)/specItems) + check,
		Check: check, Queries: p.copies * len(conditions())}
}

// The rows of the specification: customers of a district, and items.
const (
	specCustomers = 3000
	specItems     = 100_000
)
