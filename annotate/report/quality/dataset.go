package quality

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// DatasetRow is what a dataset holds (MLLM-Bench, Table 3 and Fig. 2). Samples that curators discarded are
// counted apart and are in nothing else; a type of question is the one that curators gave, else the file's.
type DatasetRow struct {
	report.ForEveryone
	Dataset      eval.DatasetName `json:"dataset"`
	Synthetic    bool             `json:"synthetic,omitempty"`
	Samples      int              `json:"samples"`
	Discarded    int              `json:"discarded"`
	Levels       []DatasetPart    `json:"levels"` // every prefix of the taxonomy
	Types        []DatasetPart    `json:"types"`
	Kinds        []DatasetPart    `json:"kinds"`
	Sources      []DatasetPart    `json:"sources,omitempty"` // the benchmarks that samples were taken from (MMBench, Table 7)
	Pictured     stat.Rate        `json:"pictured"`          // have a picture
	Held         stat.Rate        `json:"pictures_held"`     // of those: the project holds all of them
	Truth        stat.Rate        `json:"answer_given"`      // have a right option or a reference answer
	Instructions []DatasetPart    `json:"instructions"`      // the most frequent ones
	Others       int              `json:"other_openings"`    // samples whose question opens otherwise
	OtherSources int              `json:"other_sources,omitempty"`

	report.Tags `json:"-"`
}

// DatasetPart is the samples of one class.
type DatasetPart struct {
	Name  string    `json:"name,omitempty"`
	Path  []string  `json:"path,omitempty"`
	Share stat.Rate `json:"share"` // of the dataset's samples
}

// DatasetOptions say what the report on datasets is about.
type DatasetOptions struct {
	Dataset  eval.DatasetName      // "": all
	Words    int                   // how many words of a question are its instruction; 0: two
	Top      int                   // how many instructions are listed; 0: twenty
	Progress func(done, total int) // of samples; may be nil
}

// The figures of a DatasetRow that can be opened, beside the names of types and kinds.
const (
	AllSamples report.Which = "samples"
	Pictured   report.Which = "pictured"
	Held       report.Which = "images held" // of the pictured
	NotHeld    report.Which = "images not held"
	Answered   report.Which = "ground truth"
	Opening    report.Which = "instruction:" // with the instruction behind it
	FromSource report.Which = "source:"      // with the source behind it
	Openings   report.Which = "other instructions"
	Sources    report.Which = "other sources"
)

const (
	openingWords = 2
	topOpenings  = 20
	withoutType  = "none"
)

// ReportDatasets reports what the datasets hold.
func ReportDatasets(ctx context.Context, facts CriteriaFacts, o DatasetOptions) (report.Report, error) {
	o.Words, o.Top = cmp.Or(o.Words, openingWords), cmp.Or(o.Top, topOpenings)
	all, err := facts.Datasets()
	if err != nil {
		return report.Report{}, fmt.Errorf("list datasets: %w", err)
	}
	out := report.Report{Name: "dataset", Layout: datasetLayout, Confidence: stat.Confidence}
	for _, d := range all {
		if !d.Complete || o.Dataset != "" && o.Dataset != d.Name {
			continue
		}
		row, err := newDatasetRow(ctx, facts, d, &o)
		if err != nil {
			return report.Report{}, fmt.Errorf("report dataset %s: %w", d.Name, err)
		}
		out.Rows = append(out.Rows, row)
		out.Sheets = append(out.Sheets, row.makeTables()...)
	}
	if len(out.Rows) == 0 {
		return report.Report{}, fmt.Errorf("find a dataset to report: %w", eval.ErrNotFound)
	}
	out.Notes = append(out.Notes, fmt.Sprintf("An instruction is the first %d words of a question, in lower case, without punctuation and \"please\"; of a script without spaces, its first %d characters.",
		o.Words, openingRunes))
	return out, nil
}

func newDatasetRow(ctx context.Context, facts CriteriaFacts, d eval.Dataset, o *DatasetOptions) (*DatasetRow, error) {
	sets, err := criteria.SetsBySample(facts.CriteriaSets(ctx, d.Name))
	if err != nil {
		return nil, fmt.Errorf("read criteria: %w", err)
	}
	c := &sampleCounts{paths: make(map[string][]string), order: make(eval.LevelOrder), levels: make(map[string]int), openings: make(map[string]int), sources: make(map[string]int)}
	for s, err := range facts.Samples(ctx, d.Name) {
		if err != nil {
			return nil, fmt.Errorf("read samples: %w", err)
		}
		set, acted := sets[s.Ordinal]
		if acted && set.Type != eval.TypeUnset {
			s.Type = set.Type
		}
		c.addSample(&s, acted && set.Removed != nil, o.Words)
		if o.Progress != nil {
			o.Progress(c.n+c.discarded, d.Samples)
		}
	}
	row := c.newRow(o.Top)
	row.Dataset, row.Synthetic = d.Name, d.Synthetic
	return row, nil
}

type sampleCounts struct {
	n, discarded, pictured, held, truth int
	paths                               map[string][]string
	order                               eval.LevelOrder
	levels, openings, sources           map[string]int
	types                               [eval.QuestionTypes]int
	kinds                               [kinds]int
	behind                              []report.Tagged
}

