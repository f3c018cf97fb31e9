package quality

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// InspectOptions say which runs make an inspection. Of Options the dataset and
// how answers are read count, and Runs, which inspect by their numbers.
type InspectOptions struct {
	report.Options
	Name     string
	Models   []string // that inspect, each by its one run without the picture
	Sighted  []string // models or numbers of runs with the picture, which grade
	Settings curation.Settings
	By       annotate.Annotator
}

// RunInspection makes an inspection of runs that are there (MMStar, Sec. 4.1): those without the picture
// inspect the dataset, and those with it grade what the coarse filter leaves. Each is decided under its own
// strategy. A run that has not decided what it is asked for is refused with what it lacks.
func RunInspection(ctx context.Context, facts report.Facts, o InspectOptions) (curation.Inspection, error) {
	in := curation.Inspection{Name: o.Name, Dataset: o.Dataset, Settings: o.Settings, By: o.By}
	if err := o.Settings.Validate(); err != nil {
		return in, err
	}
	inspectors, graders, err := o.chooseRuns(facts)
	if err != nil {
		return in, err
	}
	m, err := report.NewProgress(facts, slices.Concat(inspectors, graders), o.Progress)
	if err != nil {
		return in, err
	}
	i := inspectionBuilder{facts: facts, o: &o, meter: m, in: &in}
	for _, run := range inspectors {
		if err := i.addInspector(ctx, run); err != nil {
			return in, fmt.Errorf("inspect by run %d: %w", run.ID, err)
		}
	}
	for _, run := range graders {
		if err := i.addGrader(ctx, run); err != nil {
			return in, fmt.Errorf("grade by run %d: %w", run.ID, err)
		}
	}
	m.FinishProgress()
	return in, nil
}

func (o *InspectOptions) chooseRuns(facts report.Facts) (inspectors, graders []eval.Run, err error) {
	all, err := facts.Runs()
	if err != nil {
		return nil, nil, fmt.Errorf("list runs: %w", err)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(r eval.Run) bool { return r.Config.Dataset != o.Dataset })
	for _, name := range o.Models {
		r, err := findOnlyRun(all, name, report.SeesNoImages, "without the image (ask one with --modality text, or import predictions with --modality text)")
		if err != nil {
			return nil, nil, err
		}
		inspectors = append(inspectors, r)
	}
	for _, id := range o.Runs {
		r, err := findRunByNumber(all, id, o.Dataset)
		if err != nil {
			return nil, nil, err
		}
		inspectors = append(inspectors, r)
	}
	for _, name := range o.Sighted {
		r, err := findOnlyRun(all, name, seesImages, "with the image")
		if n, nerr := strconv.ParseUint(name, 10, 64); err != nil && nerr == nil && !slices.ContainsFunc(all, func(r eval.Run) bool { return r.Config.Model == name }) {
			r, err = findRunByNumber(all, eval.RunID(n), o.Dataset)
		}
		if err != nil {
			return nil, nil, err
		}
		graders = append(graders, r)
	}
	return inspectors, graders, checkRunsSuit(inspectors, graders)
}

func seesImages(r *eval.Run) bool { return r.Config.Modality == eval.WithImage }

func findOnlyRun(runs []eval.Run, model string, serves func(*eval.Run) bool, need string) (eval.Run, error) {
	fit := slices.DeleteFunc(slices.Clone(runs), func(r eval.Run) bool { return r.Config.Model != model || !serves(&r) })
	switch len(fit) {
	case 0:
		return eval.Run{}, fmt.Errorf("find a run of %s %s: %w", model, need, eval.ErrNotFound)
	case 1:
		return fit[0], nil
	}
	return eval.Run{}, fmt.Errorf("choose a run of %s: there are %s: name one by its number", model, report.DescribeRuns(fit))
}

func findRunByNumber(runs []eval.Run, id eval.RunID, on eval.DatasetName) (eval.Run, error) {
	r, ok := eval.FirstWanted(runs, func(r eval.Run) bool { return r.ID == id })
	if !ok {
		return r, fmt.Errorf("find run %d on dataset %s: %w", id, on, eval.ErrNotFound)
	}
	return r, nil
}

