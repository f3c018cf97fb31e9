package home

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/job"
)

// Deps is what the screen works with. Source is needed.
type Deps struct {
	Source     Source
	Control    Control          // nil: runs cannot be steered
	Scheduler  Scheduler        // nil: none can be started
	Jobs       job.Source       // nil: there are none
	JobControl job.Control      // nil: jobs can neither be started nor steered
	Import     bool             // files can be imported
	Links      []Link           // pages that open from here
	Now        func() time.Time // nil is time.Now
}

// Link is a page that opens from the screen by a key of its own.
type Link struct {
	Key  key.Binding
	Open tea.Msg // asks for it
}
