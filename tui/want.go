package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
)

// wantCompare asks for what people and machines read differently in a queue.
type wantCompare struct {
	queue annotate.QueueName
	pairs bool
}

// wantCandidates asks for what experts differ on, of whatever dataset.
type wantCandidates struct{}

// wantLabels asks for a new queue of predictions to label.
type wantLabels struct{}

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
