package report

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
)

// Report is a table of figures as data. Rows holds one row for each run, split
// and reading; Overall, where a report has it, sums over runs.
type Report struct {
	Name          string
	Confidence    float64
	Rows, Overall []Row
	External      []Row           // what was measured elsewhere
	Notes         []string        // what a reader has to know beside the figures
	Exclusions    []ExcludedItem  // items that curators took out of the figures
	Damaged       string          // what of the project was left out of all figures; "": nothing
	Style         table.Style     // of tables that people read
	Paper         *table.Paper    // what those take on their way into a paper; nil: nothing
	Separate      table.Separator // tells which figures are not separable from the best of their column; nil: their intervals do
	Version       string          // of concord, which is written into what it prints; "": it is not

	Layout *Layout                        // of its rows, or of their lines
	Sheets []table.Table                  // for people, where rows make no good table of theirs
	Lay    func(*Report) []table.Table    // makes the sheets of the rows as they are; a report that holds rows which are not public has it in the place of Sheets
	Draw   func(*Report) []chart.Drawing  // its figures as charts; nil: a table says it all
	Bars   func(*Report) []table.BarGroup // its rates as bars below its tables on a terminal; nil: none
	Kept   any                            // what the package that made it needs of it later
	Saved  []Row                          // corrected figures that were saved before

	// Draft makes what is saved of it, without who and when; nil: it is no report that is saved.
	Draft    func() (annotate.SavedReport, error)
	MustSave error // why it is shown only as it is saved; nil: it is shown all the same
}

// Row is one row of a report: a struct with JSON names, and its table form.
type Row interface {
	// Audience is who may see the row. Most types embed ForEveryone to say it.
	Audience() Audience
	KeysBehind(context.Context, Facts, Selection) iter.Seq2[eval.Key, error]
}

// MarshalJSON writes the shape that scripts rely on.
func (r Report) MarshalJSON() ([]byte, error) {
	rows := eval.Either(r.Rows == nil, []Row{}, r.Rows)
	return json.Marshal(struct {
		Report     string         `json:"report"`
		Version    string         `json:"version,omitempty"`
		Confidence float64        `json:"confidence"`
		Rows       []Row          `json:"rows"`
		Overall    []Row          `json:"overall,omitempty"`
		External   []Row          `json:"external,omitempty"`
		Saved      []Row          `json:"saved,omitempty"`
		Notes      []string       `json:"notes,omitempty"`
		Exclusions []ExcludedItem `json:"exclusions,omitempty"`
	}{r.Name, r.Version, r.Confidence, rows, r.Overall, r.External, r.Saved, r.Notes, r.Exclusions})
}

// ToRows are rows of one kind as a report holds them.
func ToRows[R Row](all []R) []Row { return eval.Map(all, func(r R) Row { return r }) }

// ownTables are the tables that a report laid out itself.
func (r Report) ownTables() []table.Table {
	if r.Lay != nil {
		return r.Lay(&r)
	}
	return slices.Clone(r.Sheets)
}

// Tables makes the report's tables as people read them: those that a report laid
// out itself, or the one of its rows. Notes are the last one's.
func (r Report) Tables() []table.Table {
	out := r.ownTables()
	if len(out) == 0 {
		out = []table.Table{r.MakeRowTable()}
	} else {
		out[len(out)-1].Notes = slices.Concat(out[len(out)-1].Notes, r.Notes)
	}
	few := false
	for i := range out {
		out[i] = out[i].StyleForPeople(r.Style, r.Separate).ApplyPaper(r.Paper)
		few = few || out[i].HasFewUnits()
	}
	if few && !r.Style.NoIntervals {
		last := &out[len(out)-1]
		last.Notes = append(slices.Clip(last.Notes), table.FewNote)
	}
	return out
}

// lined is a row of several lines, which it makes itself.
type lined interface {
	TableLines() [][]table.Cell
}

// MakeRowTable makes the report's rows as one table: sums over runs first, and last what
// was measured elsewhere.
func (r Report) MakeRowTable() table.Table {
	t := table.Table{Name: r.Name, Notes: r.Notes}
	for _, row := range slices.Concat(r.Overall, r.Rows, r.External) {
		t.Columns = r.Layout.Columns
		if l, own := row.(lined); own {
			t.Rows = append(t.Rows, l.TableLines()...)
		} else {
			t.Rows = append(t.Rows, r.Layout.MakeRowLine(row))
		}
	}
	return t
}

