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

// Inspect makes an inspection of runs that are there (MMStar, Sec. 4.1): those
// without the picture inspect the dataset, and those with it grade what the
// coarse filter leaves. Each is decided under its own strategy. A run that has
// not decided what it is asked for is refused with what it lacks.
func Inspect(ctx context.Context, facts report.Facts, o InspectOptions) (curation.Inspection, error) {
	in := curation.Inspection{Name: o.Name, Dataset: o.Dataset, Settings: o.Settings, By: o.By}
	if err := o.Settings.Check(); err != nil {
		return in, err
	}
	inspectors, graders, err := o.choose(facts)
	if err != nil {
		return in, err
	}
	m, err := report.NewProgress(facts, slices.Concat(inspectors, graders), o.Progress)
	if err != nil {
		return in, err
	}
	i := inspecting{facts: facts, o: &o, meter: m, in: &in}
	for _, run := range inspectors {
		if err := i.inspect(ctx, run); err != nil {
			return in, fmt.Errorf("inspect by run %d: %w", run.ID, err)
		}
	}
	for _, run := range graders {
		if err := i.grade(ctx, run); err != nil {
			return in, fmt.Errorf("grade by run %d: %w", run.ID, err)
		}
	}
	m.End()
	return in, nil
}

// choose finds the runs that are named.
func (o *InspectOptions) choose(facts report.Facts) (inspectors, graders []eval.Run, err error) {
	all, err := facts.Runs()
	if err != nil {
		return nil, nil, fmt.Errorf("list runs: %w", err)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(r eval.Run) bool { return r.Config.Dataset != o.Dataset })
	for _, name := range o.Models {
		r, err := oneOf(all, name, report.Blind, "without the image (ask one with --modality text, or import predictions with --modality text)")
		if err != nil {
			return nil, nil, err
		}
		inspectors = append(inspectors, r)
	}
	for _, id := range o.Runs {
		r, err := numbered(all, id, o.Dataset)
		if err != nil {
			return nil, nil, err
		}
		inspectors = append(inspectors, r)
	}
	for _, name := range o.Sighted {
		r, err := oneOf(all, name, sighted, "with the image")
		if n, nerr := strconv.ParseUint(name, 10, 64); err != nil && nerr == nil && !hasModel(all, name) {
			r, err = numbered(all, eval.RunID(n), o.Dataset)
		}
		if err != nil {
			return nil, nil, err
		}
		graders = append(graders, r)
	}
	return inspectors, graders, suited(inspectors, graders)
}

// sighted reports a run that sees the pictures.
func sighted(r *eval.Run) bool { return r.Config.Modality == eval.WithImage }

func hasModel(runs []eval.Run, model string) bool {
	return slices.ContainsFunc(runs, func(r eval.Run) bool { return r.Config.Model == model })
}

// oneOf is the one run of a model that serves.
func oneOf(runs []eval.Run, model string, serves func(*eval.Run) bool, need string) (eval.Run, error) {
	var fit []eval.Run
	for _, r := range runs {
		if r.Config.Model == model && serves(&r) {
			fit = append(fit, r)
		}
	}
	switch len(fit) {
	case 0:
		return eval.Run{}, fmt.Errorf("find a run of %s %s: %w", model, need, eval.ErrNotFound)
	case 1:
		return fit[0], nil
	}
	return eval.Run{}, fmt.Errorf("choose a run of %s: there are %s: name one by its number", model, report.Described(fit))
}

func numbered(runs []eval.Run, id eval.RunID, on eval.DatasetName) (eval.Run, error) {
	for _, r := range runs {
		if r.ID == id {
			return r, nil
		}
	}
	return eval.Run{}, fmt.Errorf("find run %d on dataset %s: %w", id, on, eval.ErrNotFound)
}

// suited refuses runs that cannot stand where they are named.
func suited(inspectors, graders []eval.Run) error {
	if len(inspectors) == 0 {
		return fmt.Errorf("find runs that inspect: %w", eval.ErrNotFound)
	}
	seen := make(map[eval.RunID]bool)
	for i, r := range slices.Concat(inspectors, graders) {
		switch grades := i >= len(inspectors); {
		case seen[r.ID]:
			return fmt.Errorf("use run %d twice: each run has one say", r.ID)
		case !grades && !report.Blind(&r):
			return fmt.Errorf("inspect by run %d (%s): it was shown the images; a text-only probe model is a run with --modality text, base or grey", r.ID, r.Config.Model)
		case grades && !sighted(&r):
			return fmt.Errorf("grade by run %d (%s, %s): it was not shown the images", r.ID, r.Config.Model, r.Config.Modality)
		}
		seen[r.ID] = true
	}
	return nil
}

// inspecting puts an inspection together, run by run.
type inspecting struct {
	facts report.Facts
	o     *InspectOptions
	meter *report.Progress
	in    *curation.Inspection
}

// inspect lets a run without the picture say what it makes of every sample.
// What has no ground truth nobody can decide, and no run lacks.
func (i *inspecting) inspect(ctx context.Context, run eval.Run) error {
	lacks := report.Shortage{}
	first := len(i.in.Marks) == 0
	d, err := i.decide(ctx, run, func(s *eval.Sample, v metric.Verdict) {
		if first {
			i.in.Marks = append(i.in.Marks, curation.Mark{Sample: s.Ordinal})
		}
		lacks.Look(s, v, true)
	})
	if err != nil {
		return err
	}
	if err := lacks.Err(run, len(i.in.Marks), "samples of "+string(run.Config.Dataset)); err != nil {
		return err
	}
	for n := range i.in.Marks {
		add(&i.in.Marks[n].Blind, d.Marks.At(i.in.Marks[n].Sample))
	}
	i.in.Probes = append(i.in.Probes, inspector(run, d))
	return nil
}

// grade lets a run with the picture say what it makes of the samples that the
// coarse filter keeps; what it says of others is kept as well.
func (i *inspecting) grade(ctx context.Context, run eval.Run) error {
	kept := make(map[eval.Ordinal]bool)
	for _, m := range i.in.Marks {
		if f := i.in.Find(curation.Mark{Sample: m.Sample, Blind: m.Blind}); f.Fate == curation.Kept {
			kept[m.Sample] = true
		}
	}
	lacks := report.Shortage{}
	d, err := i.decide(ctx, run, func(s *eval.Sample, v metric.Verdict) { lacks.Look(s, v, kept[s.Ordinal]) })
	if err != nil {
		return err
	}
	if err := lacks.Err(run, len(kept), "samples that the coarse filter keeps"); err != nil {
		return err
	}
	for n := range i.in.Marks {
		add(&i.in.Marks[n].Sighted, d.Marks.At(i.in.Marks[n].Sample))
	}
	i.in.Graders = append(i.in.Graders, inspector(run, d))
	return nil
}

func (i *inspecting) decide(ctx context.Context, run eval.Run, tell func(*eval.Sample, metric.Verdict)) (*report.Decided, error) {
	return report.Decide(ctx, i.facts, run, &i.o.Options, run.Config.Strategy, i.meter, tell)
}

func inspector(run eval.Run, d *report.Decided) curation.Inspector {
	return curation.Inspector{Run: run.ID, Model: run.Config.Model, Rules: d.Rules, Judge: d.Judge}
}

func add(c *stat.Count, m metric.Mark) {
	if m != metric.MarkUnset {
		c.Add(m == metric.MarkRight)
	}
}
