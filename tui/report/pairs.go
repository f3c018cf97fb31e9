package report

import (
	"iter"

	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/eval"
)

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

// pick is a list to make of a row: the figure, and how many pairs are known to
// be behind it; below 0 for a list that is always offered.
type pick struct {
	name  string
	which figures.Which
	n     int
}

// pairLists are the lists of a row's figures, all of them together first.
func pairLists(row figures.Row, path []string, picks ...pick) []PairList {
	all := figures.Selection{Which: figures.Every, Level: path}
	out := []PairList{{Name: "all", Pairs: figures.Pairs(row, all)}}
	for _, p := range picks {
		if p.n == 0 {
			continue
		}
		s := figures.Selection{Which: p.which, Level: path}
		out = append(out, PairList{Name: p.name, Tells: true, Pairs: figures.Pairs(row, s)})
	}
	return out
}

// only are the lists with the named one first.
func only(lists []PairList, name string) []PairList {
	for i := range lists {
		if lists[i].Name == name {
			out := append([]PairList{lists[i]}, lists[:i]...)
			return append(out, lists[i+1:]...)
		}
	}
	return lists
}

// ballotOf is how the judge of a row was asked.
func ballotOf(d *pairwise.Duel) *eval.Ballot {
	in, err := eval.ParseInput(d.Input)
	if err != nil {
		return nil
	}
	return &eval.Ballot{Judge: d.Judge, Criteria: d.Criteria, Input: in, Repeat: d.Repeat}
}
