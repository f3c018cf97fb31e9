package models

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/eval"
)

// Options say what is compared. The zero value is every two runs of the same
// settings.
type Options struct {
	Runs report.Options // which runs, and how they are read
	// First and Second name a side: a model, or a run by its number. Second alone
	// is not given; First alone is set against all others of its settings.
	First, Second string
	Rules         map[eval.RunID]string // rule sets of single runs; else Runs.Rules
	Depth         int                   // a row for each category so deep in the taxonomy too; 0: none
	Detect        float64               // a difference, as a share, of which the needed n is asked; 0: none
}

// ErrSame says that both sides are the same runs.
var ErrSame = errors.New("both sides are the same")

func (o *Options) seed() uint64 { return cmp.Or(o.Runs.Seed, 1) }

// side is the runs of one model under the same settings: one, or repeats.
type side struct {
	runs []eval.Run
}

// model is the model that the side is of.
func (s *side) model() string { return s.runs[0].Config.Model }

// numbers are the runs' numbers.
func (s *side) numbers() []eval.RunID {
	var out []eval.RunID
	for i := range s.runs {
		out = append(out, s.runs[i].ID)
	}
	return out
}

// named says which side it is, to somebody who has to tell it from others.
func (s *side) named() string {
	var numbers []string
	for _, n := range s.numbers() {
		numbers = append(numbers, fmt.Sprint(n))
	}
	word := "run "
	if len(numbers) > 1 {
		word = "runs "
	}
	return s.model() + " (" + word + strings.Join(numbers, ", ") + ")"
}

// settings is what two runs have to share to be compared without being named:
// the questions, what the model is given, and how it is asked.
type settings struct {
	dataset  eval.DatasetName
	modality eval.Modality
	strategy eval.Strategy
	shots    int
	language string
	edge     int
	prompts  string
}

func settingsOf(r *eval.Run) settings {
	c := &r.Config
	out := settings{
		dataset: c.Dataset, modality: c.Modality, strategy: c.Strategy,
		shots: c.Settings.Shots, language: c.Settings.Language, edge: c.Settings.Edge,
	}
	for _, p := range c.Settings.Prompts {
		out.prompts += p.Name + " " + p.Language + " " + p.Hash + "\n"
	}
	return out
}

// sidesOf puts the runs of one model under the same settings together. A run
// that is named by its number, or read by rules of its own, stands alone.
func (o *Options) sidesOf(runs []eval.Run) map[settings][]*side {
	type place struct {
		settings
		model, params, endpoint string
		alone                   eval.RunID
	}
	out, at := make(map[settings][]*side), make(map[place]*side)
	for _, r := range runs {
		p := place{settings: settingsOf(&r), model: r.Config.Model, params: r.Config.Settings.Params, endpoint: r.Config.Settings.Endpoint}
		if _, own := o.Rules[r.ID]; own || slices.Contains(o.Runs.Runs, r.ID) || r.Config.Origin == eval.Imported {
			p.alone = r.ID
		}
		s := at[p]
		if s == nil {
			s = &side{}
			at[p] = s
			out[p.settings] = append(out[p.settings], s)
		}
		s.runs = append(s.runs, r)
	}
	return out
}

// names reports whether a side may be the first: First is it, or not given.
func (o *Options) names(s *side) bool {
	return o.First == "" || s.model() == o.First || slices.ContainsFunc(s.numbers(), func(n eval.RunID) bool {
		return strings.TrimPrefix(o.First, "#") == fmt.Sprint(n)
	})
}

// find is the side that a name means.
func (o *Options) find(runs []eval.Run, name string) (*side, error) {
	if n, err := strconv.ParseUint(strings.TrimPrefix(name, "#"), 10, 32); err == nil {
		for _, r := range runs {
			if uint64(r.ID) == n {
				return &side{[]eval.Run{r}}, nil
			}
		}
	}
	var fit []eval.Run
	for _, r := range runs {
		if r.Config.Model == name {
			fit = append(fit, r)
		}
	}
	if len(fit) == 0 {
		return nil, fmt.Errorf("find a run of %q: %w", name, eval.ErrNotFound)
	}
	var sides []*side
	for _, group := range o.sidesOf(fit) {
		sides = append(sides, group...)
	}
	if len(sides) > 1 {
		return nil, fmt.Errorf("%q has several runs that differ; name one by its number: %s", name, report.Described(fit))
	}
	return sides[0], nil
}
