package report

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
)

// Which names a figure of a row whose samples are asked for.
type Which string

// The figures that rows of several reports have.
const (
	Every      Which = "every" // all that the row is about, in any figure of it or in none
	Right      Which = "right"
	Wrong      Which = "wrong"      // not right: read as another option, or not read
	Incomplete Which = "incomplete" // of an inspection: an inspector has not decided them

	VanillaRight Which = "vanilla_right" // in pass 0, beside Right in all passes
	VanillaWrong Which = "vanilla_wrong"

	Agree    Which = "agree" // what two people, or people and a judge, say
	Disagree Which = "disagree"
)

// Selection is a figure of a row, and where in the taxonomy.
type Selection struct {
	Which Which
	Level []string // a prefix of the taxonomy; empty: all
	Part  any      // of the package that the row is of: what else tells its figures apart; nil: nothing
}

// YieldError yields nothing but the error.
func YieldError(err error) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) { yield(eval.Key{}, err) }
}

// DrilledQuestion is one question of a drill, decided.
type DrilledQuestion struct {
	*eval.Question
	Outcome metric.Outcome
	Scheme  *metric.Scheme
}

// EachKeyBehind goes through the questions behind a row and yields the keys that pick names in each.
func (h *Head) EachKeyBehind(
	ctx context.Context, facts Facts, o Options, s Selection, pick func(*DrilledQuestion) []eval.Key,
) iter.Seq2[eval.Key, error] {
	runs, err := RunsByID(facts)
	if err != nil {
		return YieldError(err)
	}
	run, ok := runs[h.Run]
	if !ok {
		return YieldError(fmt.Errorf("find run %d: %w", h.Run, eval.ErrNotFound))
	}
	scheme, _, err := NewSchemeOfRun(ctx, facts, run, &o)
	if err != nil {
		return YieldError(err)
	}
	return func(yield func(eval.Key, error) bool) {
		for q, err := range ReadQuestions(ctx, facts, run, scheme.Rules) {
			if err != nil {
				yield(eval.Key{}, fmt.Errorf("read questions: %w", err))
				return
			}
			if !h.CoversSample(&q.Sample) || !PathHasPrefix(q.Sample.Taxonomy, s.Level) {
				continue
			}
			for _, k := range pick(&DrilledQuestion{&q, scheme.Decide(&q), scheme}) {
				if !yield(k, nil) {
					return
				}
			}
		}
	}
}

// CoversSample reports whether the sample is of the row's split.
func (h *Head) CoversSample(s *eval.Sample) bool {
	return h.Split == AllSplits || h.Split == s.Split || h.Split == NoSplit && s.Split == ""
}

// PathHasPrefix reports whether a path begins with the prefix.
func PathHasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// KeyToShow is the prediction to look at first for the question.
func (q *DrilledQuestion) KeyToShow(run eval.RunID) []eval.Key {
	pass, _ := q.Outcome.DecidingPass()
	return []eval.Key{{Run: run, Sample: q.Sample.Ordinal, Pass: pass}}
}

// KeysWhere yields the predictions whose reading the test wants.
func (q *DrilledQuestion) KeysWhere(want func(i int, r *metric.Reading) bool) []eval.Key {
	var out []eval.Key
	for i := range q.Outcome.Readings {
		if want(i, &q.Outcome.Readings[i]) {
			out = append(out, q.Predictions[i].Key)
		}
	}
	return out
}

// PairsBehindRow yields the pairs behind a figure of a row over votes, in the order of samples:
// First is the run that the row is about, Second the one that it was set against. Of a row
// about samples alone, a dataset's say, they have no runs. A row about something else has none.
//
// What people voted stands behind some of them: whoever shows that a pair is
// of a figure over people's votes asks annotate.Veil first.
func PairsBehindRow(row Row, s Selection) iter.Seq[eval.Pair] {
	if p, ok := row.(paired); ok {
		return p.PairsBehind(s)
	}
	return func(func(eval.Pair) bool) {}
}

// paired is a row whose figures are over pairs or samples.
type paired interface {
	PairsBehind(Selection) iter.Seq[eval.Pair]
}

// Tagged is a pair and the figures that it stands behind.
type Tagged struct {
	Pair eval.Pair
	Path []string
	Tags []Which
}

// Tags are the pairs, or samples that are no run's, behind the figures of a row.
// A row that embeds them opens its figures by them.
type Tags []Tagged

// PairsBehind yields those that stand behind a figure under a prefix of the taxonomy.
func (all Tags) PairsBehind(s Selection) iter.Seq[eval.Pair] {
	return func(yield func(eval.Pair) bool) {
		for i := range all {
			if t := &all[i]; t.IsBehind(s.Which) && PathHasPrefix(t.Path, s.Level) && !yield(t.Pair) {
				return
			}
		}
	}
}

