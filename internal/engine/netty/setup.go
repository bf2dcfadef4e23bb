package netty

import (
	"context"

	"plimsoll/internal/engine"
)

// Setup is as engine.Setup has it.
func (Engine) Setup(context.Context) ([]engine.Step, error) { return release().Steps() }
