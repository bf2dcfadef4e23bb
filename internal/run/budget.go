package run

import (
	"context"
	"fmt"
	"time"

	"plimsoll/internal/plan"
)

// Overspent is the cause of a run that ended with its budget.
type Overspent struct{ plan.Budget }

func (e *Overspent) Error() string {
	return fmt.Sprintf("the budget of $%.2f is spent, at $%.6g an hour", e.USD, e.PerHour)
}

// Within returns a context that ends when a budget is spent.
func Within(ctx context.Context, b plan.Budget) (context.Context, context.CancelFunc) {
	lasts, limited := b.Lasts()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, lasts, &Overspent{b})
}

// Spending returns a Progress that says beside each figure what has been spent since now, if the prices are known.
func Spending(p Progress, b plan.Budget) Progress {
	if b.PerHour == 0 {
		return p
	}
	return spending{p, b, time.Now()}
}

type spending struct {
	Progress
	budget plan.Budget
	since  time.Time
}

// TrialDone adds what has been spent.
func (s spending) TrialDone(label, figure, void string) {
	if figure != "" {
		figure += fmt.Sprintf(", $%.2f spent", s.budget.Spent(time.Since(s.since)))
	}
	s.Progress.TrialDone(label, figure, void)
}