// KeysBehind are the predictions of the pairs' first runs. Samples that are no run's have run 0.
func (all Tags) KeysBehind(_ context.Context, _ Facts, s Selection) iter.Seq2[eval.Key, error] {
	return SelectKeys(all.PairsBehind(s), func(p eval.Pair) (eval.Key, bool) {
		return eval.Key{Run: p.First, Sample: p.Sample}, true
	})
}

// NoKeys is embedded in rows behind which there is no prediction.
type NoKeys struct{}

// KeysBehind yields nothing.
func (NoKeys) KeysBehind(context.Context, Facts, Selection) iter.Seq2[eval.Key, error] {
	return YieldKeys(nil)
}

// IsBehind reports whether the pair stands behind a figure.
func (t *Tagged) IsBehind(w Which) bool { return w == Every || w != "" && slices.Contains(t.Tags, w) }

// SelectKeys yields the keys of those of some things that are behind a figure: key
// tells which these are, with the prediction to look at.
func SelectKeys[T any](all iter.Seq[T], key func(T) (eval.Key, bool)) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		for t := range all {
			if k, ok := key(t); ok && !yield(k, nil) {
				return
			}
		}
	}
}

// YieldKeys yields keys that are known.
func YieldKeys(keys []eval.Key) iter.Seq2[eval.Key, error] {
	return SelectKeys(slices.Values(keys), func(k eval.Key) (eval.Key, bool) { return k, true })
}

// EachOrdinal are those of so many samples.
func EachOrdinal(n int) iter.Seq[eval.Ordinal] {
	return func(yield func(eval.Ordinal) bool) {
		for o := range eval.Ordinal(n) { //nolint:gosec // a number of samples
			if !yield(o) {
				return
			}
		}
	}
}

// SheetColumns are those of a head, in a table whose title says dataset and split.
var SheetColumns = table.ParseColumns("run:count model modality")

// SheetCells are the cells of SheetColumns.
func (h *Head) SheetCells() []table.Cell {
	all := h.Cells()
	return []table.Cell{all[0], all[3], all[4]}
}

// PlaceTitle gives what the title of a table says of its rows.
func (h *Head) PlaceTitle() string { return string(h.Dataset) + ", split " + h.Split }

// RunLabel names a row's run in a chart.
func (h *Head) RunLabel() string {
	out := h.ModelName() + " #" + strconv.Itoa(int(h.Run))
	if h.Modality != "" && h.Modality != eval.WithImage.String() {
		out += " (" + h.Modality + ")"
	}
	return out
}

// Head says which predictions a row is about.
type Head struct {
	Run       eval.RunID       `json:"run,omitzero"`
	Dataset   eval.DatasetName `json:"dataset"`
	Split     string           `json:"split"`
	Model     string           `json:"model" as:"named"`
	Modality  string           `json:"modality"`
	Shots     int              `json:"shots"`             // worked examples before a question
	Setting   string           `json:"setting,omitempty"` // in which it differs from another run of its model
	Synthetic bool             `json:"synthetic,omitempty"`
}

// NewHead gives the head of a row on a run's split.
func NewHead(r eval.Run, split string) Head {
	return Head{
		Run: r.ID, Dataset: r.Config.Dataset, Split: split, Model: r.Config.Model,
		Modality: r.Config.Modality.String(), Synthetic: r.Config.Synthetic, Shots: r.Config.Settings.Shots, Setting: r.Setting,
	}
}

// ModelName is the model's name, with the settings in which its runs differ, and
// with the word that its answers were made up.
func (h *Head) ModelName() string {
	name := h.Model
	if h.Setting != "" {
		name += " [" + h.Setting + "]"
	}
	return MarkSynthetic(name, h.Synthetic && !strings.Contains(h.Model, "(synthetic)")) // some names say it
}

// Named is a model in a row on one of its runs, or on repeats of it.
type Named struct {
	Model   string `json:"model" as:"named"`
	Setting string `json:"setting,omitempty"` // in which it differs from another run of the model
}

// NewNamed names the model of runs, and the setting that they have in common.
func NewNamed(runs ...eval.Run) Named {
	out := Named{runs[0].Config.Model, runs[0].Setting}
	if slices.ContainsFunc(runs, func(r eval.Run) bool { return r.Setting != out.Setting }) {
		out.Setting = ""
	}
	return out
}

// ModelName is the model's name, with the settings in which its runs differ.
func (n *Named) ModelName() string {
	h := Head{Model: n.Model, Setting: n.Setting}
	return h.ModelName()
}

// NameRun names a run by its model, with the settings in which that model's runs differ.
func NameRun(r eval.Run) string {
	n := NewNamed(r)
	return n.ModelName()
}

// Cells are those of HeadNames.
func (h *Head) Cells() []table.Cell {
	return []table.Cell{table.NewCount(int(h.Run)), table.NewText(string(h.Dataset)), table.NewText(h.Split), table.NewText(h.ModelName()), table.NewText(h.Modality)}
}

// HeadNames are the measures of a head in a Layout, and SheetNames those in a
// table whose title says dataset and split.
const (
	HeadNames  = "run dataset split model modality "
	SheetNames = "run model modality "
)
