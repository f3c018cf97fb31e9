package catalogue

import (
	"context"
	"errors"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/pairwise"
	"concord/annotate/report/quality"
	"concord/annotate/report/rubric"
	"concord/eval"
)

// Facts are what reports are made of.
type Facts interface {
	report.VoteFacts
	accuracy.ScoreFacts
	quality.CriteriaFacts
	quality.InspectionFacts
	rubric.Facts
	// Panel is how many experts decide on a sample of a dataset.
	Panel(eval.DatasetName) (curation.Panel, error)
	// Curation reports how far a dataset is curated, by the candidates, the
	// experts and the targets that are set for it.
	Curation(context.Context, eval.DatasetName) (report.Report, error)
}

// Group is where lists of reports put one.
type Group uint8

// The groups, in the order of lists.
const (
	GroupUnset Group = iota
	GroupScores
	GroupAgreement
	GroupVotes
	GroupData
	GroupPapers
)

// String is the group's heading.
func (g Group) String() string {
	return [...]string{"", "Scores", "Agreement", "Votes", "Data quality", "Paper tables"}[g]
}

// Subject is what a report is about, which its options choose among.
type Subject uint8

// The subjects.
const (
	SubjectUnset Subject = iota
	OnRuns
	OnVotes
	OnQueue
	OnSamples
)

// Paper is a table or figure that a report prints.
type Paper struct {
	Source string // "MMBench Table 1", or that it is beyond the papers
	What   string
	Flags  string // of the command, for this one
	Before string // what is to be done first, in Markdown
}

// Needs is what a report is made of, and what brings it into a project.
type Needs struct {
	What string
	Next []string // commands, without the program's name
}

// Kind is one report: what lists of reports say of it, its command, and how it is
// made.
type Kind struct {
	Name   string // of its file; unique
	Title  string // what it tells
	Group  Group
	Of     Subject
	Short  string // what it tells, in the list of commands
	Long   string
	Takes  string // what its command takes, as its help says it
	Show   string // examples of its command
	Needs  Needs
	Papers []Paper
	Args   []string // the command and flags, each with a value, of another form of a report; nil: a command of that name
	Build  func(context.Context, Facts, report.Options) (report.Report, error)

	flags func(*Asking)
}

// Command is what prints the report, after "concord report": the command, and
// flags, each followed by its value.
func (k *Kind) Command() []string {
	if len(k.Args) > 0 {
		return slices.Clone(k.Args)
	}
	return []string{k.Name}
}

// Help is the text of its command: what it prints, and what it needs.
func (k *Kind) Help() string {
	out := k.Long
	if out == "" {
		out = k.Short + "."
	}
	if k.Needs.What != "" {
		out += "\n\nIt needs " + k.Needs.What + ":"
		for _, n := range k.Needs.Next {
			out += "\n  concord " + n
		}
	}
	return out
}

// All is every report, those that are made for each queue and dataset once.
func All() []Kind {
	return slices.Concat([]Kind{Datasets()}, OfRuns(), ofAnyQueue(), OfVotes(), []Kind{Criteria(), Inspectors(), Curation()})
}

// Commands are the reports that have a command of their own.
func Commands() []Kind {
	return slices.DeleteFunc(All(), func(k Kind) bool { return k.Args != nil })
}

// Lacking is why a report cannot be made of a project; "" of no error, and of
// one that is a failure.
func Lacking(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, eval.ErrNotFound) || errors.Is(err, pairwise.ErrNoAnchor) || errors.Is(err, report.ErrNotRandom) {
		return strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error())
	}
	return ""
}
