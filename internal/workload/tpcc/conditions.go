package tpcc

// condition is one of the specification's consistency conditions (clause 3.3.2.1 to 3.3.2.12).
type condition struct {
	number int
	doc    string
	// violating selects the violations, in order: as text the row, and the contradiction. A missing value equals
	// nothing.
	violating string
	loaded    bool // it holds only for freshly loaded data
}

// conditions returns all twelve; $delivered stands for the delivered orders of a district after loading.
func conditions() []condition { return append(ofOrders(), ofMoney()...) }

// ofOrders returns the conditions about the existence of orders, lines and deliveries.
//
//nolint:lll // a raw string
func ofOrders() []condition {
	return []condition{
		{number: 2, doc: "D_NEXT_O_ID - 1 is the highest O_ID, and the highest NO_O_ID if there is one", violating: `
select format('d_w_id=%s d_id=%s', d_w_id, d_id), format('d_next_o_id %s, highest o_id %s, highest no_o_id %s', d_next_o_id, o, no)
from (select d_w_id, d_id, d_next_o_id,
  (select max(o_id) from {orders} where o_w_id = d_w_id and o_d_id = d_id) as o,
  (select max(no_o_id) from {new_orders} where no_w_id = d_w_id and no_d_id = d_id) as no from {district}) d
where d_next_o_id - 1 is distinct from o or no is not null and no is distinct from o order by d_w_id, d_id`},
		{number: 3, doc: "the NO_O_ID of a district have no gaps", violating: `
select format('no_w_id=%s no_d_id=%s', no_w_id, no_d_id), format('%s rows from %s to %s', count(*), min(no_o_id), max(no_o_id))
from {new_orders} group by no_w_id, no_d_id
having max(no_o_id) - min(no_o_id) + 1 is distinct from count(*) order by no_w_id, no_d_id`},
		{number: 4, doc: "the sum of O_OL_CNT is the number of order lines of a district", violating: `
select format('w_id=%s d_id=%s', w, d), format('sum of o_ol_cnt %s, %s rows of order_line', want, got)
from (select d_w_id as w, d_id as d from {district}) k
left join (select o_w_id as w, o_d_id as d, sum(o_ol_cnt) as want from {orders} group by 1, 2) o using (w, d)
full join (select ol_w_id as w, ol_d_id as d, count(*) as got from {order_line} group by 1, 2) l using (w, d)
where coalesce(want, 0) is distinct from coalesce(got, 0) order by w, d`},
		{number: 5, doc: "O_CARRIER_ID is null exactly if the order is in NEW-ORDER", violating: `
select format('o_w_id=%s o_d_id=%s o_id=%s', o_w_id, o_d_id, o_id), format('o_carrier_id %s, in new_orders: %s', coalesce(o_carrier_id::text, 'null'), no_o_id is not null)
from {orders} left join {new_orders} on no_w_id = o_w_id and no_d_id = o_d_id and no_o_id = o_id
where (o_carrier_id is null) is distinct from (no_o_id is not null) order by o_w_id, o_d_id, o_id`},
		{number: 6, doc: "O_OL_CNT is the number of the order's lines", violating: `
select format('o_w_id=%s o_d_id=%s o_id=%s', o_w_id, o_d_id, o_id), format('o_ol_cnt %s, %s rows of order_line', o_ol_cnt, coalesce(n, 0))
from {orders} left join (select ol_w_id, ol_d_id, ol_o_id, count(*) as n from {order_line} group by 1, 2, 3) l
  on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
where o_ol_cnt is distinct from coalesce(n, 0) order by o_w_id, o_d_id, o_id`},
		{number: 7, doc: "OL_DELIVERY_D is null exactly if O_CARRIER_ID is", violating: `
select format('ol_w_id=%s ol_d_id=%s ol_o_id=%s ol_number=%s', ol_w_id, ol_d_id, ol_o_id, ol_number),
  format('ol_delivery_d %s, o_carrier_id %s', coalesce(ol_delivery_d::text, 'null'), coalesce(o_carrier_id::text, 'null'))
from {order_line} left join {orders} on o_w_id = ol_w_id and o_d_id = ol_d_id and o_id = ol_o_id
where (ol_delivery_d is null) is distinct from (o_carrier_id is null) order by ol_w_id, ol_d_id, ol_o_id, ol_number`},
		{number: 11, loaded: true, doc: "the orders of a district outside NEW-ORDER are as many as were loaded " +
			"delivered", violating: `
select format('d_w_id=%s d_id=%s', d_w_id, d_id), format('%s orders, %s in new_orders', coalesce(o, 0), coalesce(n, 0))
from {district} left join (select o_w_id, o_d_id, count(*) as o from {orders} group by 1, 2) o on o_w_id = d_w_id and o_d_id = d_id
left join (select no_w_id, no_d_id, count(*) as n from {new_orders} group by 1, 2) n on no_w_id = d_w_id and no_d_id = d_id
where coalesce(o, 0) - coalesce(n, 0) is distinct from $delivered order by d_w_id, d_id`},
	}
}

