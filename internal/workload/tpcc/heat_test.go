package tpcc

import (
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestHeat: the load before the trial writes orders, and a checkpoint follows it, so that hardly any log lies behind
// the last one; none of its transactions counts, and the run's key has its length.
func TestHeat(t *testing.T) {
	d := served(t, record.Params{paramPopulation: populationSmall, paramWarehouses: "2", record.ParamClients: "2",
		paramHeat: "2s"})
	c := connected(t, d.DSN())
	var orders, behind int64
	err := c.QueryRow(t.Context(), "select count(*) from orders1").Scan(&orders)
	if err != nil {
		t.Fatal(err)
	}
	err = c.QueryRow(t.Context(), "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint "+
		"from pg_control_checkpoint()").Scan(&behind)
	if err != nil {
		t.Fatal(err)
	}
	if loaded := int64(2 * districts * d.population.customers); orders <= loaded {
		t.Errorf("%d orders of %d loaded: nothing was ordered before the trial", orders, loaded)
	}
	if behind > 256<<10 {
		t.Errorf("%d bytes of log since the last checkpoint", behind)
	}
	if n := d.counts(); n.all() != 0 {
		t.Errorf("%d transactions counted before the trial", n.all())
	}
	if key := d.Keys()[workload.KeyHeat]; key != "2s" {
		t.Errorf("key %q", key)
	}
}
