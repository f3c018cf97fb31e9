package alignment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// kept is what an alignment report keeps beside its figures.
type kept struct {
	draft *annotate.SavedReport // without who and when
	rows  []report.Row          // as they are saved
	line  []*CalibrationRow
	gates []Gate // of a ceiling
}

// SavedReport is the report as a fact that may be cited: its figures with the
// hashes and versions of what they were computed from. The store gives it its
// number. Only alignment reports can be saved.
func SavedReport(r *report.Report, by annotate.Annotator, at time.Time) (annotate.SavedReport, error) {
	k, ok := r.Kept.(*kept)
	if !ok {
		return annotate.SavedReport{}, fmt.Errorf("save report %s: only alignment reports can be saved", r.Name)
	}
	out := *k.draft
	rows, err := json.Marshal(k.rows)
	if err != nil {
		return annotate.SavedReport{}, fmt.Errorf("save report %s: %w", r.Name, err)
	}
	out.Rows, out.By, out.At, out.Build = rows, by, at, eval.ThisBuild().String()
	return out, nil
}

// draft is the saved report of the rows, without who and when.
func (rv *reviewed) draft(o *Options) *annotate.SavedReport {
	b := o.basis()
	out := &annotate.SavedReport{
		Name: "alignment", Queue: rv.queue.Name, Policy: b.Policy.String() + ", undecided " + b.Undecided.String(),
		Heads: rv.heads,
	}
	now := rv.inputs()
	out.LabelsHash, out.RulingsHash, out.Rules, out.Judges = now.LabelsHash, now.RulingsHash, now.Rules, now.Judges
	return out
}

// inputs is what the queue's figures are computed from today.
func (rv *reviewed) inputs() annotate.Inputs {
	in := annotate.Inputs{
		LabelsHash:  annotate.LabelsHash(slices.Concat(slices.Collect(maps.Values(rv.people.ByItem))...)),
		RulingsHash: annotate.RulingsHash(slices.Concat(slices.Collect(maps.Values(rv.people.Rulings))...)),
	}
	for i := range rv.rules {
		in.Rules = append(in.Rules, eval.ReaderID(rv.rules[i]))
	}
	for i := range rv.judges {
		in.Judges = append(in.Judges, rv.judges[i].id.String())
	}
	return in
}

// Line is an alignment report's figures over time: those of the saved reports
// of its queue and, last, its own; by extractor and consensus.
func Line(r *report.Report) []*CalibrationRow {
	if k, ok := r.Kept.(*kept); ok {
		return k.line
	}
	return nil
}

// addSaved appends the rows of the queue's saved reports, oldest first, with
// whether they are stale.
func (rv *reviewed) addSaved(facts report.Facts, o *Options, k *kept, out *report.Report) error {
	today := report.RowsOf[*Row](k.rows)
	saved, err := facts.SavedReports(rv.queue.Name)
	if err != nil {
		return fmt.Errorf("read saved reports of queue %s: %w", rv.queue.Name, err)
	}
	for i := range saved {
		s := &saved[i]
		changes := s.Stale(rv.inputsFor(s, o))
		reasons := words(changes)
		rows, err := savedRows(s, reasons)
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
		out.Notes = append(out.Notes, savedNote(s, reasons))
		line, err := calibrations(s, changes)
		if err != nil {
			return err
		}
		k.line = append(k.line, line...)
	}
	k.line = append(k.line, calibrated(today, rv.inputs())...)
	shift(k.line)
	return nil
}

