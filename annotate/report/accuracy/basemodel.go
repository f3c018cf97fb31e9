package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// BaseModelRow is the accuracy on one benchmark of a model in one of the three forms in which it can be
// asked (MMStar, Tables 1, 2, 4 and 7). Where nobody asked it so there is no run, and the accuracy says it.
type BaseModelRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Of       string        `json:"of"` // the model that the row is about; Model is who answered
	Form     Form          `json:"form"`
	Shots    int           `json:"shots"`
	Strategy string        `json:"strategy,omitempty"`
	Card     *CardInfo     `json:"card,omitempty"` // of Of
	Accuracy stat.Rate     `json:"accuracy"`
	Random   stat.Estimate `json:"random_choice" as:"share"`
	Pending  int           `json:"pending"`
}

// Form is what of a model answers, by the paper's names.
type Form string

// The forms, in the order of the paper's tables.
const (
	LanguageModel Form = "LLM"       // alone, or as the base of another model
	TextModel     Form = "LVLM-text" // the vision-language model without the picture
	VisionModel   Form = "LVLM"
)

// baseModelLine is what one form of a model was asked alike on several benchmarks.
type baseModelLine struct {
	kinKey
	cells []*BaseModelRow
}

type kinKey struct {
	form            Form
	model, modality string
	shots           int
	strategy        string
	synthetic       bool
	asking          string // Config.AskingKey of the runs
}

// distinguishingSetting is in which a line differs from another one that is the same but for how its runs were asked.
func (k *baseModels) distinguishingSetting(l *baseModelLine) string {
	for _, o := range k.lines {
		key := o.kinKey
		if key.asking = l.asking; o != l && key == l.kinKey && len(l.cells) > 0 {
			return l.cells[0].Setting
		}
	}
	return ""
}

func (l *baseModelLine) rowAt(p baseModelPlace) *BaseModelRow {
	r, _ := eval.FirstWanted(l.cells, func(r *BaseModelRow) bool { return r.place() == p })
	return r
}

type baseModelPlace struct {
	dataset eval.DatasetName
	split   string
}

func (r *BaseModelRow) place() baseModelPlace { return baseModelPlace{r.Dataset, r.Split} }

// baseModels is the models of a project and how they are related.
type baseModels struct {
	o      *report.Options
	places []baseModelPlace
	lines  []*baseModelLine
	rows   []*BaseModelRow
	alone  []*baseModelLine   // language models
	groups [][]*baseModelLine // of one vision-language model each
	left   []string           // models that nobody asked without the picture
}

// ReportTextOnlyByModel reports language models, and vision-language models with their language
// base, without the picture and with it, each on every benchmark.
func ReportTextOnlyByModel(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	wide := o
	wide.Model = "" // who else belongs to it is found by its card
	f, err := report.ScanRunsThatServe(ctx, facts, &wide, needText, func(*eval.Run) bool { return true })
	if err != nil {
		return report.Report{}, err
	}
	k := &baseModels{o: &o}
	k.groupIntoLines(f)
	k.groupByBase()
	if len(k.rows) == 0 {
		return report.Report{}, fmt.Errorf("find %s: %w", needText, eval.ErrNotFound)
	}
	out := report.Report{Name: "text-only", Layout: kinLayout, Confidence: stat.Confidence, Notes: f.DescribeNotRead()}
	out.Rows = report.ToRows(k.rows)
	if len(k.left) > 0 {
		out.Notes = append(out.Notes, "Left out, since neither they nor a language base of theirs were asked without the image: "+strings.Join(k.left, ", ")+".")
	}
	out.Sheets = k.makeTables()
	return out, nil
}

// detectForm tells a language model from a vision-language model that is shown no
// picture, by who is built on it and how else it was asked.
func (k *baseModels) detectForm(f *report.Scanned, r *eval.Run) Form {
	c := &r.Config
	switch {
	case c.Modality == eval.BaseText:
		return LanguageModel
	case !report.SeesNoImages(r):
		return VisionModel
	}
	sees, base := false, false
	for i := range f.Runs {
		other := &f.Runs[i].Run
		sees = sees || other.Config.Model == c.Model && !report.SeesNoImages(other)
		base = base || k.languageBaseOf(other.Config.Model) == c.Model
	}
	if card := newCardInfo(k.o, c.Model); card != nil {
		sees = sees || card.LanguageBase != "" || card.Vision != ""
	}
	return eval.Either(base || !sees, LanguageModel, TextModel)
}

func (k *baseModels) languageBaseOf(model string) string {
	if card := newCardInfo(k.o, model); card != nil {
		return card.LanguageBase
	}
	return ""
}

func (k *baseModels) groupIntoLines(f *report.Scanned) {
	for r, s := range f.EachSplit() {
		strategy := cmp.Or(k.o.Strategy, r.Run.Config.Strategy)
		if !servesStrategy(&r.Run, strategy) {
			continue
		}
		root := s.Counted.Root
		score := root.Score(strategy)
		k.addFigure(r.Run.Config.AskingKey(), &BaseModelRow{
			Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(), Form: k.detectForm(f, &r.Run), Shots: r.Run.Config.Settings.Shots,
			Strategy: strategy.String(), Accuracy: score.Rate(), Random: root.RandomBaselineEstimate(strategy), Pending: score.Pending,
		})
	}
	slices.SortStableFunc(k.lines, func(a, b *baseModelLine) int {
		return cmp.Or(strings.Compare(a.model, b.model), strings.Compare(a.modality, b.modality), cmp.Compare(a.shots, b.shots))
	})
}

