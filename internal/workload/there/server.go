package there

import (
	"context"

	"plimsoll/internal/workload"
)

// Server is the target's half of a trial whose server runs already: nothing is started, verified or stopped here.
type Server struct{ At string } // address for messages; generators have it from the parameters

// Start returns the address.
func (s Server) Start(context.Context) (string, error) { return s.At, nil }

// Verify does nothing: generators check the answers.
func (Server) Verify(context.Context) error { return nil }

// Close does nothing: the server is not ours.
func (Server) Close() error { return nil }

// Heat implements workload.Heater: whether the server has a JIT compiler is unknown.
func (Server) Heat() (w workload.Warming, compiles bool) { return w, false }
