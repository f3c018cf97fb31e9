package adjudicate

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/widget"
)

// Curated is what experts differ on among the candidates of a dataset. It says
// of none how.
type Curated struct {
	Dataset    eval.DatasetName
	Candidates int
	curation.Disputes
}

// OpenCuration is the message that what experts differ on in a dataset is to be
// settled.
type OpenCuration struct{ Dataset eval.DatasetName }

// recounted is the curated datasets that were read.
type recounted struct {
	of      *experts
	curated []Curated
	err     error
}

func notify(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Problem, Text: text} }
}
