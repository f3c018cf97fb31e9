package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"concord/eval"
)

// runSummary is what became of a run, as `concord eval` and `concord judge`
// print it.
type runSummary struct {
	Run         eval.RunID       `json:"run"`
	Dataset     eval.DatasetName `json:"dataset"`
	Model       string           `json:"model"`
	Strategy    string           `json:"strategy"`
	Modality    string           `json:"modality"`
	Made        bool             `json:"made"` // by this command; else it went on with the run
	State       string           `json:"state"`
	Why         string           `json:"why,omitempty"`
	Questions   int              `json:"questions"` // that need no further pass
	Total       int              `json:"total"`
	Predictions int              `json:"predictions"` // failed calls are none
	Found       int              `json:"found"`
	None        int              `json:"none"`
	Refused     int              `json:"refused"`
	Ambiguous   int              `json:"ambiguous"`
	Missing     int              `json:"missing"`
	NotRead     int              `json:"not_read"`
	Errors      int              `json:"errors"`
	Judges      []judgeSummary   `json:"judges"`
	Usage       usageSummary     `json:"usage"`
	Cost        *float64         `json:"cost"` // null: prices are not known
	Seconds     float64          `json:"seconds"`
	LastError   string           `json:"last_error,omitempty"`
}

type judgeSummary struct {
	Judge    string       `json:"judge"`
	Judged   int          `json:"judged"`
	Found    int          `json:"found"`
	None     int          `json:"none"`
	Unparsed int          `json:"unparsed"`
	Fallback int          `json:"fallback"`
	Errors   int          `json:"errors"`
	Waiting  int          `json:"waiting"`
	Usage    usageSummary `json:"usage"`
}

type usageSummary struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

func usageOf(u eval.Usage) usageSummary { return usageSummary(u) }

func summaryOf(run eval.Run, made bool, p eval.Progress) runSummary {
	done, total := p.Questions()
	c := p.Counts
	s := runSummary{
		Run: run.ID, Dataset: run.Config.Dataset, Model: run.Config.Model,
		Strategy: run.Config.Strategy.String(), Modality: run.Config.Modality.String(), Made: made,
		State: p.State.String(), Why: p.Why, Questions: done, Total: total,
		Predictions: c.Predictions - c.Failures, Errors: c.Failures,
		Found: c.Statuses[eval.Found], None: c.Statuses[eval.None], Refused: c.Statuses[eval.Refused],
		Ambiguous: c.Statuses[eval.Ambiguous], Missing: c.Statuses[eval.Missing], NotRead: c.Statuses[eval.StatusUnset],
		Judges: []judgeSummary{}, Usage: usageOf(c.Usage), LastError: p.LastFailure,
	}
	if !p.Started.IsZero() && !p.Ended.IsZero() {
		s.Seconds = p.Ended.Sub(p.Started).Seconds()
	}
	if p.Priced {
		s.Cost = &p.Cost
	}
	for _, j := range p.Judges {
		s.Judges = append(s.Judges, judgeSummary{
			Judge: j.Judge, Judged: j.Counts.Judged, Found: j.Counts.Statuses[eval.Found],
			None: j.Counts.Statuses[eval.None], Unparsed: j.Counts.Unparsed(), Fallback: j.Counts.Fallback,
			Errors: j.Counts.Failures, Waiting: j.Counts.Waiting(c), Usage: usageOf(j.Counts.Usage),
		})
	}
	return s
}

// summarize says what became of a run: one object for scripts, else a few
// lines. What ended it early is said by the error that comes after.
func (a *app) summarize(run eval.Run, made bool, p eval.Progress, ended error) error {
	if p.State == eval.StateUnset {
		return nil // it never began
	}
	s := summaryOf(run, made, p)
	if errors.Is(ended, errBudget) {
		s.State, s.Why = eval.Paused.String(), cmp.Or(p.Why, errBudget.Error())
	}
	if a.json {
		return a.writeJSON(s)
	}
	_, err := fmt.Fprint(a.out, s.text())
	return err
}

// text is the summary for people.
func (s *runSummary) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %d: %s on %s (%s, %s): %s, %d of %s\n", s.Run, visible(s.Model), visible(string(s.Dataset)),
		s.Strategy, s.Modality, s.State, s.Questions, count(s.Total, "question"))
	if s.Why != "" {
		fmt.Fprintf(&b, "  %s\n", visible(s.Why))
	}
	fmt.Fprintf(&b, "  answers   %d: %d read by the rules", s.Predictions, s.Found)
	for _, part := range []struct {
		n    int
		name string
	}{{s.Refused, "refused"}, {s.Ambiguous, "ambiguous"}, {s.None, "none of the options"}, {s.Missing, "missing"}, {s.NotRead, "not for rules"}} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.name)
		}
	}
	b.WriteByte('\n')
	if s.Errors > 0 {
		fmt.Fprintf(&b, "  errors    %d, the last one: %s (the same command asks them again)\n", s.Errors, visible(s.LastError))
	}
	for _, j := range s.Judges {
		fmt.Fprintf(&b, "  judge     %s: %d judged, %d found, %d none, %d unparsed, %d errors, %d waiting", visible(j.Judge),
			j.Judged, j.Found, j.None, j.Unparsed, j.Errors, j.Waiting)
		if j.Fallback > 0 {
			fmt.Fprintf(&b, ", %d drawn at random", j.Fallback)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "  tokens    %d in, %d out", s.Usage.Prompt, s.Usage.Completion)
	if s.Cost != nil {
		fmt.Fprintf(&b, ", cost %.4g with what the judges took", *s.Cost)
	}
	fmt.Fprintf(&b, "\n  report    concord report accuracy --run %d\n", s.Run)
	return b.String()
}
