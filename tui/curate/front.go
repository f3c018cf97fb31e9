package curate

import (
	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
)

// front is what the frame has in front. It changes with everything that a key
// may be meant for.
type front struct {
	of            *Model
	who           annotate.Annotator
	dataset       eval.DatasetName
	at            int
	sample        eval.Ordinal
	mode          annotation.Mode
	acts          int
	width, height int
}

// InFront is the candidate in front with what keys mean, to be compared; nil: no
// dataset is open.
func (m *Model) InFront() any {
	if m.cards.board == nil || m.list.loading != "" || m.size.height < headLines+footLines+verdictRows(m.size.width)+1 {
		return nil
	}
	f := front{
		of: m, who: m.who, dataset: m.cards.board.Dataset(), at: m.cards.at, mode: m.mode,
		acts: m.journal.submitted, width: m.size.width, height: m.size.height,
	}
	if m.cards.noCard() == "" {
		f.sample = m.cards.card().Sample.Ordinal
	}
	return f
}

// Records reports whether a key records something now.
func (m *Model) Records(key string) bool {
	return m.mode == placing && key == "enter" || m.table.Records(m.mode, key)
}