// checkRunsSuit refuses runs that cannot stand where they are named.
func checkRunsSuit(inspectors, graders []eval.Run) error {
	if len(inspectors) == 0 {
		return fmt.Errorf("find runs that inspect: %w", eval.ErrNotFound)
	}
	seen := make(map[eval.RunID]bool)
	for i, r := range slices.Concat(inspectors, graders) {
		switch grades := i >= len(inspectors); {
		case seen[r.ID]:
			return fmt.Errorf("use run %d twice: each run has one say", r.ID)
		case !grades && !report.SeesNoImages(&r):
			return fmt.Errorf("inspect by run %d (%s): it was shown the images; a text-only probe model is a run with --modality text, base or grey", r.ID, r.Config.Model)
		case grades && !seesImages(&r):
			return fmt.Errorf("grade by run %d (%s, %s): it was not shown the images", r.ID, r.Config.Model, r.Config.Modality)
		}
		seen[r.ID] = true
	}
	return nil
}

// inspectionBuilder puts an inspection together, run by run.
type inspectionBuilder struct {
	facts report.Facts
	o     *InspectOptions
	meter *report.Progress
	in    *curation.Inspection
}

// addInspector lets a run without the picture say what it makes of every sample.
// What has no ground truth nobody can decide, and no run lacks.
func (i *inspectionBuilder) addInspector(ctx context.Context, run eval.Run) error {
	lacks := report.Shortage{}
	first := len(i.in.Marks) == 0
	d, err := i.decideRun(ctx, run, func(s *eval.Sample, v metric.QuestionState) {
		if first {
			i.in.Marks = append(i.in.Marks, curation.HitMark{Sample: s.Ordinal})
		}
		lacks.CountUndecided(s, v, true)
	})
	if err != nil {
		return err
	}
	if err := lacks.ToError(run, len(i.in.Marks), "samples of "+string(run.Config.Dataset)); err != nil {
		return err
	}
	for n := range i.in.Marks {
		countMark(&i.in.Marks[n].Blind, d.Marks.At(i.in.Marks[n].Sample))
	}
	i.in.Probes = append(i.in.Probes, newInspector(run, d))
	return nil
}

// addGrader lets a run with the picture say what it makes of the samples that the
// coarse filter keeps; what it says of others is kept as well.
func (i *inspectionBuilder) addGrader(ctx context.Context, run eval.Run) error {
	kept := make(map[eval.Ordinal]bool)
	for _, m := range i.in.Marks {
		if f := i.in.DeriveFinding(curation.HitMark{Sample: m.Sample, Blind: m.Blind}); f.Fate == curation.Kept {
			kept[m.Sample] = true
		}
	}
	lacks := report.Shortage{}
	d, err := i.decideRun(ctx, run, func(s *eval.Sample, v metric.QuestionState) { lacks.CountUndecided(s, v, kept[s.Ordinal]) })
	if err != nil {
		return err
	}
	if err := lacks.ToError(run, len(kept), "samples that the coarse filter keeps"); err != nil {
		return err
	}
	for n := range i.in.Marks {
		countMark(&i.in.Marks[n].Sighted, d.Marks.At(i.in.Marks[n].Sample))
	}
	i.in.Graders = append(i.in.Graders, newInspector(run, d))
	return nil
}

func (i *inspectionBuilder) decideRun(ctx context.Context, run eval.Run, tell func(*eval.Sample, metric.QuestionState)) (*report.Decided, error) {
	return report.DecideRun(ctx, i.facts, run, &i.o.Options, run.Config.Strategy, i.meter, tell)
}

func newInspector(run eval.Run, d *report.Decided) curation.Inspector {
	return curation.Inspector{Run: run.ID, Model: run.Config.Model, Rules: d.Rules, Judge: d.Judge}
}

func countMark(c *stat.Count, m metric.Mark) {
	if m != metric.MarkUnset {
		c.Add(m == metric.MarkRight)
	}
}