const kinds = int(eval.KindOpen) + 1

func (c *sampleCounts) addSample(s *eval.Sample, discarded bool, words int) {
	if discarded {
		c.discarded++
		c.behind = append(c.behind, report.Tagged{Pair: eval.Pair{Sample: s.Ordinal}, Path: s.Taxonomy, Tags: []report.Which{Discarded}})
		return
	}
	c.n++
	c.types[s.Type]++
	c.kinds[s.Kind]++
	opening := questionOpening(s.Question, words)
	c.openings[opening]++
	t := report.Tagged{
		Pair: eval.Pair{Sample: s.Ordinal}, Path: s.Taxonomy,
		Tags: []report.Which{AllSamples, report.Which(typeName(s.Type)), report.Which(s.Kind.String()), Opening + report.Which(opening)},
	}
	if source := sourceOf(s); source != "" {
		c.sources[source]++
		t.Tags = append(t.Tags, FromSource+report.Which(source))
	}
	if len(s.Pictures) > 0 {
		c.pictured++
		t.Tags = append(t.Tags, Pictured)
		if !slices.ContainsFunc(s.Pictures, func(p eval.Picture) bool { return p.Hash == "" }) {
			c.held++
			t.Tags = append(t.Tags, Held)
		} else {
			t.Tags = append(t.Tags, NotHeld)
		}
	}
	if s.HasTruth() {
		c.truth++
		t.Tags = append(t.Tags, Answered)
	}
	c.order.AddPath(s.Taxonomy)
	for i := range s.Taxonomy {
		key := eval.JoinPath(s.Taxonomy[:i+1])
		c.paths[key] = s.Taxonomy[:i+1]
		c.levels[key]++
	}
	c.behind = append(c.behind, t)
}

// sourceOf names a sample's source, an address by its host.
func sourceOf(s *eval.Sample) string {
	if at, err := url.Parse(s.Source); err == nil && at.Host != "" {
		return at.Host
	}
	return s.Source
}

func typeName(t eval.QuestionType) string { return cmp.Or(t.String(), withoutType) }

func (c *sampleCounts) newRow(top int) *DatasetRow {
	share := func(k int) stat.Rate { return stat.Count{K: k, N: c.n}.Rate("no samples") }
	row := &DatasetRow{
		Samples: c.n, Discarded: c.discarded, Tags: c.behind,
		Pictured: share(c.pictured), Truth: share(c.truth),
		Held:   stat.Count{K: c.held, N: c.pictured}.Rate("no sample has an image"),
		Levels: []DatasetPart{}, Types: []DatasetPart{}, Kinds: []DatasetPart{}, Instructions: []DatasetPart{},
	}
	for key, n := range c.levels {
		row.Levels = append(row.Levels, DatasetPart{Path: c.paths[key], Share: share(n)})
	}
	slices.SortFunc(row.Levels, func(a, b DatasetPart) int { return c.order.Compare(a.Path, b.Path) })
	for t, n := range c.types {
		if n > 0 {
			row.Types = append(row.Types, DatasetPart{Name: typeName(eval.QuestionType(t)), Share: share(n)})
		}
	}
	for k, n := range c.kinds {
		if n > 0 {
			row.Kinds = append(row.Kinds, DatasetPart{Name: eval.Kind(k).String(), Share: share(n)})
		}
	}
	mostFirst := func(counts map[string]int) (out []DatasetPart) {
		for name, n := range counts {
			out = append(out, DatasetPart{Name: name, Share: share(n)})
		}
		slices.SortFunc(out, func(a, b DatasetPart) int {
			return cmp.Or(cmp.Compare(b.Share.K, a.Share.K), cmp.Compare(a.Name, b.Name))
		})
		return out
	}
	row.Sources, row.Instructions = mostFirst(c.sources), append(row.Instructions, mostFirst(c.openings)...)
	row.Sources, row.OtherSources = row.keepMostFrequent(row.Sources, top, FromSource, Sources)
	row.Instructions, row.Others = row.keepMostFrequent(row.Instructions, top, Opening, Openings)
	return row
}

// keepMostFrequent keeps the most frequent classes, and counts the samples of the others.
func (r *DatasetRow) keepMostFrequent(parts []DatasetPart, top int, of, rest report.Which) (kept []DatasetPart, others int) {
	left := make(map[report.Which]bool)
	for _, p := range parts[min(top, len(parts)):] {
		others += p.Share.K
		left[of+report.Which(p.Name)] = true
	}
	for i := range r.Tags {
		if t := &r.Tags[i]; slices.ContainsFunc(t.Tags, func(w report.Which) bool { return left[w] }) {
			t.Tags = append(t.Tags, rest)
		}
	}
	return parts[:len(parts)-len(left)], others
}

// openingRunes is how much of a question without spaces is its instruction.
const openingRunes = 4

