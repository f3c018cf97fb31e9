package report

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// NewSavedReport gives the report as a fact that may be cited: its figures with the
// hashes and versions of what they were computed from. The store gives it its
// number. Alignment, corrected scores and shares of words can be saved.
func NewSavedReport(r *Report, by annotate.Annotator, at time.Time) (annotate.SavedReport, error) {
	if r.Draft == nil {
		return annotate.SavedReport{}, fmt.Errorf("save report %s: it holds no figure to cite, which are alignment, shares of labels and tags of a queue's own, and scores with --corrected where people have labelled", r.Name)
	}
	out, err := r.Draft()
	if err != nil {
		return out, fmt.Errorf("save report %s: %w", r.Name, err)
	}
	out.By, out.At, out.Build = by, at, eval.ThisBuild().String()
	return out, nil
}

// SavedFigure is a corrected figure as it was saved, with its row of then.
type SavedFigure struct {
	Of        string          `json:"of"`
	Corrected stat.Estimate   `json:"corrected"`
	Row       json.RawMessage `json:"row,omitempty"`

	row Row
}

// SavedRow is a saved figure beside what it would be today.
type SavedRow struct {
	ForEveryone
	Saved   uint64    `json:"saved" column:"report" as:"place"`
	SavedAt time.Time `json:"saved_at"`
	SavedBy string    `json:"saved_by"`
	Policy  string    `json:"policy"`
	Version string    `json:"version"`
	State   string    `json:"today" column:"if_computed_today"`
	SavedFigure

	of string // the report
}

var savedLayout = NewLayout("report saved_at:text saved_by of corrected:score policy if_computed_today", SavedRow{})

// ExtraCells has when the figure was saved, and the figure as its report writes it.
func (r *SavedRow) ExtraCells() Cells {
	figure := table.NewComputed(r.Corrected)
	switch r.of {
	case "scores", "rubric":
		figure = table.NewMean(r.Corrected)
	case "compare":
		figure = table.NewPoints(r.Corrected)
	}
	return Cells{"saved_at": table.NewText(formatTime(r.SavedAt)), "corrected": figure, "policy": table.NewText(annotate.DescribeSavedPolicies(r.Policy))}
}

// KeysBehind lists none: figures are kept, and no items.
func (r *SavedRow) KeysBehind(context.Context, Facts, Selection) iter.Seq2[eval.Key, error] {
	return YieldError(fmt.Errorf("open saved report %d: it keeps numbers and no items", r.Saved))
}

// PrepareSaving has a report of corrected scores be saved with what they were computed from,
// and lists beside it those of its name that were saved before, the oldest first.
// said are the hashes of what people said outside of queues.
func (r *Report) PrepareSaving(ctx context.Context, facts Facts, o *Correcting, said map[annotate.Annotator]string) error {
	now, queues := r.correctedFigures()
	if len(now) == 0 {
		return nil
	}
	draft := annotate.SavedReport{Name: r.Name, Policy: BasisOrDefault(o.Policy, o.Undecided).SavedPolicyName()}
	for _, q := range o.Queues {
		draft.Policy += ", queue " + string(q)
	}
	for _, row := range r.Rows {
		if s, ok := row.(interface{ describeReader() string }); ok && !slices.Contains(draft.Rules, s.describeReader()) {
			draft.Rules = append(draft.Rules, s.describeReader())
		}
	}
	return r.PrepareSavingShares(ctx, facts, now, queues, said, &draft)
}

// PrepareSavingShares does the same for what now lists, by what people said in queues; draft has
// the name, the policy and the rule sets.
func (r *Report) PrepareSavingShares(ctx context.Context, facts Facts, now []SavedFigure, queues []annotate.QueueName, said map[annotate.Annotator]string, draft *annotate.SavedReport) error {
	if err := addLabelInputs(ctx, facts, queues, said, draft); err != nil {
		return err
	}
	r.Draft = func() (annotate.SavedReport, error) {
		out, all := *draft, slices.Clone(now)
		for i := range all {
			var err error
			if all[i].row == nil {
				continue
			}
			if all[i].Row, err = json.Marshal(all[i].row); err != nil {
				return out, err
			}
		}
		rows, err := json.Marshal(all)
		out.Rows = rows
		return out, err
	}
	return r.listSavedFigures(facts, now, draft)
}

