package home

import (
	"fmt"
	"slices"

	"concord/eval"
	"concord/tui/action"
)

// strategies and given are what the form offers, in its order.
var (
	strategies = [...]eval.Strategy{eval.Vanilla, eval.Circular}
	given      = [...]eval.Modality{eval.WithImage, eval.TextOnly, eval.GreyImage, eval.BaseText}
)

func namesOf[T fmt.Stringer](all []T) []string {
	return eval.Map(all, T.String)
}

// currentSpec is the run that the form stands for. Fields that mean nothing in it are
// left out.
func (f *runForm) currentSpec() Spec {
	s := Spec{
		Dataset: eval.DatasetName(f.dataset.Value()), Model: f.model.Value(),
		Strategy: strategies[f.strategy], Modality: given[f.modality],
		Judges: slices.Clone(f.judges), Concurrency: max(1, int(f.concurrency.Value())), Budget: f.budget.Value(),
		New: f.fresh, Resume: f.resume,
	}
	s.AllPasses = f.allPasses && f.whyNoAllPasses() == ""
	s.Fallback = f.fallback && f.whyNoFallback() == ""
	if f.whyNoShots() == "" {
		s.Shots = int(f.shots.Value())
	}
	return s
}

// fillDefaults fills the form in.
func (f *runForm) fillDefaults() {
	d := f.choices.Defaults
	if d.Dataset == "" || !f.dataset.Choose(string(d.Dataset)) {
		for _, c := range f.choices.Datasets {
			if c.Why == "" {
				f.dataset.Choose(string(c.Name))
				break
			}
		}
	}
	if d.Model == "" || !f.model.Choose(d.Model) {
		for _, c := range f.choices.Models {
			if c.Why == "" {
				f.model.Choose(c.Name)
				break
			}
		}
	}
	f.chosen = d.Strategy != eval.StrategyUnset && d.Modality != eval.ModalityUnset
	f.strategy = max(0, slices.Index(strategies[:], d.Strategy))
	f.modality = max(0, slices.Index(given[:], d.Modality))
	f.allPasses, f.fallback = d.AllPasses, d.Fallback
	f.judges = slices.Clone(d.Judges)
	f.shots.Set(float64(d.Shots))
	f.concurrency.Set(float64(max(1, d.Concurrency)))
	f.budget.Set(d.Budget)
}

// deriveSettings chooses what suits the dataset, as long as nobody chose otherwise:
// CircularEval is for multiple choice with pictures (MMBench, Sec. 4.2).
func (f *runForm) deriveSettings() {
	c, ok := f.chosenDataset()
	if !ok || f.chosen || f.lastDataset == f.dataset.Value() {
		return
	}
	f.lastDataset = f.dataset.Value()
	f.modality = slices.Index(given[:], eval.WithImage)
	f.strategy = slices.Index(strategies[:], eval.Circular)
	if c.Pictures == 0 {
		f.modality = slices.Index(given[:], eval.TextOnly)
	}
	if c.Pictures == 0 || !hasChoice(c) {
		f.strategy = slices.Index(strategies[:], eval.Vanilla)
	}
}

func hasChoice(c DatasetChoice) bool {
	return len(c.Kinds) == 0 || slices.Contains(c.Kinds, eval.KindChoice)
}

func (f *runForm) chosenDataset() (DatasetChoice, bool) {
	return eval.First(f.choices.Datasets, func(c DatasetChoice) bool { return string(c.Name) == f.dataset.Value() })
}

func (f *runForm) findModelChoice(name string) (ModelChoice, bool) {
	return eval.First(f.choices.Models, func(c ModelChoice) bool { return c.Name == name })
}

// whyNoAllPasses, whyNoShots and whyNoFallback say why a field means nothing now; "" when it
// means something.
func (f *runForm) whyNoAllPasses() string {
	return action.WhyIf(strategies[f.strategy] != eval.Circular, "with circular only")
}

func (f *runForm) whyNoShots() string {
	if m := given[f.modality]; m != eval.TextOnly && m != eval.BaseText {
		return "with text or base only"
	}
	return ""
}

func (f *runForm) whyNoFallback() string {
	return action.WhyIf(len(f.judges) == 0, "with a judge only")
}

// whyNot says why the run cannot be; "" when nothing speaks against it here.
func (f *runForm) whyNot() string {
	d, ok := f.chosenDataset()
	switch {
	case !ok:
		return "choose a dataset"
	case d.Why != "":
		return string(d.Name) + ": " + d.Why
	case given[f.modality] == eval.WithImage && d.Pictures == 0:
		return string(d.Name) + " has no images: ask it with text, or base"
	case strategies[f.strategy] == eval.Circular && !hasChoice(d):
		return fmt.Sprintf("circular rotates options, and %s has none (%s): take vanilla", d.Name, formatKinds(d))
	}
	for _, name := range append([]string{f.model.Value()}, f.judges...) {
		if c, ok := f.findModelChoice(name); !ok {
			return name + " is not configured any more"
		} else if c.Why != "" {
			return name + ": " + c.Why
		}
	}
	return ""
}

// formatKinds gives the kinds of a dataset's samples in words.
func formatKinds(d DatasetChoice) string {
	return eval.List(d.Kinds, eval.Kind.String)
}
