package endpoint

import (
	"context"

	"concord/tui/widget"
)

// Source asks servers and writes them down. Its methods are called beside the
// screen.
type Source interface {
	// Servers are those to begin with, the likeliest first.
	Servers(ctx context.Context) ([]Server, error)
	// List has a server list its models; that spends nothing.
	List(ctx context.Context, s Server) ([]string, error)
	// Write puts the server and the models into the configuration, and says
	// what was written where.
	Write(ctx context.Context, s Server, models []string) (said string, err error)
}

// Server is where models are served.
type Server struct {
	Name   string
	URL    string
	KeyEnv string // the variable that holds the key; "" for a server that wants none
}

// Done is the message that models were made known.
type Done struct{ Said string }

// Deps is what the screen is made of; all of it is needed.
type Deps struct {
	Theme  *widget.Theme
	Source Source
}
