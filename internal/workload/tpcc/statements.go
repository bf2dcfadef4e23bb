package tpcc

import (
	"fmt"

	"plimsoll/internal/client/pgload"
)

// statements are a connection's prepared statements for one copy of the tables. Those of single lines are for
// statements=one-at-a-time, the others, which take all of a transaction's rows at once, for statements=pipelined.
type statements struct {
	orderCustomer, orderItems, orderStock, orderNumber    pgload.Statement
	takeStock, insertOrder, insertNewOrder, insertLines   pgload.Statement
	lineItem, lineStock, takeLineStock, insertLine        pgload.Statement
	named, pay, payHistory, payDistrict, payWarehouse     pgload.Statement
	customer, lastOrder, lastLines, orderLines            pgload.Statement
	oldest, deliver, ship, shipLines, charge              pgload.Statement
	oldestOf, deliverOne, shipOne, shipOneLines, chargeOn pgload.Statement
	low, nextOrder, lowOf                                 pgload.Statement
	history                                               pgload.Statement
}

// text is a statement's SQL and its destination.
type text struct {
	to  *pgload.Statement
	sql string
}

func (s *statements) texts() []text {
	out := s.orderTexts()
	out = append(out, s.lineTexts()...)
	out = append(out, s.paymentTexts()...)
	out = append(out, s.deliveryTexts()...)
	return append(out, s.readOnlyTexts()...)
}

// orderTexts returns New-Order's statements. All clients lock stock in the order of its keys.
func (s *statements) orderTexts() []text {
	return []text{
		{&s.orderCustomer, `select c_discount, c_last, c_credit, w_tax from {customer}, {warehouse}
			where w_id = $1 and c_w_id = $1 and c_d_id = $2 and c_id = $3`},
		{&s.orderItems, `select i_id, i_price, i_name, i_data from {item} where i_id = any($1::int[])`},
		{&s.orderStock, `select s_w_id, s_i_id, s_quantity, s_data, ` + ownDistrict("$3") +
			` from unnest($1::int[], $2::int[]) k(w, i)
			join {stock} s on s_w_id = k.w and s_i_id = k.i order by s_w_id, s_i_id for no key update of s`},
		{&s.orderNumber, `update {district} set d_next_o_id = d_next_o_id + 1 where d_w_id = $1 and d_id = $2 returning ` +
			`d_next_o_id - 1, d_tax`},
		{&s.takeStock, `update {stock} set s_quantity = k.q, s_ytd = s_ytd + k.y, s_order_cnt = s_order_cnt + k.n, ` +
			`s_remote_cnt = s_remote_cnt + k.r
			from unnest($1::int[], $2::int[], $3::smallint[], $4::int[], $5::int[], $6::int[]) k(w, i, q, y, n, r) where s_w_id = k.w and s_i_id = k.i`},
		{&s.insertOrder, `insert into {orders} (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) values ` +
			`($1, $2, $3, $4, localtimestamp, $5, $6)`},
		{&s.insertNewOrder, `insert into {new_orders} (no_w_id, no_d_id, no_o_id) values ($1, $2, $3)`},
		{&s.insertLines, `insert into {order_line} (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ` +
			`ol_quantity, ol_amount, ol_dist_info)
			select $1::int, $2::smallint, $3::int, n, i, w, q, a, d
			from unnest($4::smallint[], $5::int[], $6::int[], $7::smallint[], $8::numeric[], $9::text[]) k(n, i, w, q, a, d)`},
	}
}

func (s *statements) lineTexts() []text {
	return []text{
		{&s.lineItem, `select i_id, i_price, i_name, i_data from {item} where i_id = $1`},
		{&s.lineStock, `select s_w_id, s_i_id, s_quantity, s_data, ` + ownDistrict("$3") +
			` from {stock} where s_w_id = $1 and s_i_id = $2 for no key update`},
		{&s.takeLineStock, `update {stock} set s_quantity = $3, s_ytd = s_ytd + $4, s_order_cnt = s_order_cnt + $5, ` +
			`s_remote_cnt = s_remote_cnt + $6
			where s_w_id = $1 and s_i_id = $2`},
		{&s.insertLine, `insert into {order_line} (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ` +
			`ol_quantity, ol_amount, ol_dist_info)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`},
	}
}

// ownDistrict returns the expression for S_DIST_xx of the district in a parameter.
func ownDistrict(parameter string) string {
	out := "case " + parameter + "::int"
	for d := 1; d <= districts; d++ {
		out += fmt.Sprintf(" when %d then s_dist_%02[1]d", d)
	}
	return out + " end"
}

// paymentTexts returns Payment's statements. For a customer with bad credit the same statement prepends the payment
// to C_DATA.
//
//nolint:lll // a raw string
func (s *statements) paymentTexts() []text {
	const person = "c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since, " +
		"c_credit, c_credit_lim, c_discount"
	return []text{
		{&s.named, `select c_id, c_balance, c_first, c_middle, c_last from {customer} where c_w_id = $1 and c_d_id = $2 ` +
			`and c_last = $3 order by c_first`},
		{&s.pay, `update {customer} set c_balance = c_balance - $4, c_ytd_payment = c_ytd_payment + $4, c_payment_cnt = ` +
			`c_payment_cnt + 1,
			c_data = case when c_credit = 'BC' then left(format('%s %s %s %s %s %s|', c_id, c_d_id, c_w_id, $6::int, $5::int, $4::numeric) || c_data, 500) else c_data end
			where c_w_id = $1 and c_d_id = $2 and c_id = $3 returning ` + person +
			`, c_balance, case when c_credit = 'BC' then left(c_data, 200) end`},
		{&s.payHistory, `insert into {history} (h_c_w_id, h_c_d_id, h_c_id, h_w_id, h_d_id, h_date, h_amount, h_data)
			select $1, $2, $3, w_id, d_id, localtimestamp, $6::numeric, w_name || '    ' || d_name from {warehouse}, {district}
			where w_id = $4 and d_w_id = $4 and d_id = $5`},
		{&s.history, `insert into {history} (h_c_w_id, h_c_d_id, h_c_id, h_w_id, h_d_id, h_date, h_amount, h_data)
			values ($1, $2, $3, $4, $5, localtimestamp, $6, $7 || '    ' || $8)`},
		{&s.payDistrict, `update {district} set d_ytd = d_ytd + $3 where d_w_id = $1 and d_id = $2 returning d_name, ` +
			`d_street_1, d_street_2, d_city, d_state, d_zip`},
		{&s.payWarehouse, `update {warehouse} set w_ytd = w_ytd + $2 where w_id = $1 returning w_name, w_street_1, ` +
			`w_street_2, w_city, w_state, w_zip`},
	}
}

