package run

import (
	"context"
	"errors"
	"testing"

	"plimsoll/internal/plan"
)

// TestBudgetEndsARun: at the time that it pays, with its cause; without a price or a limit never.
func TestBudgetEndsARun(t *testing.T) {
	for _, b := range []plan.Budget{{}, {USD: 1}, {PerHour: 1}, {USD: 1e9, PerHour: 1e-9}} {
		ctx, cancel := Within(t.Context(), b)
		if _, limited := ctx.Deadline(); limited || ctx.Err() != nil {
			t.Errorf("%+v is limited", b)
		}
		cancel()
	}
	ctx, cancel := Within(t.Context(), plan.Budget{USD: 1, PerHour: 3.6e9})
	defer cancel()
	<-ctx.Done()
	if over := (*Overspent)(nil); !errors.As(context.Cause(ctx), &over) || over.USD != 1 {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
}
