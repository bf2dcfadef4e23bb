package tpcc

import (
	"bytes"
	"fmt"
)

// orderWork is the state of a New-Order.
type orderWork struct {
	in       *input
	number   int
	rates    int // 1/10000: the sum of W_TAX and D_TAX
	discount int // 1/10000
	goods    []good
	lines    [mostLines]orderLine
	total    int // cents, before taxes and discount

	onRow, onCustomer, onItem, onStock, onNumber func(int, [][]byte) error
}

// good is a stock row that an order takes from, by one or more lines.
type good struct {
	supplier, item         int
	quantity               int
	taken, orders, distant int // added to S_YTD, S_ORDER_CNT and S_REMOTE_CNT
	original               bool
	found                  bool
	dist                   [24]byte // S_DIST_xx
}

// orderLine is a line's data beside its input.
type orderLine struct {
	good     int
	price    int // cents
	original bool
	found    bool
	brand    bool // brand goods, not generic ones
}

// newOrder implements clause 2.4.2 in two round trips: all reads, with the locks that they need, then all writes and
// the end. It locks stock in the order of its keys and the district last, so that no two orders can deadlock.
func (c *client) newOrder(in *input) error {
	o := &c.order
	o.begin(in)
	if c.apart {
		return c.newOrderApart(in)
	}
	c.readOrder(in)
	if err := c.conn.Exchange(o.onRow); err != nil {
		return err
	}
	if err := o.settle(in.valid()); err != nil {
		return err
	}
	end := c.writeOrder(in)
	if err := c.conn.Exchange(nil); err != nil {
		return err
	}
	if err := c.touched(in, 0, len(o.goods), "the update of stock"); err != nil {
		return err
	}
	return c.touched(in, end-1, in.valid(), "the insert of order lines")
}

// valid returns the number of lines whose item exists.
func (in *input) valid() int {
	if in.unused {
		return len(in.lines) - 1
	}
	return len(in.lines)
}

func (o *orderWork) begin(in *input) {
	o.in, o.number, o.rates, o.discount, o.total = in, 0, 0, 0, 0
	o.goods = o.goods[:0]
	for i, l := range in.lines {
		o.lines[i] = orderLine{}
		if i >= in.valid() {
			return
		}
		n := len(o.goods)
		if n == 0 || o.goods[n-1].supplier != l.supplier || o.goods[n-1].item != l.item {
			o.goods = append(o.goods, good{supplier: l.supplier, item: l.item})
		}
		o.lines[i].good = len(o.goods) - 1
	}
}

func (c *client) readOrder(in *input) {
	o := &c.order
	c.queue(c.begin)
	c.ints(in.w, in.d, in.customer.id).queue(c.sql.orderCustomer)
	c.array(len(in.lines), func(out []byte, i int) []byte { return appendInt(out, in.lines[i].item) }).
		queue(c.sql.orderItems)
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].supplier) })
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].item) })
	c.ints(in.d).queue(c.sql.orderStock)
	c.ints(in.w, in.d).queue(c.sql.orderNumber)
}

// writeOrder queues the writes and returns the index of the last statement, which ends the transaction: an order
// with an unused item is written too, except for that line, and rolled back (clause 2.4.2.3).
func (c *client) writeOrder(in *input) (end int) {
	o := &c.order
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].supplier) })
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].item) })
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].quantity) })
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].taken) })
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].orders) })
	c.array(len(o.goods), func(out []byte, i int) []byte { return appendInt(out, o.goods[i].distant) })
	c.queue(c.sql.takeStock)
	c.ints(in.w, in.d, o.number, in.customer.id, len(in.lines), in.allLocal()).queue(c.sql.insertOrder)
	c.ints(in.w, in.d, o.number).queue(c.sql.insertNewOrder)
	c.ints(in.w, in.d, o.number)
	n := in.valid()
	c.array(n, func(out []byte, i int) []byte { return appendInt(out, in.lines[i].number) })
	c.array(n, func(out []byte, i int) []byte { return appendInt(out, in.lines[i].item) })
	c.array(n, func(out []byte, i int) []byte { return appendInt(out, in.lines[i].supplier) })
	c.array(n, func(out []byte, i int) []byte { return appendInt(out, in.lines[i].quantity) })
	c.array(n, func(out []byte, i int) []byte { return appendCents(out, in.lines[i].quantity*o.lines[i].price) })
	c.array(n, func(out []byte, i int) []byte { return append(out, o.goods[o.lines[i].good].dist[:]...) })
	c.queue(c.sql.insertLines)
	if in.unused {
		c.queue(c.rollback)
	} else {
		c.queue(c.commit)
	}
	return 4
}

