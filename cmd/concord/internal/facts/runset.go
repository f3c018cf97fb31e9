package facts

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/store"
)

// RunSet is the runs on a dataset from which those to compare are picked.
type RunSet struct {
	Dataset eval.DatasetName
	Runs    []eval.Run
	asked   []uint // the runs that were named by number; empty: none was
}

// NewRunSet finds the runs on a dataset, or the named ones of them.
func NewRunSet(st *store.Store, d eval.DatasetName, asked []uint) (*RunSet, error) {
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	f := &RunSet{Dataset: d, asked: asked, Runs: eval.Select(all, func(r eval.Run) bool { return r.Config.Dataset == d })}
	for _, id := range asked {
		if !slices.ContainsFunc(f.Runs, func(r eval.Run) bool { return uint(r.ID) == id }) {
			return nil, eval.NewNotFoundError("dataset %s has no run %d", d, id)
		}
	}
	if len(f.Runs) == 0 {
		return nil, eval.NewNotFoundError("dataset %s has no answers to compare (see: concord import predictions --help)", d)
	}
	return f, nil
}

// ModelsToCompare are the models to compare where none is named: those of the runs asked for, else all.
func (f *RunSet) ModelsToCompare() []string {
	var out []string
	for _, r := range f.Runs {
		if len(f.asked) == 0 || slices.Contains(f.asked, uint(r.ID)) {
			out = eval.AppendUnique(out, r.Config.Model)
		}
	}
	return out
}

// FindRunOfModel finds the run of a model: the one that was asked for where it has several.
func (f *RunSet) FindRunOfModel(model string) (eval.Run, error) {
	found := eval.Select(f.Runs, func(r eval.Run) bool { return r.Config.Model == model })
	asked := slices.DeleteFunc(slices.Clone(found), func(r eval.Run) bool { return !slices.Contains(f.asked, uint(r.ID)) })
	if len(asked) > 0 {
		found = asked
	}
	switch len(found) {
	case 0:
		models := (&RunSet{Runs: f.Runs}).ModelsToCompare()
		return eval.Run{}, eval.NewNotFoundError("dataset %s has no run of model %s (models: %s)%s",
			f.Dataset, model, cli.JoinFirstNames(models), eval.DidYouMean(model, models))
	case 1:
		return found[0], nil
	}
	ids := eval.JoinList(found, func(r eval.Run) string { return fmt.Sprint(r.ID) })
	return eval.Run{}, cli.NewUsageError(fmt.Errorf("model %s has runs %s on dataset %s: name one with --run", model, ids, f.Dataset))
}

// FindJudgesAnchor finds the run that all comparisons of judges' votes on the dataset share: the older of
// two, unless it is a named model and the other is not. It is the zero run when there is none.
func (f *RunSet) FindJudgesAnchor(ctx context.Context, st *store.Store, named []string) (eval.Run, error) {
	contests, err := st.Votes().Comparisons(ctx)
	if err != nil {
		return eval.Run{}, err
	}
	var all []eval.Run
	some := false
	for _, c := range contests {
		if !slices.ContainsFunc(f.Runs, func(r eval.Run) bool { return r.ID == c.A }) {
			continue
		}
		if !some {
			all, some = slices.Clone(f.Runs), true
		}
		all = slices.DeleteFunc(all, func(r eval.Run) bool { return c.OtherRun(r.ID) == 0 })
	}
	r, ok := eval.FirstWanted(all, func(r eval.Run) bool { return !slices.Contains(named, r.Config.Model) })
	if !ok && len(all) > 0 {
		r = all[0]
	}
	return r, nil
}

// Contender is a run as forms name it: by its model, and by its number where the model has several.
type Contender struct {
	Name    string
	Run     eval.Run
	Several bool
}

// NameContenders names the runs on a dataset.
func NameContenders(runs []eval.Run) []Contender {
	of := make(map[string]int)
	for _, r := range runs {
		of[r.Config.Model]++
	}
	return eval.Map(runs, func(r eval.Run) Contender {
		c := Contender{Name: r.Config.Model, Run: r, Several: of[r.Config.Model] > 1}
		c.Name += eval.Either(c.Several, fmt.Sprintf(" (run %d)", r.ID), "")
		return c
	})
}

// NewNamedRunSet lists the runs on a dataset, or those of them that are named.
func NewNamedRunSet(st *store.Store, name eval.DatasetName, only []eval.RunID) (*RunSet, error) {
	if _, err := st.Datasets().Dataset(name); err != nil {
		return nil, err
	}
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	named := func(r eval.Run) bool {
		return r.Config.Dataset == name && (len(only) == 0 || slices.Contains(only, r.ID))
	}
	return &RunSet{Dataset: name, Runs: eval.Select(all, named)}, nil
}

