package alignment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/prompt"
	"concord/eval/stat"
)

// savedDetails is what an alignment report keeps beside its figures.
type savedDetails struct {
	rows  []report.Row // as they are saved
	line  []*CalibrationRow
	gates []Gate // of a ceiling
}

// makeReportDrafter makes what is saved of the rows, without who and when.
func (rv *reviewedQueue) makeReportDrafter(o *Options, rows []report.Row) func() (annotate.SavedReport, error) {
	now := rv.currentInputs()
	return func() (out annotate.SavedReport, err error) {
		out = annotate.SavedReport{
			Name: "alignment", Queue: rv.queue.Name, Policy: o.newBasis().SavedPolicyName() + o.Part.policySuffix(), Heads: rv.heads,
			LabelsHash: now.LabelsHash, RulingsHash: now.RulingsHash, Rules: now.Rules, Judges: now.Judges,
		}
		out.Rows, err = json.Marshal(rows)
		return out, err
	}
}

// currentInputs is what the queue's figures are computed from today.
func (rv *reviewedQueue) currentInputs() annotate.Inputs {
	in := rv.people.Inputs()
	in.Rules = append(in.Rules, eval.Map(rv.rules, eval.ReaderID)...)
	in.Judges = append(in.Judges, eval.Map(rv.judges, func(j judge) string { return j.id.String() })...)
	return in
}

// ListOverTime lists an alignment report's figures over time: those of the saved reports
// of its queue and, last, its own; by extractor and consensus.
func ListOverTime(r *report.Report) []*CalibrationRow {
	if k, ok := r.Kept.(*savedDetails); ok {
		return k.line
	}
	return nil
}

// addSavedRows appends the rows of the queue's saved reports, oldest first, with whether they are stale.
func (rv *reviewedQueue) addSavedRows(facts report.Facts, o *Options, k *savedDetails, out *report.Report) error {
	today := report.SelectRows[*Row](k.rows)
	saved, err := facts.SavedReports(rv.queue.Name)
	if err != nil {
		return fmt.Errorf("read saved reports of queue %s: %w", rv.queue.Name, err)
	}
	for i := range saved {
		s := &saved[i]
		changes := s.StaleChanges(rv.inputsForSaved(s, o))
		reasons := report.DescribeChanges(changes)
		rows, err := readSavedRows(s, reasons)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.Run == 0 {
				out.Overall = append(out.Overall, row)
			} else {
				out.Rows = append(out.Rows, row)
			}
		}
		out.Notes = append(out.Notes, formatSavedNote(s, reasons))
		line, err := newCalibrationRows(s, changes)
		if err != nil {
			return err
		}
		k.line = append(k.line, line...)
	}
	k.line = append(k.line, toCalibrationRows(today, rv.currentInputs())...)
	sortAndSetShifts(k.line)
	return nil
}

// inputsForSaved adds today's versions of the rule sets that only the saved report has.
func (rv *reviewedQueue) inputsForSaved(s *annotate.SavedReport, o *Options) annotate.Inputs {
	in := rv.currentInputs()
	for _, id := range s.Rules {
		name, _, _ := strings.Cut(id, "@")
		if slices.ContainsFunc(rv.rules, func(r eval.Reader) bool { return r.Name() == name }) {
			continue
		}
		// A rule set that is gone has no version today, and so has changed.
		if r, err := report.FindRules(o.Reader, name); err == nil {
			in.Rules = append(in.Rules, eval.ReaderID(r))
		}
	}
	return in
}

func readSavedRows(s *annotate.SavedReport, reasons []string) ([]*Row, error) {
	var rows []*Row
	if err := json.Unmarshal(s.Rows, &rows); err != nil {
		return nil, fmt.Errorf("read saved report %d: %w", s.ID, err)
	}
	if slices.Contains(rows, nil) {
		return nil, fmt.Errorf("read saved report %d: %w", s.ID, errors.New("a row is empty"))
	}
	for _, r := range rows {
		r.explainMissingCoefficients()
	}
	stale, at := len(reasons) > 0, s.At.UTC()
	for _, r := range rows {
		r.Saved, r.SavedBy, r.SavedAt, r.Version = s.ID, string(s.By), &at, s.Build
		r.Stale, r.Reasons, r.Heads = &stale, reasons, s.Heads
	}
	return rows, nil
}

func formatSavedNote(s *annotate.SavedReport, reasons []string) string {
	state := eval.Either(len(reasons) > 0, "stale: "+strings.Join(reasons, "; "), "unchanged if computed today")
	note := fmt.Sprintf("Saved report %d (%s by %s, %s) is %s.", s.ID, s.At.UTC().Format("2006-01-02 15:04"), s.By, annotate.DescribeSavedPolicies(s.Policy), state)
	if n := len(s.Heads); n > 0 {
		note += fmt.Sprintf(" It names the heads of %d people's chains of acts.", n)
	}
	return note
}

const (
	savedNames       = "report saved_at:text saved_by "
	calibrationNames = "alignment change:points because:text cohen_kappa gwet_ac1 majority_baseline items annotators stale why:text"
)

