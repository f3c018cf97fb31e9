package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
	"concord/tui"
)

// NewPairs makes queues of pairs from the screen, by what queue create does.
type NewPairs struct {
	Project *project.Project
	Store   *store.Store
}

var _ tui.Pairer = NewPairs{}

// Fields are the datasets on which two models or more have answered.
func (p NewPairs) Fields(context.Context) ([]tui.Field, error) {
	all, err := p.Store.Datasets().List()
	if err != nil {
		return nil, err
	}
	var out []tui.Field
	for i := range all {
		on, err := facts.NewRunSet(p.Store, all[i].Name, nil)
		switch {
		case errors.Is(err, eval.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		}
		if models := on.Models(); len(models) > 1 {
			f := tui.Field{Dataset: all[i].Name}
			for _, c := range contenders(on) {
				f.Models = append(f.Models, c.name)
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// contender is a run as the form names it: by its model, and by its number
// where the model has several.
type contender struct {
	name    string
	run     eval.Run
	several bool
}

func contenders(on *facts.RunSet) []contender {
	runs := make(map[string]int)
	for _, r := range on.Runs {
		runs[r.Config.Model]++
	}
	var out []contender
	for _, r := range on.Runs {
		c := contender{name: r.Config.Model, run: r, several: runs[r.Config.Model] > 1}
		if c.several {
			c.name += fmt.Sprintf(" (run %d)", r.ID)
		}
		out = append(out, c)
	}
	return out
}

// seat has the flags name the runs that the form took in.
func seat(f *draw.Options, on *facts.RunSet, o tui.PairOrder) error {
	all := contenders(on)
	taken := make(map[string]bool)
	take := func(name string) (string, error) {
		i := slices.IndexFunc(all, func(c contender) bool { return c.name == name })
		if i < 0 {
			return name, nil // on.run says what there is
		}
		model := all[i].run.Config.Model
		if taken[model] {
			return "", fmt.Errorf("two runs of %s are taken: a queue compares different models", model)
		}
		taken[model] = true
		if all[i].several {
			f.Runs = append(f.Runs, uint(all[i].run.ID))
		}
		return model, nil
	}
	var err error
	if o.Anchor != "" {
		if f.Anchor, err = take(o.Anchor); err != nil {
			return err
		}
	}
	for _, name := range o.Models {
		if name == o.Anchor {
			continue
		}
		model, err := take(name)
		if err != nil {
			return err
		}
		f.Models = append(f.Models, model)
	}
	if i := slices.IndexFunc(all, func(c contender) bool { return c.several }); len(o.Models) == 0 && i >= 0 {
		return fmt.Errorf("%s has several runs: take in the models to compare, and one run of each", all[i].run.Config.Model)
	}
	return nil
}

// MakePairs draws a queue; what the command would print is said.
func (p NewPairs) MakePairs(ctx context.Context, o tui.PairOrder) (string, error) {
	f := draw.Options{
		Dataset: string(o.Dataset), From: "pairs", Sample: o.Sample, Per: o.Per, By: string(o.By),
		Overlap: o.Overlap, Seed: 1, Criteria: o.Criteria,
	}
	on, err := facts.NewRunSet(p.Store, o.Dataset, nil)
	if err != nil {
		return "", err
	}
	if err := seat(&f, on, o); err != nil {
		return "", err
	}
	q, err := f.Queue(string(o.Name), p.Project.Now(), cli.ReadFile)
	if err != nil {
		return "", err
	}
	var said, warned bytes.Buffer
	quiet := *p.Project
	quiet.JSON, quiet.Out, quiet.Err = false, &said, &warned
	if err := draw.CreatePairs(ctx, &quiet, p.Store, q, &f); err != nil {
		return "", err
	}
	out, _, _ := strings.Cut(said.String(), ". Vote on them with")
	if w := strings.TrimSpace(strings.TrimPrefix(warned.String(), "concord: ")); w != "" {
		out += "; " + w
	}
	return strings.TrimSpace(out), nil
}
