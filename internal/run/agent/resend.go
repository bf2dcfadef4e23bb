package agent

import (
	"context"
	"encoding/json"

	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/kept"
)

// carryOutOnce measures an order unless it was finished here, and keeps what it reports until the client orders
// something else: the connection may break before it has arrived.
func (t *trial) carryOutOnce(ctx context.Context) error {
	t.out.enter(phasePreparing)
	if sent, err := resend(ctx, t.order, t.out); sent || err != nil {
		return err
	}
	t.keeps = true
	return t.carryOut(ctx)
}

// resend sends the messages of an order that was finished here, once nobody works on it any more.
func resend(ctx context.Context, o record.Order, out *sender) (sent bool, err error) {
	if err := kept.AwaitPredecessor(ctx, o.ID); err != nil {
		return false, err
	}
	lines, err := kept.Finished(o.Plan, o.ID)
	if err != nil {
		return false, nil //nolint:nilerr // what is damaged is measured again
	}
	for _, line := range lines {
		if err := out.write(line); err != nil {
			return false, err
		}
	}
	return len(lines) > 0, nil
}

// keep writes messages to this host's disk before they are sent. Where that fails they are sent all the same, and an
// outage in this moment costs the trial.
func (t *trial) keep(all []Message) {
	var lines [][]byte
	for _, m := range all {
		line, err := json.Marshal(masked(m, t.secrets))
		if err != nil {
			return
		}
		lines = append(lines, line)
	}
	_ = kept.Spool(t.order.Plan, t.order.ID, lines)
}