// deliveryTexts returns Delivery's statements: for the oldest orders of all districts at once, or of one.
func (s *statements) deliveryTexts() []text {
	return []text{
		{&s.oldest, fmt.Sprintf(`select d, no_o_id from generate_series(1, %d) d,
			lateral (select no_o_id from {new_orders} where no_w_id = $1 and no_d_id = d order by no_o_id limit 1 for update) o`,
			districts)},
		{&s.deliver, `delete from {new_orders} using unnest($2::smallint[], $3::int[]) k(d, o) where no_w_id = $1 and ` +
			`no_d_id = k.d and no_o_id = k.o`},
		{&s.ship, `update {orders} set o_carrier_id = $4 from unnest($2::smallint[], $3::int[]) k(d, o) where o_w_id = $1 ` +
			`and o_d_id = k.d and o_id = k.o`},
		{&s.shipLines, `update {order_line} set ol_delivery_d = localtimestamp from unnest($2::smallint[], $3::int[]) k(d, o)
			where ol_w_id = $1 and ol_d_id = k.d and ol_o_id = k.o`},
		{&s.charge, `update {customer} set c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1
			from (select o_d_id, o_c_id, sum(ol_amount) as amount from unnest($2::smallint[], $3::int[]) k(d, o)
				join {orders} on o_w_id = $1 and o_d_id = k.d and o_id = k.o
				join {order_line} on ol_w_id = $1 and ol_d_id = k.d and ol_o_id = k.o group by o_d_id, o_c_id) l
			where c_w_id = $1 and c_d_id = o_d_id and c_id = o_c_id`},
		{&s.oldestOf, `select $2::int, no_o_id from {new_orders} where no_w_id = $1 and no_d_id = $2 order by no_o_id ` +
			`limit 1 for update`},
		{&s.deliverOne, `delete from {new_orders} where no_w_id = $1 and no_d_id = $2 and no_o_id = $3`},
		{&s.shipOne, `update {orders} set o_carrier_id = $4 where o_w_id = $1 and o_d_id = $2 and o_id = $3 ` +
			`returning o_c_id`},
		{&s.shipOneLines, `update {order_line} set ol_delivery_d = localtimestamp where ol_w_id = $1 and ol_d_id = $2 and ` +
			`ol_o_id = $3 returning ol_amount`},
		{&s.chargeOn, `update {customer} set c_balance = c_balance + $4, c_delivery_cnt = c_delivery_cnt + 1 where c_w_id ` +
			`= $1 and c_d_id = $2 and c_id = $3`},
	}
}

// readOnlyTexts returns the statements of the two read-only transactions.
func (s *statements) readOnlyTexts() []text {
	const columns = "ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
	return []text{
		{&s.customer, `select c_id, c_balance, c_first, c_middle, c_last from {customer} where c_w_id = $1 and c_d_id = $2 ` +
			`and c_id = $3`},
		{&s.lastOrder, `select o_id, o_entry_d, o_carrier_id from {orders} where o_w_id = $1 and o_d_id = $2 and o_c_id = ` +
			`$3 order by o_id desc limit 1`},
		{&s.lastLines, `select ` + columns + ` from {order_line} where ol_w_id = $1 and ol_d_id = $2
			and ol_o_id = (select max(o_id) from {orders} where o_w_id = $1 and o_d_id = $2 and o_c_id = $3)`},
		{&s.orderLines, `select ` + columns + ` from {order_line} where ol_w_id = $1 and ol_d_id = $2 and ol_o_id = $3`},
		{&s.low, `select count(distinct s_i_id) from (select d_next_o_id as next from {district} where d_w_id = $1 ` +
			`and d_id = $2) d
			join {order_line} on ol_w_id = $1 and ol_d_id = $2 and ol_o_id < next and ol_o_id >= next - 20
			join {stock} on s_w_id = $1 and s_i_id = ol_i_id where s_quantity < $3`},
		{&s.nextOrder, `select d_next_o_id from {district} where d_w_id = $1 and d_id = $2`},
		{&s.lowOf, `select count(distinct s_i_id) from {order_line} join {stock} on s_w_id = $1 and s_i_id = ol_i_id
			where ol_w_id = $1 and ol_d_id = $2 and ol_o_id < $4 and ol_o_id >= $4 - 20 and s_quantity < $3`},
	}
}

// prepare prepares all of them on a connection for one copy.
func (s *statements) prepare(c *pgload.Conn, copy int) error {
	for _, t := range s.texts() {
		var err error
		if *t.to, err = c.Prepare(of(copy, t.sql)); err != nil {
			return err
		}
	}
	return nil
}