// Source says who read the predictions: a rule set, or a judge after one.
type Source struct {
	Extractor    string `json:"extractor"` // rules:NAME, or the judge's name
	Rules        string `json:"rules,omitempty"`
	RulesVersion string `json:"rules_version,omitempty"`

	ReadAs Options `json:"-"` // how the row was read, so that Drill reads it so again
}

// RulesPrefix stands before the name of a rule set that is an extractor.
const RulesPrefix = "rules:"

// NewRulesSource gives a rule set alone.
func NewRulesSource(r eval.Reader) Source {
	return Source{Extractor: RulesPrefix + r.Name(), Rules: r.Name(), RulesVersion: r.Version()}
}

// ReadingSource is who read the run: the judge completes the rules' readings.
func (f *ScannedRun) ReadingSource() Source {
	s := NewRulesSource(f.Rules)
	s.ReadAs = Options{Rules: f.Rules.Name(), Judge: f.Second, Reader: f.find}
	if f.Second != "" {
		s.Extractor = f.Second
	}
	return s
}

// Names of splits that are no split's own.
const (
	AllSplits = "all"  // the whole, of several splits or of samples without one
	NoSplit   = "none" // samples without a split beside others that have one
)

// ScannedSplit is the figures of one split of a run, or of the whole.
type ScannedSplit struct {
	Name    string
	Counted *metric.RunCounts
}

// SplitsOfRun are the figures that a run's rows are made of: the whole, under the name of its split
// when there is only one, and then each of several; or the one that is wanted alone.
func (f *Scanned) SplitsOfRun(r *ScannedRun) []ScannedSplit {
	all := r.listSplits(f.bySplit || f.split != "")
	if f.split != "" {
		all = slices.DeleteFunc(all, func(s ScannedSplit) bool { return s.Name != f.split })
	}
	return all
}

// EachSplit are the figures that rows are made of, run by run.
func (f *Scanned) EachSplit() iter.Seq2[*ScannedRun, ScannedSplit] {
	return func(yield func(*ScannedRun, ScannedSplit) bool) {
		for i := range f.Runs {
			for _, s := range f.SplitsOfRun(&f.Runs[i]) {
				if !yield(&f.Runs[i], s) {
					return
				}
			}
		}
	}
}

func (f *ScannedRun) listSplits(each bool) []ScannedSplit {
	names := f.Tally.Splits()
	whole := ScannedSplit{AllSplits, f.Tally.TotalCounts()}
	if len(names) == 1 && names[0] != "" {
		whole.Name = names[0]
	}
	out := []ScannedSplit{whole}
	if !each || len(names) < 2 {
		return out
	}
	for _, n := range names {
		shown := cmp.Or(n, NoSplit)
		out = append(out, ScannedSplit{shown, f.Tally.CountsOfSplit(n)})
	}
	return out
}

func (r Report) rateBars() []table.BarGroup {
	if r.Bars == nil {
		return nil
	}
	return r.Bars(&r)
}

func (r Report) makeCharts() []chart.Drawing {
	if r.Draw == nil {
		return nil
	}
	return r.Draw(&r)
}

// Audience is who may see a row of a report. Every row type has to state it: a
// row is shown to everybody because somebody decided so, and for no other reason.
type Audience uint8

// The audiences.
const (
	AudienceUnset Audience = iota // nobody has decided: hidden
	Everyone                      // it tells nothing of single people, nor how single items were answered
	InPart                        // everybody may see what the row's Public leaves of it
	Insiders                      // who has nothing left to answer: it tells of single people or of a few items
)

// ForEveryone is embedded in rows that everybody may see.
type ForEveryone struct{}

// Audience is Everyone.
func (ForEveryone) Audience() Audience { return Everyone }

// partly is a row of which a part is for everybody.
type partly interface {
	PublicPart() Row // without what tells of single people or of a few items
}

// PublicReport is the report as everybody may see it: rows for Insiders are left out, and
// so is of others what is not Public. What NewSavedReport keeps of it is not changed.
func (r Report) PublicReport() Report {
	r.Rows, r.Overall = selectPublicRows(r.Rows), selectPublicRows(r.Overall)
	r.Sheets = nil // they were laid out from all rows
	return r
}

