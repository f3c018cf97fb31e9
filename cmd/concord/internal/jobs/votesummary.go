package jobs

import (
	"fmt"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
)

// VoteSummary is what became of a voting order, as `concord judge votes`
// prints it.
type VoteSummary struct {
	Dataset        eval.DatasetName `json:"dataset"`
	Judge          string           `json:"judge"`
	Anchor         voteSide         `json:"anchor"`
	Models         []voteSide       `json:"models"`
	Criteria       bool             `json:"criteria"`
	Input          string           `json:"input"`
	Order          string           `json:"order"`
	Repeats        []int            `json:"repeats"`
	Stale          int              `json:"stale"` // voted on under older criteria, when the command began
	WithoutPicture int              `json:"without_picture"`
	jobSummary

	asksStale bool
}

type voteSide struct {
	Run   eval.RunID `json:"run"`
	Model string     `json:"model"`
}

// text is the summary for people.
func (s *VoteSummary) text() string {
	var b strings.Builder
	names := make([]string, 0, len(s.Models))
	for _, m := range s.Models {
		names = append(names, m.Model)
	}
	ballot := eval.Ballot{Criteria: s.Criteria}
	ballot.Input, _ = eval.ParseInput(s.Input)
	fmt.Fprintf(&b, "votes of %s on %s against %s, %s (%s): %s\n", cli.Visible(s.Judge), cli.Visible(cli.Few(names)), cli.Visible(s.Anchor.Model),
		cli.Visible(string(s.Dataset)), ballotWords(&ballot), s.done("vote"))
	b.WriteString(s.calls("vote"))
	if s.Stale > 0 {
		hint := " (--stale asks them again)"
		if s.asksStale {
			hint = " when this began"
		}
		fmt.Fprintf(&b, "  stale     %d made under older criteria%s\n", s.Stale, hint)
	}
	b.WriteString(s.omitted("vote"))
	if s.WithoutPicture > 0 {
		fmt.Fprintf(&b, "  images  %s on samples whose image is not there\n", cli.Count(s.WithoutPicture, "vote"))
	}
	b.WriteString(s.spent())
	fmt.Fprintf(&b, "  report    concord report votes --anchor %s --judge %s\n", cli.ShellWord(s.Anchor.Model), cli.ShellWord(s.Judge))
	return b.String()
}

// summary is what became of the order.
func (v *Voting) summary(p eval.Progress, ended error) VoteSummary {
	s := VoteSummary{
		Dataset: v.Order.Dataset, Judge: v.Order.Judge, Anchor: voteSide{v.Anchor.ID, v.Anchor.Config.Model},
		Criteria: v.Order.Criteria, Input: v.Tallies[0].Comparison.Input.String(), Order: "both", Repeats: v.Order.Repeats,
		Stale: v.Stale, WithoutPicture: v.blind, jobSummary: jobSummaryOf(p, ended, &v.Tally, v.missing), asksStale: v.Order.Stale,
	}
	if v.Order.Shuffled {
		s.Order = "shuffled"
	}
	for _, m := range v.Models {
		s.Models = append(s.Models, voteSide{m.ID, m.Config.Model})
	}
	return s
}

// print says what became of a voting order: one object for scripts, else a few
// lines.
func (v *Voting) print(p eval.Progress, ended error) error {
	s := v.summary(p, ended)
	if v.Factory.JSON {
		return v.Factory.WriteJSON(s)
	}
	_, err := fmt.Fprint(v.Factory.Out, s.text())
	return err
}
