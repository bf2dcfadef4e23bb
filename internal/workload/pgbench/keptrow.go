package pgbench

import "plimsoll/internal/pgload"

// keptRow holds the last row of the last command that returned rows. It is refilled without allocating.
type keptRow struct {
	command int   // index among the text's commands
	rows    int64 // returned by it
	text    []byte
	ends    []int // end of each column's name and value in text; a null value ends at −1
}

func (k *keptRow) reset() { k.command, k.rows = 0, 0 }

func (k *keptRow) take(command int, columns [][]byte, c *pgload.Conn) {
	if command != k.command {
		k.command, k.rows = command, 0
	}
	k.rows++
	k.text, k.ends = k.text[:0], k.ends[:0]
	for i, value := range columns {
		k.text = append(k.text, c.Column(i)...)
		k.ends = append(k.ends, len(k.text))
		if value == nil {
			k.ends = append(k.ends, -1)
			continue
		}
		k.text = append(k.text, value...)
		k.ends = append(k.ends, len(k.text))
	}
}

// each calls call with the name and the value of each column; nil is null.
func (k *keptRow) each(call func(name, value []byte) error) error {
	from := 0
	for i := 0; i < len(k.ends); i += 2 {
		name := k.text[from:k.ends[i]]
		from = k.ends[i]
		var value []byte
		if end := k.ends[i+1]; end >= 0 {
			value, from = k.text[from:end:end], end
		}
		if err := call(name, value); err != nil {
			return err
		}
	}
	return nil
}