// ofMoney returns the conditions about payments, deliveries and balances.
//
//nolint:lll // a raw string
func ofMoney() []condition {
	return []condition{
		{number: 1, doc: "W_YTD is the sum of its districts' D_YTD", violating: `
select format('w_id=%s', w_id), format('w_ytd %s, sum of d_ytd %s', w_ytd, total)
from {warehouse} left join (select d_w_id, sum(d_ytd) as total from {district} group by d_w_id) d on d_w_id = w_id
where w_ytd is distinct from total order by w_id`},
		{number: 8, doc: "W_YTD is the sum of H_AMOUNT of the warehouse", violating: `
select format('w_id=%s', w_id), format('w_ytd %s, sum of h_amount %s', w_ytd, total)
from {warehouse} left join (select h_w_id, sum(h_amount) as total from {history} group by h_w_id) h on h_w_id = w_id
where w_ytd is distinct from coalesce(total, 0) order by w_id`},
		{number: 9, doc: "D_YTD is the sum of H_AMOUNT of the district", violating: `
select format('d_w_id=%s d_id=%s', d_w_id, d_id), format('d_ytd %s, sum of h_amount %s', d_ytd, total)
from {district} left join (select h_w_id, h_d_id, sum(h_amount) as total from {history} group by 1, 2) h on h_w_id = d_w_id and h_d_id = d_id
where d_ytd is distinct from coalesce(total, 0) order by d_w_id, d_id`},
		{number: 10, doc: "C_BALANCE is the amount delivered to the customer less the payments in H_AMOUNT", violating: `
select format('c_w_id=%s c_d_id=%s c_id=%s', c_w_id, c_d_id, c_id), format('c_balance %s, delivered %s, sum of h_amount %s', c_balance, coalesce(delivered, 0), coalesce(paid, 0))
from {customer} left join ` + delivered + ` on o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id
left join (select h_c_w_id, h_c_d_id, h_c_id, sum(h_amount) as paid from {history} group by 1, 2, 3) h on h_c_w_id = c_w_id and h_c_d_id = c_d_id and h_c_id = c_id
where c_balance is distinct from coalesce(delivered, 0) - coalesce(paid, 0) order by c_w_id, c_d_id, c_id`},
		{number: 12, doc: "C_BALANCE + C_YTD_PAYMENT is the amount delivered to the customer", violating: `
select format('c_w_id=%s c_d_id=%s c_id=%s', c_w_id, c_d_id, c_id), format('c_balance %s, c_ytd_payment %s, delivered %s', c_balance, c_ytd_payment, coalesce(delivered, 0))
from {customer} left join ` + delivered + ` on o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id
where c_balance + c_ytd_payment is distinct from coalesce(delivered, 0) order by c_w_id, c_d_id, c_id`},
	}
}

// delivered selects the total of each customer's delivered lines.
const delivered = `(select o_w_id, o_d_id, o_c_id, sum(ol_amount) as delivered from {orders}
  join {order_line} on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id where ol_delivery_d is not null group by 1, 2, 3) l`
