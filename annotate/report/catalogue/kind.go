package catalogue

import (
	"context"
	"errors"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/pairwise"
	"concord/eval"
)

// Facts are what reports on runs, votes and queues are made of.
type Facts interface {
	report.VoteFacts
	accuracy.ScoreFacts
}

// Kind is one report: what lists of reports say of it, and how it is made.
type Kind struct {
	Name  string   // of its file; unique
	Title string   // what it tells
	Short string   // the same in the help of its command; "" where that says it itself
	Args  []string // the command and flags, each with a value; nil: a command by its name alone
	Build func(context.Context, Facts, report.Options) (report.Report, error)
}

// Command is what prints the report, after "concord report": the command, and
// flags, each followed by its value.
func (k *Kind) Command() []string {
	if len(k.Args) > 0 {
		return slices.Clone(k.Args)
	}
	return []string{k.Name}
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
