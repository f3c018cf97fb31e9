//go:build !unix

package term

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// HandleStopSignals does nothing here: programs are not stopped by signals.
func HandleStopSignals(context.Context, func(tea.Msg), func()) {}