// addFigure adds a figure to the line that it belongs to. Runs asked alike on one benchmark stand in two.
func (k *baseModels) addFigure(asking string, r *BaseModelRow) {
	key := kinKey{r.Form, r.Model, r.Modality, r.Shots, r.Strategy, r.Synthetic, asking}
	line := *eval.FindOrAdd(&k.lines, func(l **baseModelLine) bool { return (*l).kinKey == key && (*l).rowAt(r.place()) == nil }, func() *baseModelLine {
		return &baseModelLine{kinKey: key}
	})
	line.cells = append(line.cells, r)
}

func (k *baseModels) linesOfForm(form Form, model string) []*baseModelLine {
	return slices.DeleteFunc(slices.Clone(k.lines), func(l *baseModelLine) bool { return l.form != form || l.model != model })
}

// groupByBase makes the groups of the models that are wanted, and their rows.
func (k *baseModels) groupByBase() {
	var models []string
	for _, l := range k.lines {
		switch {
		case l.form != LanguageModel && !slices.Contains(models, l.model):
			models = append(models, l.model)
		case l.form == LanguageModel && k.isWanted(l.model):
			k.alone = append(k.alone, l)
		}
	}
	slices.SortStableFunc(models, func(a, b string) int { return compareBySize(newCardInfo(k.o, a), newCardInfo(k.o, b)) })
	slices.SortStableFunc(k.alone, func(a, b *baseModelLine) int {
		return compareBySize(newCardInfo(k.o, a.model), newCardInfo(k.o, b.model))
	})
	for _, m := range models {
		base := k.languageBaseOf(m)
		var bases []*baseModelLine
		if base != "" {
			bases = k.linesOfForm(LanguageModel, base)
		}
		text, vision := k.linesOfForm(TextModel, m), k.linesOfForm(VisionModel, m)
		switch {
		case !k.isWanted(m):
		case len(bases)+len(text) == 0:
			k.left = append(k.left, m)
		default:
			group := slices.Concat(linesOrAbsent(bases, LanguageModel, base), linesOrAbsent(text, TextModel, m), linesOrAbsent(vision, VisionModel, m))
			k.groups = append(k.groups, group)
		}
	}
	k.findPlaces()
	for _, l := range k.alone {
		k.addRows(l, l.model)
	}
	for _, group := range k.groups {
		for _, l := range group {
			k.addRows(l, group[len(group)-1].model)
		}
	}
}

func (k *baseModels) isWanted(model string) bool { return k.o.Model == "" || k.o.Model == model }

// linesOrAbsent is the lines, or one that says that there is none.
func linesOrAbsent(lines []*baseModelLine, form Form, model string) []*baseModelLine {
	if len(lines) > 0 {
		return lines
	}
	return []*baseModelLine{{kinKey: kinKey{form: form, model: model}}}
}

// findPlaces finds the benchmarks that the lines are about.
func (k *baseModels) findPlaces() {
	for _, l := range slices.Concat(k.alone, slices.Concat(k.groups...)) {
		for _, r := range l.cells {
			k.places = eval.AppendUnique(k.places, r.place())
		}
	}
	slices.SortFunc(k.places, func(a, b baseModelPlace) int {
		return cmp.Or(cmp.Compare(a.dataset, b.dataset), report.CompareBools(a.split != report.AllSplits, b.split != report.AllSplits), cmp.Compare(a.split, b.split))
	})
}

func (k *baseModels) addRows(l *baseModelLine, of string) {
	for _, p := range k.places {
		row := BaseModelRow{
			Head: report.Head{Dataset: p.dataset, Split: p.split, Model: l.model, Setting: k.distinguishingSetting(l), Modality: l.modality, Synthetic: l.synthetic},
			Form: l.form, Shots: l.shots, Strategy: l.strategy, Accuracy: l.undefinedRate(), Random: stat.NewUndefinedEstimate("no run"),
		}
		if r := l.rowAt(p); r != nil {
			row = *r
		}
		row.Of, row.Card = of, newCardInfo(k.o, of)
		k.rows = append(k.rows, &row)
	}
}

// undefinedRate is the figure where the line has no run.
func (l *baseModelLine) undefinedRate() stat.Rate {
	return eval.Either(l.model == "", stat.UndefinedRate("no base is named"), stat.UndefinedRate("no run"))
}

var kinLayout = report.NewLayout(report.HeadNames+"of form shots:text "+cardNames+"extractor strategy accuracy random_choice pending", BaseModelRow{})

// LayoutParts are the card of the model that the row is about.
func (r *BaseModelRow) LayoutParts() []any { return []any{r.Card} }

// ExtraCells leaves out the run and the shots where there is no run.
func (r *BaseModelRow) ExtraCells() report.Cells {
	if r.Run == 0 {
		return report.Cells{"run": {}, "shots": {}}
	}
	return report.Cells{"shots": table.NewText(strconv.Itoa(r.Shots))}
}

// KeysBehind yields what is behind the accuracy; nothing where there is no run.
func (r *BaseModelRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	if r.Run == 0 {
		return report.NoKeys{}.KeysBehind(ctx, facts, s)
	}
	return eachAccuracyKey(ctx, facts, &r.Head, &r.Source, r.Strategy, s)
}