// inputsFor adds today's versions of the rule sets that only the saved report
// has.
func (rv *reviewed) inputsFor(s *annotate.SavedReport, o *Options) annotate.Inputs {
	in := rv.inputs()
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

// words are changes as reports tell them.
func words(all []annotate.Change) []string {
	var out []string
	for _, c := range all {
		out = append(out, c.String())
	}
	return out
}

func savedRows(s *annotate.SavedReport, reasons []string) ([]*Row, error) {
	var rows []*Row
	if err := json.Unmarshal(s.Rows, &rows); err != nil {
		return nil, fmt.Errorf("read saved report %d: %w", s.ID, err)
	}
	if slices.Contains(rows, nil) {
		return nil, fmt.Errorf("read saved report %d: %w", s.ID, errors.New("a row is empty"))
	}
	for _, r := range rows {
		r.fillOld()
	}
	stale, at := len(reasons) > 0, s.At.UTC()
	for _, r := range rows {
		r.Saved, r.SavedBy, r.SavedAt = s.ID, string(s.By), &at
		r.Stale, r.Reasons, r.Heads = &stale, reasons, s.Heads
	}
	return rows, nil
}

func savedNote(s *annotate.SavedReport, reasons []string) string {
	state := "still what comes out today"
	if len(reasons) > 0 {
		state = "stale: " + strings.Join(reasons, "; ")
	}
	note := fmt.Sprintf("Saved report %d (%s by %s, %s) is %s.",
		s.ID, s.At.UTC().Format("2006-01-02 15:04"), s.By, s.Policy, state)
	if n := len(s.Heads); n > 0 {
		note += fmt.Sprintf(" It names the heads of %d people's chains of acts.", n)
	}
	return note
}

var calibrationFigures = table.List("alignment:rate change:points because cohen_kappa:coefficient gwet_ac1:coefficient majority_baseline:rate items:count annotators:count stale why")

var savedColumns = table.List("report:count saved_at saved_by")

// Columns names the columns of the lines that Lines gives.
func (r *CalibrationRow) Columns() []table.Column {
	return table.Columns(table.List("queue"), report.HeadColumns, table.List("extractor policy undecided"),
		savedColumns, calibrationFigures)
}

// Lines lays the row out as lines of its table.
func (r *CalibrationRow) Lines() [][]table.Cell {
	start := append([]table.Cell{table.Text(string(r.Queue))}, r.Cells()...)
	if r.Run == 0 {
		start[1] = table.Blank()
	}
	start = append(start, table.Text(r.Extractor), table.Text(r.Policy), table.Text(r.Undecided))
	return [][]table.Cell{slices.Concat(start, r.saved(), r.figures())}
}

func (r *CalibrationRow) saved() []table.Cell {
	if r.Saved == 0 {
		return []table.Cell{table.Blank(), table.Text("today"), table.Blank()}
	}
	return []table.Cell{table.Count(int(r.Saved)), table.Text(r.SavedAt.UTC().Format("2006-01-02 15:04")), table.Text(r.SavedBy)}
}

func (r *CalibrationRow) figures() []table.Cell {
	change, because := table.Blank(), table.Blank()
	if s := r.Shift; s != nil {
		change, because = table.Points(s.Difference), table.Text("the same facts")
		if len(s.Because) > 0 {
			because = table.Text(strings.Join(s.Because, "; "))
		}
	}
	stale := "no"
	if r.Stale {
		stale = "yes"
	}
	rate := table.Rate(r.Alignment)
	if r.of != nil { // a saved one opens nothing
		rate = r.of.rate(r.Alignment, r.of.opener(), false)
	}
	return []table.Cell{
		rate, change, because, table.Coefficient(r.Kappa), table.Coefficient(r.AC1), table.Rate(r.Baseline),
		table.Count(r.Items), table.Count(r.Annotators), table.Text(stale), table.Text(strings.Join(r.Reasons, "; ")),
	}
}

// calibrationSheets are a table for each line over time, with its extractor,
// queue and consensus in the title; and a note on each that has no figure.
func calibrationSheets(rows []*CalibrationRow) (out []table.Table, notes []string) {
	for _, line := range table.GroupBy(rows, (*CalibrationRow).line) {
		r := line[0]
		if !slices.ContainsFunc(line, func(r *CalibrationRow) bool { return r.LeftOut == "" }) {
			notes = append(notes, r.Extractor+" on queue "+string(r.Queue)+" is left out: "+r.LeftOut+".")
			continue
		}
		t := table.Table{
			Name: "calibrations", Title: r.Extractor + " on queue " + string(r.Queue) + ", consensus " + r.Policy + ", undecided " + r.Undecided,
			Columns: table.Columns(savedColumns, calibrationFigures),
		}
		for _, r := range line {
			t.Rows = append(t.Rows, append(r.saved(), r.figures()...))
		}
		out = append(out, t)
	}
	return out, slices.Compact(notes)
}

// OverTime are an alignment report's figures over time, today's last: a table
// for each extractor of which any were saved.
func OverTime(r *report.Report) []table.Table {
	lines := Line(r)
	saved := make(map[string]bool)
	for _, l := range lines {
		saved[l.line()] = saved[l.line()] || l.Saved != 0
	}
	out, _ := calibrationSheets(slices.DeleteFunc(slices.Clone(lines), func(l *CalibrationRow) bool { return !saved[l.line()] }))
	if len(out) > 0 {
		out[len(out)-1].Notes = []string{shiftNote}
	}
	return out
}

func (r *CalibrationRow) line() string {
	return strings.Join([]string{string(r.Queue), r.Extractor, r.Policy, r.Undecided}, "\x00")
}

// SavedSheets are the saved reports of an alignment report's queue as they were,
// with their parts: a table for each, the oldest first.
func SavedSheets(r *report.Report) []table.Table {
	var out []table.Table
	rows := slices.DeleteFunc(report.RowsOf[*Row](slices.Concat(r.Overall, r.Rows)), func(a *Row) bool { return a.Saved == 0 })
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Saved, b.Saved) })
	for _, group := range table.GroupBy(rows, func(a *Row) string { return strconv.FormatUint(a.Saved, 10) }) {
		first := group[0]
		t := table.Table{Name: fmt.Sprintf("saved report %d", first.Saved), Columns: alignmentColumns}
		if first.SavedAt != nil {
			t.Title = first.SavedAt.UTC().Format("2006-01-02 15:04 UTC") + " by " + first.SavedBy
		}
		if first.Stale != nil && *first.Stale {
			t.Title += ", stale: " + strings.Join(first.Reasons, "; ")
		} else {
			t.Title += ", as it would come out today"
		}
		for _, a := range group {
			t.Rows = append(t.Rows, a.partLines(false)...)
		}
		out = append(out, t)
	}
	return out
}