// FindRunOrOnly finds the run of a model that a row names. Of several the row's number of a
// run, if there is one, says which.
func (f *RunSet) FindRunOrOnly(model string, number int) (eval.RunID, error) {
	matching := eval.Select(f.Runs, func(r eval.Run) bool { return model == "" || r.Config.Model == model })
	found := eval.Map(matching, func(r eval.Run) eval.RunID { return r.ID })
	ids := eval.JoinList(found, func(id eval.RunID) string { return fmt.Sprint(id) })
	switch {
	case len(found) == 1:
		return found[0], nil
	case slices.Contains(found, eval.RunID(number)):
		return eval.RunID(number), nil
	case len(found) == 0 && model != "":
		return 0, fmt.Errorf("dataset %s has no run of model %s", f.Dataset, model)
	case len(found) == 0:
		return 0, fmt.Errorf("dataset %s has no run", f.Dataset)
	case model == "":
		return 0, fmt.Errorf("the row names no model, and dataset %s has runs %s: add a column model or run", f.Dataset, ids)
	}
	return 0, fmt.Errorf("model %s has runs %s on dataset %s: say which in a column run", model, ids, f.Dataset)
}

// WhyUnfinished says why a run is not whole yet; "" for one that is.
func WhyUnfinished(st *store.Store, r eval.Run) (string, error) {
	if r.Config.Origin == eval.Imported {
		if r.Whole {
			return "", nil
		}
		return fmt.Sprintf("run %d (%s) was not imported to the end: the same import continues it", r.ID, r.Config.Model), nil
	}
	c, err := st.Runs().Counts(r.ID)
	if err != nil {
		return "", err
	}
	d, err := st.Datasets().Dataset(r.Config.Dataset)
	if err != nil || c.Questions >= d.Samples {
		return "", err
	}
	return fmt.Sprintf("run %d (%s) has answered %d of %d questions", r.ID, r.Config.Model, c.Questions, d.Samples), nil
}

// RunIDs are runs as flags name them, by number.
func RunIDs(numbers []uint) []eval.RunID {
	return eval.Map(numbers, func(n uint) eval.RunID { return eval.RunID(n) })
}

// MatchRuns finds the runs that pass the filters, and says what there is where none does.
func MatchRuns(st *store.Store, dataset, model string, ids []uint) ([]eval.Run, error) {
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, eval.NewNotFoundError("the project has no predictions yet (see: concord import predictions --help)")
	}
	var datasets, models []string
	var matched []eval.Run
	for _, r := range all {
		d, m := string(r.Config.Dataset), r.Config.Model
		if (dataset == "" || d == dataset) && (model == "" || m == model) && (len(ids) == 0 || slices.Contains(ids, uint(r.ID))) {
			matched = append(matched, r)
		}
		datasets, models = append(datasets, d), append(models, m)
	}
	if len(matched) > 0 {
		return matched, nil
	}
	names := func(list []string) string {
		slices.Sort(list)
		list = slices.Compact(list)
		if len(list) > 8 {
			list = append(list[:8], "...")
		}
		return strings.Join(list, ", ")
	}
	hint := eval.DidYouMean(dataset, datasets) + eval.DidYouMean(model, models)
	return nil, eval.NewNotFoundError("no run passes the filters (datasets with runs: %s; models: %s; runs 1 to %d)%s",
		names(datasets), names(models), all[len(all)-1].ID, hint)
}

// StoreReadingColumns has what the run's own rules read in it stand in columns, so that the first report finds
// it there. It is derived data: what fails is tried again by whoever reads it.
func StoreReadingColumns(ctx context.Context, st *store.Store, id eval.RunID) {
	run, err := st.Runs().Run(id)
	if err != nil {
		return
	}
	for _, err := range ReadQuestionsOfRun(ctx, st, run) {
		if err != nil {
			return
		}
	}
}

// ReadQuestionsOfRun yields the questions of a run as its own rules read them, without texts where those are known.
func ReadQuestionsOfRun(ctx context.Context, st *store.Store, run eval.Run) iter.Seq2[eval.Question, error] {
	reader, err := FindRulesOfRun(run)
	if err != nil {
		return st.Runs().Questions(ctx, run)
	}
	return st.Runs().Readings(ctx, run, reader)
}

// RecountOrKeptCounts are a run's totals as its rules read it by now, or as they were kept where
// it cannot be read: the rules are not known, or a record is damaged.
func RecountOrKeptCounts(ctx context.Context, st *store.Store, run eval.Run) (eval.Counts, error) {
	if reader, err := FindRulesOfRun(run); err == nil {
		if c, err := CountRunByRules(ctx, st, run, reader); err == nil {
			return c, nil
		}
	}
	return st.Runs().Counts(run.ID)
}

// CountRunByRules counts a run's totals as the reader reads them. Totals of another
// version of the rules are counted anew and kept.
func CountRunByRules(ctx context.Context, st *store.Store, run eval.Run, reader eval.Reader) (eval.Counts, error) {
	c, err := st.Runs().Counts(run.ID)
	if err != nil || c.Predictions == 0 || c.Reader == eval.ReaderID(reader) {
		return c, err
	}
	fresh := eval.Counts{Reader: eval.ReaderID(reader)}
	for q, err := range st.Judgments().JoinToQuestions(ctx, st.Runs().Readings(ctx, run, reader), run.ID) {
		if err != nil {
			return c, err
		}
		fresh.Add(eval.CountsOfQuestion(run.Config, &q, reader))
	}
	if err := st.Runs().SetCounts(ctx, run.ID, c, fresh); err != nil &&
		!errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrReadOnly) {
		return c, err
	}
	fresh.Usage = c.Usage // of failures that answers took the place of, too
	return fresh, nil
}