// correctedFigures are those of the rows, with the queues that corrected them.
func (r *Report) correctedFigures() (out []SavedFigure, queues []annotate.QueueName) {
	for row, c := range eachCorrection(r.Rows) {
		if c.Corrected.WhyUndefined() == "" {
			out, queues = append(out, SavedFigure{Of: c.Of, Corrected: c.Corrected.Estimate, row: row}), append(queues, c.Queues...)
		}
	}
	slices.Sort(queues)
	return out, slices.Compact(queues)
}

// addLabelInputs adds what people said in queues and elsewhere, and the heads of their chains of acts.
func addLabelInputs(ctx context.Context, facts Facts, queues []annotate.QueueName, said map[annotate.Annotator]string, draft *annotate.SavedReport) error {
	acted := make(map[annotate.Annotator]bool)
	var labels, rulings []string
	for _, q := range queues {
		people, err := ReadStandingLabels(ctx, facts, q)
		if err != nil {
			return err
		}
		in := people.Inputs()
		labels, rulings = append(labels, in.LabelsHash), append(rulings, in.RulingsHash)
		for who := range people.States {
			acted[who] = true
		}
	}
	for _, who := range slices.Sorted(maps.Keys(said)) {
		labels, acted[who] = append(labels, said[who]), true
	}
	draft.LabelsHash, draft.RulingsHash = strings.Join(labels, " "), strings.Join(rulings, " ")
	heads, err := facts.Heads()
	if err != nil {
		return fmt.Errorf("read the heads of the chains of acts: %w", err)
	}
	draft.Heads = slices.DeleteFunc(slices.Clone(heads), func(h annotate.Head) bool { return !acted[h.Person] })
	return nil
}

// listSavedFigures lists the figures of today that were saved before.
func (r *Report) listSavedFigures(facts Facts, now []SavedFigure, draft *annotate.SavedReport) error {
	all, err := facts.SavedReports("")
	if err != nil {
		return fmt.Errorf("read saved reports: %w", err)
	}
	t := savedLayout.NewTable("saved reports", "saved "+r.Name+", corrected")
	for i := range all {
		s := &all[i]
		if s.Name != r.Name {
			continue
		}
		var figures []SavedFigure
		if err := json.Unmarshal(s.Rows, &figures); err != nil {
			return fmt.Errorf("read saved report %d: %w", s.ID, err)
		}
		for _, f := range figures {
			at := slices.IndexFunc(now, func(n SavedFigure) bool { return n.Of == f.Of })
			if at < 0 {
				continue // the report is about others
			}
			f.Row = nil
			row := &SavedRow{Saved: s.ID, SavedAt: s.At.UTC(), SavedBy: string(s.By), Policy: s.Policy, Version: s.Build, SavedFigure: f, of: r.Name}
			row.State = f.describeState(&now[at], s, draft)
			r.Saved, t.Rows = append(r.Saved, row), append(t.Rows, savedLayout.MakeRowLine(row))
		}
	}
	if len(t.Rows) > 0 {
		r.Sheets = append(r.Sheets, t)
	}
	return nil
}

// DescribeChanges describes changes as reports tell them.
func DescribeChanges(all []annotate.Change) []string { return eval.Map(all, annotate.Change.String) }

// describeState describes what the saved figure would be today.
func (f *SavedFigure) describeState(now *SavedFigure, s, draft *annotate.SavedReport) string {
	same := f.Corrected
	same.Undefined = now.Corrected.Undefined
	switch {
	case s.Policy != draft.Policy:
		return "not compared: this report is by " + annotate.DescribeSavedPolicies(draft.Policy)
	case same == now.Corrected:
		return "unchanged"
	}
	why := DescribeChanges(s.StaleChanges(draft.Inputs()))
	if len(why) == 0 {
		why = []string{"responses or extracted answers changed"}
	}
	return "stale: " + strings.Join(why, "; ")
}
