package tpcc

// newOrderApart is a New-Order with one statement at a time, each awaited: 6 and four for each line.
func (c *client) newOrderApart(in *input) error {
	o := &c.order
	if err := c.alone(c.begin); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d, in.customer.id).step(c.sql.orderCustomer, o.onCustomer); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d).step(c.sql.orderNumber, o.onNumber); err != nil {
		return err
	}
	if err := c.touched(in, 0, 1, "the update of the district"); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d, o.number, in.customer.id, len(in.lines), in.allLocal()).
		step(c.sql.insertOrder, nil); err != nil {
		return err
	}
	if err := c.ints(in.w, in.d, o.number).step(c.sql.insertNewOrder, nil); err != nil {
		return err
	}
	for i := range in.lines {
		if err := c.lineApart(in, i); err != nil {
			return err
		}
	}
	if in.unused {
		return c.alone(c.rollback)
	}
	return c.alone(c.commit)
}

// lineApart does line i; for an unused item it finds that there is none.
func (c *client) lineApart(in *input, i int) error {
	o, l := &c.order, in.lines[i]
	if err := c.ints(l.item).step(c.sql.lineItem, o.onItem); err != nil || i >= in.valid() {
		return err
	}
	if err := c.touched(in, 0, 1, "the read of an item"); err != nil {
		return err
	}
	known := &o.lines[i]
	g := &o.goods[known.good]
	*g = good{supplier: l.supplier, item: l.item}
	if err := c.ints(l.supplier, l.item, in.d).step(c.sql.lineStock, o.onStock); err != nil {
		return err
	}
	if err := c.touched(in, 0, 1, "the read of stock"); err != nil {
		return err
	}
	g.take(l.quantity, l.supplier != in.w)
	if err := c.ints(l.supplier, l.item, g.quantity, g.taken, g.orders, g.distant).step(c.sql.takeLineStock,
		nil); err != nil {
		return err
	}
	c.ints(in.w, in.d, o.number, l.number, l.item, l.supplier, l.quantity).cents(l.quantity * known.price)
	c.args.Bytes(g.dist[:])
	return c.step(c.sql.insertLine, nil)
}