var (
	calibrationLayout = report.NewLayout("queue "+report.HeadNames+"extractor policy undecided "+savedNames+calibrationNames, CalibrationRow{})
	lineLayout        = report.NewLayout(savedNames+calibrationNames, CalibrationRow{})
)

// ExtraCells has when the figures were saved, and what they come of.
func (r *CalibrationRow) ExtraCells() report.Cells {
	out := report.Cells{"saved_at": table.NewText("today"), "alignment": table.NewRate(r.Alignment), "why": table.NewText(strings.Join(r.Reasons, "; "))}
	if r.Run == 0 {
		out["run"] = table.NewBlank()
	}
	if r.Saved != 0 {
		out["saved_at"] = table.NewText(r.SavedAt.UTC().Format("2006-01-02 15:04"))
	}
	if r.of != nil { // a saved one opens nothing
		out["alignment"] = r.of.rateCell(r.Alignment, r.of.newOpener(), false)
	}
	if s := r.Shift; s != nil {
		because := cmp.Or(strings.Join(s.Because, "; "), "the same facts")
		out["change"], out["because"] = table.NewPoints(s.Difference), table.NewText(because)
	}
	return out
}

// makeCalibrationTables makes a table for each line over time, with its extractor,
// queue and consensus in the title; and a note on each that has no figure.
func makeCalibrationTables(rows []*CalibrationRow) (out []table.Table, notes []string) {
	for _, line := range table.GroupBy(rows, (*CalibrationRow).lineKey) {
		r := line[0]
		if !slices.ContainsFunc(line, func(r *CalibrationRow) bool { return r.LeftOut == "" }) {
			notes = append(notes, r.Extractor+" on queue "+string(r.Queue)+" is left out: "+r.LeftOut+".")
			continue
		}
		title := r.Extractor + " on queue " + string(r.Queue) + ", " + annotate.DescribePolicies(r.Policy, r.Undecided)
		out = append(out, report.MakeRowTable(lineLayout, "calibrations", title, line))
	}
	return out, slices.Compact(notes)
}

// MakeOverTimeTables makes an alignment report's figures over time, today's last: a table
// for each extractor of which any were saved.
func MakeOverTimeTables(r *report.Report) []table.Table {
	lines := ListOverTime(r)
	saved := make(map[string]bool)
	for _, l := range lines {
		saved[l.lineKey()] = saved[l.lineKey()] || l.Saved != 0
	}
	out, _ := makeCalibrationTables(slices.DeleteFunc(slices.Clone(lines), func(l *CalibrationRow) bool { return !saved[l.lineKey()] }))
	if len(out) > 0 {
		out[len(out)-1].Notes = []string{shiftNote}
	}
	return out
}

func (r *CalibrationRow) lineKey() string {
	return strings.Join([]string{string(r.Queue), r.Extractor, r.Policy, r.Undecided, r.Part}, "\x00")
}

// MakeSavedTables makes the saved reports of an alignment report's queue as they were,
// with their parts: a table for each, the oldest first.
func MakeSavedTables(r *report.Report) []table.Table {
	var out []table.Table
	rows := slices.DeleteFunc(report.SelectRows[*Row](slices.Concat(r.Overall, r.Rows)), func(a *Row) bool { return a.Saved == 0 })
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Saved, b.Saved) })
	for _, group := range table.GroupBy(rows, func(a *Row) string { return strconv.FormatUint(a.Saved, 10) }) {
		first := group[0]
		t := alignmentLayout.NewTable(fmt.Sprintf("saved report %d", first.Saved), "")
		if first.SavedAt != nil {
			t.Title = first.SavedAt.UTC().Format("2006-01-02 15:04 UTC") + " by " + first.SavedBy
		}
		t.Title += eval.Either(first.Stale != nil && *first.Stale, ", stale: "+strings.Join(first.Reasons, "; "), ", as it would come out today")
		t.Rows = eval.FlatMap(group, func(a *Row) [][]table.Cell { return a.makePartLines(alignmentLayout, false) })
		out = append(out, t)
	}
	return out
}

func (rv *reviewedQueue) keepItemsOfPart(facts report.Facts, o *Options) error {
	switch {
	case o.Part == PartUnset:
		return nil
	case rv.queue.Stratum == annotate.Priority:
		return fmt.Errorf("queue %s is of targeted sampling: its labels say nothing of other items, and feed neither part", rv.queue.Name)
	case rv.queue.Rule.Order == annotate.ByUncertainty:
		return fmt.Errorf("queue %s was drawn by uncertainty: its labels count by how likely all of it was drawn, and halves are not weighed: take a queue of another order", rv.queue.Name)
	case o.Part == HeldOut && o.Policy == annotate.DawidSkene:
		return errors.New("the held-out part goes with a policy that is no model of people's errors")
	}
	rv.items = slices.DeleteFunc(rv.items, func(it annotate.AlignItem) bool {
		return IsHeldOut(rv.queue.Rule.Seed, it.ClusterNumber()) != (o.Part == HeldOut)
	})
	if o.Part == Development && !o.Examples {
		return rv.leaveOutExamples(facts, o)
	}
	return nil
}

