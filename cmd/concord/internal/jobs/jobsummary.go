package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
)

// jobSummary is what every job of single calls says of itself when it has ended.
type jobSummary struct {
	State     string         `json:"state"`
	Why       string         `json:"why,omitempty"`
	Wanted    int            `json:"wanted"`
	Asked     int            `json:"asked"`    // by this command, with a fact to show for it
	Stored    int            `json:"stored"`   // of the wanted, as all below
	Unparsed  int            `json:"unparsed"` // replies that do not hold what was asked for
	Failed    int            `json:"failed"`   // refused for the sample's own sake
	Pending   int            `json:"pending"`
	LeftOut   map[string]int `json:"left_out"` // reason -> what cannot be asked for
	Usage     usageSummary   `json:"usage"`    // of all that is stored
	Cost      *float64       `json:"cost"`     // null: the price is not known
	Seconds   float64        `json:"seconds"`
	LastError string         `json:"last_error,omitempty"`
}

// jobSummaryOf tells what became of a job that began with so much.
func jobSummaryOf(p eval.Progress, ended error, began *eval.Tally, missing map[string]int) jobSummary {
	t := &p.Tally
	s := jobSummary{
		State: p.State.String(), Why: p.Why, Wanted: t.Wanted, Asked: t.Done() - began.Done(), Stored: t.Stored, Unparsed: t.Unparsed,
		Failed: t.Failed, Pending: t.Pending(), LeftOut: missing, Usage: usageOf(t.Usage), LastError: p.LastFailure,
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

// done is how far it has come, in words: "done, 3 of 4 votes".
func (s *jobSummary) done(fact string) string {
	return fmt.Sprintf("%s, %d of %s", s.State, s.Stored+s.Unparsed+s.Failed, cli.Count(s.Wanted, fact))
}

// calls are the lines about what was asked and what failed.
func (s *jobSummary) calls(fact string) string {
	var b strings.Builder
	if s.Why != "" {
		fmt.Fprintf(&b, "  %s\n", cli.Visible(s.Why))
	}
	fmt.Fprintf(&b, "  asked     %d now; %d stored", s.Asked, s.Stored)
	if s.Unparsed > 0 {
		fmt.Fprintf(&b, ", %d that hold no %s", s.Unparsed, fact)
	}
	if s.Pending > 0 {
		fmt.Fprintf(&b, ", %d still to be asked", s.Pending)
	}
	b.WriteByte('\n')
	if s.Failed > 0 {
		fmt.Fprintf(&b, "  errors    %d (--retry-failed asks them again)\n", s.Failed)
	}
	if s.LastError != "" { // of any call, also of one that was made again
		fmt.Fprintf(&b, "  failure   the last of a call: %s\n", cli.Visible(s.LastError))
	}
	return b.String()
}

// LeftOutWords are the reasons in words, in the order in which they are said.
var LeftOutWords = [...]struct{ Reason, Words string }{
	{NoAnchor, "the anchor has no answer"},
	{failedAnchor, "the anchor's call failed"},
	{NoAnswer, "the model has no answer"},
	{failedAnswer, "the model's call failed"},
	{discarded, "the sample was discarded"},
	{notOpen, "the question is not open"},
	{NoReference, "no reference"},
	{NoCriteria, "no criteria"},
	{NoCaption, "no caption"},
	{NoDetections, "no detected objects"},
	{noPicture, "no image"},
	{WithoutPicture, "without the image that the judge is to see (--without-images asks)"},
	{PictureNotHeld, "an image that the project does not hold"},
}

// omitted are the lines about what cannot be asked.
func (s *jobSummary) omitted(fact string) string {
	var b strings.Builder
	for _, r := range LeftOutWords {
		if n := s.LeftOut[r.Reason]; n > 0 {
			fmt.Fprintf(&b, "  left out  %s: %s\n", cli.Count(n, fact), r.Words)
		}
	}
	return b.String()
}

// spent is the line about what all of it took.
func (s *jobSummary) spent() string {
	line := fmt.Sprintf("  tokens    %d in, %d out", s.Usage.Prompt, s.Usage.Completion)
	if s.Cost != nil {
		line += fmt.Sprintf(", cost %.4g", *s.Cost)
	}
	return line + "\n"
}

// leftOut are reasons with their numbers, for the screens.
func leftOut(missing map[string]int) []eval.LeftOut {
	var out []eval.LeftOut
	for reason, n := range missing {
		out = append(out, eval.LeftOut{Reason: reason, Facts: n})
	}
	slices.SortFunc(out, func(a, b eval.LeftOut) int { return cmp.Compare(a.Reason, b.Reason) })
	return out
}