// allLocal returns O_ALL_LOCAL.
func (in *input) allLocal() int {
	for _, l := range in.lines {
		if l.supplier != in.w {
			return 0
		}
	}
	return 1
}

// settle computes the terminal's output: it takes each line's quantity from its stock, in the order of the lines,
// and adds up.
func (o *orderWork) settle(lines int) error {
	for i, l := range o.in.lines[:lines] {
		known := &o.lines[i]
		g := &o.goods[known.good]
		if !known.found || !g.found {
			return fmt.Errorf("new_order: item %d or its stock in warehouse %d is missing", l.item, l.supplier)
		}
		g.take(l.quantity, l.supplier != o.in.w)
		known.brand = known.original && g.original
		o.total += l.quantity * known.price
	}
	if o.in.unused && o.lines[len(o.in.lines)-1].found {
		return fmt.Errorf("new_order: item %d exists but should be unused", o.in.lines[len(o.in.lines)-1].item)
	}
	if o.number == 0 {
		return fmt.Errorf("new_order: district %d of warehouse %d or its customer %d is missing",
			o.in.d, o.in.w, o.in.customer.id)
	}
	o.total = o.total * (10_000 - o.discount) / 10_000 * (10_000 + o.rates) / 10_000
	return nil
}

// take removes a line's quantity from the stock; a remainder of less than ten is restocked by 91.
func (g *good) take(quantity int, distant bool) {
	g.quantity -= quantity
	if g.quantity < 10 {
		g.quantity += 91
	}
	g.taken += quantity
	g.orders++
	if distant {
		g.distant++
	}
}

// orderRow dispatches the rows of readOrder's statements.
func (c *client) orderRow(i int, columns [][]byte) error {
	switch i {
	case 1:
		return c.orderCustomerRow(0, columns)
	case 2:
		return c.itemRow(0, columns)
	case 3:
		return c.stockRow(0, columns)
	case 4:
		return c.numberRow(0, columns)
	}
	return nil
}

func (c *client) orderCustomerRow(_ int, columns [][]byte) error {
	c.order.discount = number(columns[0])
	c.order.rates += number(columns[3])
	return nil
}

func (c *client) numberRow(_ int, columns [][]byte) error {
	c.order.number = number(columns[0])
	c.order.rates += number(columns[1])
	return nil
}

func (c *client) itemRow(_ int, columns [][]byte) error {
	id := number(columns[0])
	for i, l := range c.order.in.lines {
		if l.item == id {
			line := &c.order.lines[i]
			line.found, line.price, line.original = true, number(columns[1]), isOriginal(columns[3])
		}
	}
	return nil
}

func (c *client) stockRow(_ int, columns [][]byte) error {
	w, item := number(columns[0]), number(columns[1])
	for i := range c.order.goods {
		if g := &c.order.goods[i]; g.supplier == w && g.item == item {
			g.found, g.quantity, g.original = true, number(columns[2]), isOriginal(columns[3])
			copy(g.dist[:], columns[4])
		}
	}
	return nil
}

func isOriginal(data []byte) bool { return bytes.Contains(data, []byte(originalMark)) }