// questionOpening is how a question opens: its first words in lower case, without punctuation and "please".
func questionOpening(question string, words int) string {
	var out []string
	for w := range strings.FieldsSeq(strings.ToLower(question)) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if w == "" || w == "please" {
			continue
		}
		if r := []rune(w); unicode.In(r[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			return string(r[:min(len(r), openingRunes)])
		}
		if out = append(out, w); len(out) == words {
			break
		}
	}
	return strings.Join(out, " ")
}

var datasetLayout = report.NewLayout("dataset group class samples:count share:rate")

// TableLines give the whole, and a line for each class of each group.
func (r *DatasetRow) TableLines() [][]table.Cell {
	name := table.NewText(string(r.Dataset))
	out := [][]table.Cell{
		{name, table.NewText("samples"), table.NewText("all"), table.NewCount(r.Samples), table.NewBlank()},
		{name, table.NewText("samples"), table.NewText("discarded"), table.NewCount(r.Discarded), table.NewBlank()},
		{name, table.NewText("pictures"), table.NewText("pictured"), table.NewCount(r.Pictured.K), table.NewRate(r.Pictured)},
		{name, table.NewText("pictures"), table.NewText("held"), table.NewCount(r.Held.K), table.NewRate(r.Held)},
		{name, table.NewText("answers"), table.NewText("given"), table.NewCount(r.Truth.K), table.NewRate(r.Truth)},
	}
	add := func(group string, parts []DatasetPart) {
		for _, p := range parts {
			class := eval.Either(p.Path != nil, eval.JoinPath(p.Path), p.Name)
			out = append(out, []table.Cell{name, table.NewText(group), table.NewText(class), table.NewCount(p.Share.K), table.NewRate(p.Share)})
		}
	}
	add("level", r.Levels)
	add("type", r.Types)
	add("kind", r.Kinds)
	if add("source", r.Sources); r.OtherSources > 0 {
		out = append(out, []table.Cell{name, table.NewText("source"), table.NewText("(others)"), table.NewCount(r.OtherSources), table.NewBlank()})
	}
	add("instruction", r.Instructions)
	return append(out, []table.Cell{name, table.NewText("instruction"), table.NewText("(others)"), table.NewCount(r.Others), table.NewBlank()})
}

// makeTables makes the tables that people read, one a group.
func (r *DatasetRow) makeTables() []table.Table {
	title := report.MarkSynthetic(string(r.Dataset), r.Synthetic)
	o := report.Opener{Row: r, Dataset: r.Dataset, Open: true}
	whole := table.Table{
		Name: "dataset", Title: title,
		Columns: table.ParseColumns("samples:count discarded:count pictured:rate pictures_held:rate answer_given:rate"),
		Rows: [][]table.Cell{{
			report.AttachPicks(table.NewCount(r.Samples), o, AllSamples), report.AttachPicks(table.NewCount(r.Discarded), o, Discarded),
			report.AttachPicks(table.NewRate(r.Pictured), o, Pictured), report.AttachPicks(table.NewRate(r.Held), o, Held, NotHeld), report.AttachPicks(table.NewRate(r.Truth), o, Answered),
		}},
	}
	out := []table.Table{whole}
	if len(r.Levels) > 0 {
		t := table.Table{Name: "levels", Title: title, Columns: table.ParseColumns("level capability samples:count share:rate :bar")}
		drawn := table.MakeBars(eval.Map(r.Levels, DatasetPart.share))
		for i, p := range r.Levels {
			t.Rows = append(t.Rows, []table.Cell{table.NewText(p.Path[0]), table.NewText(eval.JoinPath(p.Path[1:])), report.AttachPicks(table.NewCount(p.Share.K), o.UnderLevel(p.Path...), AllSamples), report.AttachPicks(table.NewRate(p.Share), o.UnderLevel(p.Path...), AllSamples), drawn[i]})
		}
		out = append(out, t)
	}
	for _, g := range []struct {
		name, column string
		parts        []DatasetPart
		tag          report.Which
		others       int
		rest         report.Which
	}{
		{"types of questions", "type", r.Types, "", 0, ""},
		{"kinds", "kind", r.Kinds, "", 0, ""},
		{"sources", "source", r.Sources, FromSource, r.OtherSources, Sources},
		{"instructions", "instruction", r.Instructions, Opening, r.Others, Openings},
	} {
		if len(g.parts) == 0 {
			continue
		}
		t := table.Table{Name: g.name, Title: title, Columns: table.ParseColumns(g.column + " samples:count share:rate :bar")}
		drawn := table.MakeBars(eval.Map(g.parts, DatasetPart.share))
		for i, p := range g.parts {
			tag := g.tag + report.Which(p.Name)
			t.Rows = append(t.Rows, []table.Cell{table.NewText(p.Name), report.AttachPicks(table.NewCount(p.Share.K), o, tag), report.AttachPicks(table.NewRate(p.Share), o, tag), drawn[i]})
		}
		if g.others > 0 {
			t.Rows = append(t.Rows, []table.Cell{table.NewText("(others)"), report.AttachPicks(table.NewCount(g.others), o, g.rest), table.NewBlank(), table.NewBlank()})
		}
		out = append(out, t)
	}
	return out
}

func (p DatasetPart) share() stat.Rate { return p.Share }