func selectPublicRows(rows []Row) []Row {
	out := make([]Row, 0, len(rows))
	for _, row := range rows {
		switch row.Audience() {
		case Everyone:
			out = append(out, row)
		case InPart:
			if p, ok := row.(partly); ok {
				out = append(out, p.PublicPart())
			}
		case AudienceUnset, Insiders:
		}
	}
	return out
}

// listSettings lists what led to a report's figures, as far as its rows tell: who read the predictions,
// policies, prompts, how votes were merged. How the runs were asked is in Provenance.
func (r Report) listSettings() []string {
	var out []string
	add := func(parts ...string) {
		out = eval.AppendUnique(out, strings.Join(parts, " "))
	}
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		if s, ok := row.(interface{ describeReader() string }); ok && s.describeReader() != "" {
			add("read by", s.describeReader())
		}
		if s, ok := row.(interface{ Settings() []string }); ok {
			for _, one := range s.Settings() {
				add(one)
			}
		}
	}
	if r.Confidence > 0 {
		add("confidence", strconv.FormatFloat(r.Confidence, 'g', -1, 64))
	}
	return out
}

// After stands between a judge and the rules that it comes after.
const After = " after " + RulesPrefix

// ReadBy names who read the predictions, in their order: rules alone, or a judge after them.
func (s *Source) ReadBy() string {
	return eval.Either(s.Rules == "" || s.Extractor == RulesPrefix+s.Rules, s.Extractor, s.Extractor+After+s.Rules)
}

// describeReader describes who read the predictions, with the version of the rules.
func (s *Source) describeReader() string {
	return eval.Either(s.Rules == "" || s.RulesVersion == "", s.Extractor, s.ReadBy()+"@"+s.RulesVersion)
}

// MarkSynthetic gives a title, with the word that the answers below it were made up.
func MarkSynthetic(title string, synthetic bool) string {
	return eval.Either(synthetic, title+" (synthetic)", title)
}

// ShortHash is the beginning of a hash.
func ShortHash(hash string) string { return hash[:min(len(hash), 12)] }

// ExcludedItem is an item of a queue that a curator took out of all figures, and why.
type ExcludedItem struct {
	Queue   annotate.QueueName `json:"queue"`
	Run     eval.RunID         `json:"run"`
	Against eval.RunID         `json:"against,omitempty"` // of a pair: the other run
	Sample  eval.SampleID      `json:"sample"`
	Pass    eval.Pass          `json:"pass"`
	Reason  string             `json:"reason"`
	By      annotate.Annotator `json:"by"`
	At      time.Time          `json:"at"`
}

// ListExcludedItems lists the exclusions that stand in a queue, by what stands of everybody's acts in it.
func ListExcludedItems(facts Facts, q *annotate.Queue, states map[annotate.Annotator]annotate.State) ([]ExcludedItem, error) {
	var out []ExcludedItem
	for _, x := range annotate.ListExclusions(states) {
		s, err := facts.Sample(q.Rule.Dataset, x.Item.Sample)
		if err != nil {
			return nil, fmt.Errorf("read sample of excluded item %s: %w", x.Item, err)
		}
		out = append(out, ExcludedItem{
			Queue: q.Name, Run: x.Item.Run, Against: x.Item.Against, Sample: s.ID, Pass: x.Item.Pass, Reason: x.Reason, By: x.By, At: x.At,
		})
	}
	return out, nil
}

// namedExclusions is how many exclusions a note names.
const namedExclusions = 10

// NoteExcludedItems lists excluded items beside the report's figures: as data, and in a note.
func (r *Report) NoteExcludedItems(items []ExcludedItem) {
	if len(items) == 0 {
		return
	}
	r.Exclusions = append(r.Exclusions, items...)
	var names []string
	for i, x := range items {
		if i == namedExclusions {
			names = append(names, fmt.Sprintf("and %d more", len(items)-i))
			break
		}
		names = append(names, fmt.Sprintf("sample %s of run %d in queue %s (%s; %s)", x.Sample, x.Run, x.Queue, x.Reason, x.By))
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Excluded by curators: %s: %s.", FormatCount(len(items), "item"), strings.Join(names, ", ")))
}
