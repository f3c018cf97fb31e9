package report

import (
	"cmp"
	"context"
	"iter"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/eval"
	"concord/tui/widget"
)

// OpenCompare asks for what people and machines read differently in a queue.
type OpenCompare struct{ Queue annotate.QueueName }

// OpenSamples asks for the samples behind a figure.
type OpenSamples struct {
	Title     string
	Lists     []List
	Extractor string // whose readings are shown; "": the rules of each run
	People    bool   // what people said is shown

	Dataset eval.DatasetName // of samples that are no run's: their keys have run 0
}

// List is some of the predictions behind a figure. That a prediction is in a
// list that Tells gives away what became of it, in one that tells of Experts
// what these say of its sample.
type List struct {
	Name    string
	Tells   bool
	Experts bool
	Keys    func(ctx context.Context) iter.Seq2[eval.Key, error]
}

// OpenPairs asks for the pairs behind a figure over votes.
type OpenPairs struct {
	Title  string
	Lists  []PairList
	Ballot *eval.Ballot // the judge whose votes stand beside the pairs; nil: people's alone
}

// PairList is some of the pairs behind a figure. That a pair is in a list that
// Tells gives away what was voted on it.
type PairList struct {
	Name  string
	Tells bool
	Pairs iter.Seq[eval.Pair]
}

// opens is what a cell opens; nil: nothing. What people said is closed to whoever
// does not see all.
func (s *sheet) opens(source figures.Facts, row, column int, hidden bool) tea.Msg {
	b := figures.BehindOf(&s.cells[row][column])
	if b == nil || hidden && b.People {
		return nil
	}
	title := widget.Line(s.head[column])
	if of := s.named(row); of != "" {
		title += " · " + of
	}
	if b.Pairs {
		return OpenPairs{Title: title, Ballot: b.Ballot, Lists: pairLists(b)}
	}
	return OpenSamples{Title: title, Extractor: b.Extractor, Dataset: b.Dataset, People: b.People, Lists: sampleLists(source, b)}
}

// sampleLists are the samples behind a cell, all of its parts together first.
func sampleLists(source figures.Facts, b *figures.Behind) []List {
	lists := make([]List, len(b.Picks))
	tells := false
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = List{Name: widget.Line(p.Name), Tells: p.Tells, Experts: p.Experts, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
			return p.Keys(ctx, source)
		}}
		tells = tells || p.Tells
	}
	if b.Parts < 2 {
		return lists
	}
	all := together(lists[:b.Parts]...)
	all.Tells = tells && !b.Whole
	return append([]List{all}, lists...)
}

// pairLists are the pairs behind a cell, all of its parts together first.
func pairLists(b *figures.Behind) []PairList {
	lists := make([]PairList, len(b.Picks))
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = PairList{Name: widget.Line(p.Name), Tells: p.Tells, Pairs: figures.Pairs(p.Row, p.Selection)}
	}
	if b.Parts < 2 {
		return lists
	}
	parts := lists[:b.Parts]
	return append([]PairList{{Name: "all", Tells: !b.Whole, Pairs: func(yield func(eval.Pair) bool) {
		var all []eval.Pair
		for _, l := range parts {
			all = slices.AppendSeq(all, l.Pairs)
		}
		slices.SortStableFunc(all, func(a, b eval.Pair) int { return cmp.Compare(a.Sample, b.Sample) })
		for _, p := range all {
			if !yield(p) {
				return
			}
		}
	}}}, lists...)
}
