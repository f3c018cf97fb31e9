package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"concord/eval"
)

// voteSummary is what became of a voting order, as `concord judge votes`
// prints it.
type voteSummary struct {
	Dataset        eval.DatasetName `json:"dataset"`
	Judge          string           `json:"judge"`
	Anchor         voteSide         `json:"anchor"`
	Models         []voteSide       `json:"models"`
	Criteria       bool             `json:"criteria"`
	Input          string           `json:"input"`
	Order          string           `json:"order"`
	Repeats        []int            `json:"repeats"`
	State          string           `json:"state"`
	Why            string           `json:"why,omitempty"`
	Wanted         int              `json:"wanted"`
	Asked          int              `json:"asked"`    // by this command, with a fact to show for it
	Stored         int              `json:"stored"`   // of the wanted, as all below
	Unparsed       int              `json:"unparsed"` // replies that hold no vote
	Failed         int              `json:"failed"`   // refused for the pair's own sake
	Pending        int              `json:"pending"`
	Stale          int              `json:"stale"` // voted on under older criteria, when the command began
	WithoutPicture int              `json:"without_picture"`
	LeftOut        map[string]int   `json:"left_out"` // reason -> votes that cannot be asked for
	Usage          usageSummary     `json:"usage"`    // of all that is stored
	Cost           *float64         `json:"cost"`     // null: the price is not known
	Seconds        float64          `json:"seconds"`
	LastError      string           `json:"last_error,omitempty"`

	asksStale bool
}

type voteSide struct {
	Run   eval.RunID `json:"run"`
	Model string     `json:"model"`
}

// summary is what became of the order.
func (v *voting) summary(p eval.Progress, ended error) voteSummary {
	t := &p.Tally
	s := voteSummary{
		Dataset: v.order.Dataset, Judge: v.order.Judge, Anchor: voteSide{v.anchor.ID, v.anchor.Config.Model},
		Criteria: v.order.Criteria, Input: v.order.Input.String(), Order: "both", Repeats: v.order.Repeats,
		State: p.State.String(), Why: p.Why, Wanted: t.Wanted, Asked: t.Settled() - v.Settled(), Stored: t.Stored, Unparsed: t.Unparsed,
		Failed: t.Failed, Pending: t.Pending(), Stale: v.stale, WithoutPicture: v.blind, LeftOut: v.missing,
		Usage: usageOf(t.Usage), LastError: p.LastFailure, asksStale: v.order.Stale,
	}
	if v.order.Shuffled {
		s.Order = "shuffled"
	}
	for _, m := range v.models {
		s.Models = append(s.Models, voteSide{m.ID, m.Config.Model})
	}
	if !p.Started.IsZero() && !p.Ended.IsZero() {
		s.Seconds = p.Ended.Sub(p.Started).Seconds()
	}
	if p.Priced {
		s.Cost = &p.Cost
	}
	if errors.Is(ended, errBudget) {
		s.State, s.Why = eval.Paused.String(), cmp.Or(p.Why, errBudget.Error())
	}
	return s
}

// printVotes says what became of a voting order: one object for scripts, else
// a few lines.
func (a *app) printVotes(s voteSummary) error {
	if a.json {
		return a.writeJSON(s)
	}
	_, err := fmt.Fprint(a.out, s.text())
	return err
}

// leftOutWords are the reasons in words, in the order in which they are said.
var leftOutWords = [...]struct{ reason, words string }{
	{noAnchor, "the anchor has no answer"},
	{failedAnchor, "the anchor's call failed"},
	{noAnswer, "the model has no answer"},
	{failedAnswer, "the model's call failed"},
	{discarded, "the sample was discarded"},
	{noCriteria, "no criteria"},
	{noCaption, "no caption"},
	{noDetections, "no detected objects"},
}

// text is the summary for people.
func (s *voteSummary) text() string {
	var b strings.Builder
	names := make([]string, 0, len(s.Models))
	for _, m := range s.Models {
		names = append(names, m.Model)
	}
	ballot := eval.Ballot{Criteria: s.Criteria}
	ballot.Input, _ = eval.ParseInput(s.Input)
	fmt.Fprintf(&b, "votes of %s on %s against %s, %s (%s): %s, %d of %s\n", visible(s.Judge), visible(few(names)), visible(s.Anchor.Model),
		visible(string(s.Dataset)), ballotWords(&ballot), s.State, s.Stored+s.Unparsed+s.Failed, count(s.Wanted, "vote"))
	if s.Why != "" {
		fmt.Fprintf(&b, "  %s\n", visible(s.Why))
	}
	fmt.Fprintf(&b, "  asked     %d now; %d stored", s.Asked, s.Stored)
	if s.Unparsed > 0 {
		fmt.Fprintf(&b, ", %d that hold no vote", s.Unparsed)
	}
	if s.Pending > 0 {
		fmt.Fprintf(&b, ", %d still to be asked", s.Pending)
	}
	b.WriteByte('\n')
	if s.Failed > 0 {
		fmt.Fprintf(&b, "  errors    %d, the last one: %s (--retry-failed asks them again)\n", s.Failed, visible(cmp.Or(s.LastError, "in an earlier session")))
	}
	if s.Stale > 0 {
		hint := " (--stale asks them again)"
		if s.asksStale {
			hint = " when this began"
		}
		fmt.Fprintf(&b, "  stale     %d made under older criteria%s\n", s.Stale, hint)
	}
	for _, r := range leftOutWords {
		if n := s.LeftOut[r.reason]; n > 0 {
			fmt.Fprintf(&b, "  left out  %s: %s\n", count(n, "vote"), r.words)
		}
	}
	if s.WithoutPicture > 0 {
		fmt.Fprintf(&b, "  pictures  %s on samples whose picture is not there\n", count(s.WithoutPicture, "vote"))
	}
	fmt.Fprintf(&b, "  tokens    %d in, %d out", s.Usage.Prompt, s.Usage.Completion)
	if s.Cost != nil {
		fmt.Fprintf(&b, ", cost %.4g", *s.Cost)
	}
	fmt.Fprintf(&b, "\n  report    concord report votes --anchor %s --judge %s\n", shellWord(s.Anchor.Model), shellWord(s.Judge))
	return b.String()
}
