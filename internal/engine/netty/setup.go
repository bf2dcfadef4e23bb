package netty

import (
	"context"

	"plimsoll/internal/engine"
)

// Setup implements engine.Setup.
func (Engine) Setup(context.Context) ([]engine.Step, error) { return release().Steps() }
