//go:build !unix

package term

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// HandleStops does nothing here: programs are not stopped by signals.
func HandleStops(context.Context, func(tea.Msg), func()) {}
