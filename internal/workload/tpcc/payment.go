package tpcc

import "fmt"

// peopleWork is the state of a Payment or an Order-Status.
type peopleWork struct {
	ids    []int  // customers with the name, in the order of C_FIRST
	places []byte // W_NAME and D_NAME, concatenated
	first  int    // index of the statement that returns the last order
	last   int    // its number
	lines  int    // of that order

	onName, onStatus, onLast, onShown, onPlace func(int, [][]byte) error
}

// middle returns the index, among n in order, of the customer chosen by name: the middle one, rounded up (clause
// 2.5.2.2).
func middle(n int) int { return (n+1)/2 - 1 }

// idOf looks a customer up by name; queued statements are sent along.
func (c *client) idOf(in *input) (int, error) {
	c.people.ids = c.people.ids[:0]
	c.ints(in.customer.w, in.customer.d)
	c.args.Bytes(in.customer.name)
	if err := c.step(c.sql.named, c.people.onName); err != nil {
		return 0, err
	}
	if len(c.people.ids) == 0 {
		return 0, fmt.Errorf("%s: no customer of warehouse %d, "+
			"district %d is named %s", in.kind, in.customer.w, in.customer.d, in.customer.name)
	}
	return c.people.ids[middle(len(c.people.ids))], nil
}

func (c *client) nameRow(_ int, columns [][]byte) error {
	c.people.ids = append(c.people.ids, number(columns[0]))
	return nil
}

// payment implements clause 2.5.2: in one round trip, or in two if the customer is chosen by name. The contended
// rows, the district's and the warehouse's, come last, so that they are locked for the shortest time.
func (c *client) payment(in *input) error {
	if c.apart {
		return c.paymentApart(in)
	}
	c.queue(c.begin)
	id, first := in.customer.id, 1
	if id == 0 {
		var err error
		if id, err = c.idOf(in); err != nil {
			return err
		}
		first = 0
	}
	c.pay(in, id)
	c.queue(c.sql.pay)
	c.ints(in.customer.w, in.customer.d, id, in.w, in.d).cents(in.cents).queue(c.sql.payHistory)
	c.ints(in.w, in.d).cents(in.cents).queue(c.sql.payDistrict)
	c.ints(in.w).cents(in.cents).queue(c.sql.payWarehouse)
	c.queue(c.commit)
	if err := c.conn.Exchange(nil); err != nil {
		return err
	}
	for i, what := range [4]string{"the update of the customer", "the insert of history", "the update of the district",
		"the update of the warehouse"} {
		if err := c.touched(in, first+i, 1, what); err != nil {
			return err
		}
	}
	return nil
}

// pay appends the arguments of the customer's update.
func (c *client) pay(in *input, id int) {
	c.ints(in.customer.w, in.customer.d, id).cents(in.cents).ints(in.w, in.d)
}

// paymentApart is a Payment with one statement at a time, in the specification's order.
func (c *client) paymentApart(in *input) error {
	if err := c.alone(c.begin); err != nil {
		return err
	}
	c.people.places = c.people.places[:0]
	if err := c.ints(in.w).cents(in.cents).step(c.sql.payWarehouse, c.people.onPlace); err != nil {
		return err
	}
	n := len(c.people.places)
	if err := c.ints(in.w, in.d).cents(in.cents).step(c.sql.payDistrict, c.people.onPlace); err != nil {
		return err
	}
	id := in.customer.id
	if id == 0 {
		var err error
		if id, err = c.idOf(in); err != nil {
			return err
		}
	}
	c.pay(in, id)
	if err := c.step(c.sql.pay, nil); err != nil {
		return err
	}
	if err := c.touched(in, 0, 1, "the update of the customer"); err != nil {
		return err
	}
	c.ints(in.customer.w, in.customer.d, id, in.w, in.d).cents(in.cents)
	c.args.Bytes(c.people.places[:n]).Bytes(c.people.places[n:])
	if err := c.step(c.sql.history, nil); err != nil {
		return err
	}
	return c.alone(c.commit)
}

// placeRow appends the name of a warehouse or of a district.
func (c *client) placeRow(_ int, columns [][]byte) error {
	c.people.places = append(c.people.places, columns[0]...)
	return nil
}
