//go:build !unix

package term

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Stops does nothing here: programs are not stopped by signals.
func Stops(context.Context, func(tea.Msg), func()) {}
