package tpcc

import (
	"fmt"
	"strings"
)

// table is one of the nine of a copy.
type table struct {
	name    string
	columns string   // as in create table
	key     string   // primary key; "": none
	indexes []string // columns of the other indexes
}

// tables returns those of clause 1.3. Names compare byte by byte, as the specification orders them, whatever the
// database's collation.
func tables() []table {
	address := func(p string) string {
		return fmt.Sprintf("%[1]s_street_1 varchar(20), %[1]s_street_2 varchar(20), %[1]s_city varchar(20), "+
			"%[1]s_state char(2), %[1]s_zip char(9)", p)
	}
	var dists []string
	for d := 1; d <= districts; d++ {
		dists = append(dists, fmt.Sprintf("s_dist_%02d char(24)", d))
	}
	return []table{
		{name: "warehouse", key: "w_id", columns: "w_id int, w_name varchar(10), " + address("w") +
			", w_tax numeric(4,4), w_ytd numeric(12,2)"},
		{name: "district", key: "d_w_id, d_id", columns: "d_id smallint, d_w_id int, d_name varchar(10), " + address("d") +
			", d_tax numeric(4,4), d_ytd numeric(12,2), d_next_o_id int"},
		{name: "customer", key: "c_w_id, c_d_id, c_id", indexes: []string{"c_w_id, c_d_id, c_last, c_first"},
			columns: `c_id int, c_d_id smallint, c_w_id int, c_first varchar(16) collate "C", c_middle char(2), c_last ` +
				`varchar(16) collate "C", ` + address("c") +
				", c_phone char(16), c_since timestamp, c_credit char(2), c_credit_lim numeric(12,2), c_discount numeric(4,4), " +
				"c_balance numeric(12,2), c_ytd_payment numeric(12,2), c_payment_cnt int, c_delivery_cnt int, c_data varchar(500)"},
		{name: "history", columns: "h_c_id int, h_c_d_id smallint, h_c_w_id int, h_d_id smallint, h_w_id int, h_date " +
			"timestamp, h_amount numeric(6,2), h_data varchar(24)"},
		{name: "new_orders", key: "no_w_id, no_d_id, no_o_id", columns: "no_o_id int, no_d_id smallint, no_w_id int"},
		{name: "orders", key: "o_w_id, o_d_id, o_id", indexes: []string{"o_w_id, o_d_id, o_c_id, o_id"},
			columns: "o_id int, o_d_id smallint, o_w_id int, o_c_id int, o_entry_d timestamp, o_carrier_id smallint, o_ol_cnt " +
				"smallint, o_all_local smallint"},
		{name: "order_line", key: "ol_w_id, ol_d_id, ol_o_id, ol_number",
			columns: "ol_o_id int, ol_d_id smallint, ol_w_id int, ol_number smallint, ol_i_id int, ol_supply_w_id int, " +
				"ol_delivery_d timestamp, ol_quantity smallint, ol_amount numeric(6,2), ol_dist_info char(24)"},
		{name: "item", key: "i_id", columns: "i_id int, i_im_id int, i_name varchar(24), i_price numeric(5,2), " +
			"i_data varchar(50)"},
		{name: "stock", key: "s_w_id, s_i_id",
			columns: "s_i_id int, s_w_id int, s_quantity smallint, " + strings.Join(dists, ", ") +
				", s_ytd int, s_order_cnt int, s_remote_cnt int, s_data varchar(50)"},
	}
}

// of adds a copy's suffix, from 1, to the tables that a statement names in braces, such as {stock}.
func of(copy int, sql string) string {
	for _, t := range tables() {
		sql = strings.ReplaceAll(sql, "{"+t.name+"}", fmt.Sprint(t.name, copy))
	}
	return sql
}

// create returns the statements that make the tables of a copy, without keys.
func create(copy int) []string {
	var out []string
	for _, t := range tables() {
		out = append(out, of(copy, fmt.Sprintf("create table {%s} (%s)", t.name, t.columns)))
	}
	return out
}

// finish returns the statements for the loaded tables of a copy: keys and indexes, and the planner's statistics.
// Those of each entry must run in order.
func finish(copy int) [][]string {
	var out [][]string
	for _, t := range tables() {
		var steps []string
		if t.key != "" {
			steps = append(steps, of(copy, fmt.Sprintf("alter table {%s} add primary key (%s)", t.name, t.key)))
		}
		for _, columns := range t.indexes {
			steps = append(steps, of(copy, fmt.Sprintf("create index on {%s} (%s)", t.name, columns)))
		}
		out = append(out, append(steps, of(copy, fmt.Sprintf("vacuum (analyze) {%s}", t.name))))
	}
	return out
}