// leaveOutExamples leaves out the samples that stand as examples in the prompt of any judge:
// it was told what people say of them. Facts that know no texts know no such prompt.
func (rv *reviewedQueue) leaveOutExamples(facts report.Facts, o *Options) error {
	if past, ok := facts.(pastFacts); ok {
		facts = past.Facts
	}
	texts, ok := facts.(interface {
		SettingsByHash(hash string) ([]byte, error)
	})
	if !ok {
		return nil
	}
	shown := make(map[eval.Ordinal]bool)
	for i := range rv.judges {
		for _, hash := range rv.judges[i].prompts {
			text, err := texts.SettingsByHash(hash)
			if err != nil {
				return fmt.Errorf("read prompt %s of judge %s: %w", hash, rv.judges[i].name, err)
			}
			for _, sample := range prompt.ExampleSamples(string(text)) {
				shown[sample] = true
			}
		}
	}
	all := len(rv.items)
	rv.items = slices.DeleteFunc(rv.items, func(it annotate.AlignItem) bool { return shown[it.Key.Sample] })
	o.shown = all - len(rv.items)
	return nil
}

// countHeldOutLooks counts the looks at the held-out part that were saved, for a report on it,
// and the extractors that were looked at then or are now.
func (rv *reviewedQueue) countHeldOutLooks(facts report.Facts, o *Options) (looks int, err error) {
	seen := eval.IndexBy(rv.listExtractors(o), func(x extractor) (string, bool) { return x.Name, true })
	if o.Judge != "" && len(seen) == 0 {
		return 0, fmt.Errorf("find what judge %s has read in queue %s: %w", o.Judge, o.Queue, eval.ErrNotFound)
	}
	if o.Part != HeldOut {
		return 0, nil
	}
	saved, err := facts.SavedReports(rv.queue.Name)
	if err != nil {
		return 0, fmt.Errorf("read saved reports of queue %s: %w", rv.queue.Name, err)
	}
	for _, look := range ListHeldOutLooks(saved) {
		looks++
		rows, err := readSavedRows(&look, nil)
		if err != nil {
			return 0, err
		}
		for _, r := range rows {
			seen[r.Extractor] = true
		}
	}
	o.among = len(seen)
	return looks, nil
}

// ListHeldOutLooks lists the looks at the held-out part among saved reports.
func ListHeldOutLooks(saved []annotate.SavedReport) []annotate.SavedReport {
	return savedReportsOfPart(saved, HeldOut)
}

func savedReportsOfPart(saved []annotate.SavedReport, p Part) []annotate.SavedReport {
	return eval.Select(saved, func(s annotate.SavedReport) bool { return strings.HasSuffix(s.Policy, p.policySuffix()) })
}

// cautionAboutPart says what a figure of the part is worth.
func (o *Options) cautionAboutPart(looks int) []string {
	switch o.Part {
	case Development:
		out := []string{"The development part, half of the samples: extractors are chosen on it, and the figure of the best of several is too high."}
		if o.shown > 0 {
			out = append(out, fmt.Sprintf("Examples in prompts that were tried: %s are left out, since judges were shown what people say of them.", report.FormatCount(o.shown, "item")))
		}
		return out
	case HeldOut:
		return []string{fmt.Sprintf("The held-out part, half of the samples. Looks at it that are saved: %d. The intervals of alignment hold for all %d extractors looked at together.", looks, o.among)}
	case PartUnset:
	}
	return nil
}

// Part is a part of a queue's samples. The zero value is all of them.
type Part uint8

// The parts: extractors are chosen on one half of the samples, and the chosen one is measured on the other.
const (
	PartUnset Part = iota
	Development
	HeldOut
)

var partNames = []string{"", "development", "held-out"}

// String is the part's name in reports.
func (p Part) String() string { return eval.EnumName(partNames, p) }

// ParsePart reads what String writes.
func ParsePart(s string) (Part, error) { return eval.ParseEnum[Part](partNames, s, "part") }

// policySuffix ends the policy under which figures of the part are saved.
func (p Part) policySuffix() string { return eval.Either(p == PartUnset, "", ", "+p.String()+" part") }

// IsHeldOut reports whether a unit of items is held out in a queue that was drawn with that
// seed, now and later: a sample, or the cluster of samples that depend on each other.
func IsHeldOut(seed, unit uint64) bool { return rand.New(rand.NewPCG(seed, unit)).Float64() < 0.5 }

// RateOfAlignment is the share of the items on which an extractor agrees with people, with
// an interval of a confidence level at which those of so many extractors hold together
// (Bonferroni's inequality), so that the best of them is covered too.
func RateOfAlignment(items []annotate.AlignItem, b annotate.Basis, x *annotate.Extractor, sequence bool, among int) stat.Rate {
	sum := stat.Clusters{Sequence: sequence}
	for i := range items {
		if c := b.CompareItem(&items[i], x); c.LeftOut == "" {
			y := eval.Either(c.Alignment == annotate.Aligned, 1, 0.0)
			sum.AddToCluster(items[i].ClusterNumber(), y, 1)
		}
	}
	return sum.RateAt(1-(1-stat.Confidence)/float64(among), "no item has both a consensus and an extracted answer")
}
