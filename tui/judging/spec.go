package judging

import (
	"fmt"
	"slices"

	"concord/eval"
)

// inputs and orders are what the form offers, in its order.
var (
	inputs = [...]eval.Input{eval.SeesImage, eval.SeesCaption, eval.SeesDetections, eval.SeesBoth}
	orders = [...]string{"both", "shuffled"}
)

func inputNames() []string {
	out := make([]string, len(inputs))
	for i, in := range inputs {
		out[i] = in.String()
	}
	return out
}

// spec is the judging that the form stands for.
func (f *form) spec() Spec {
	s := Spec{
		Dataset: eval.DatasetName(f.dataset.Value()), Judge: f.judge.Value(), Criteria: f.criteria && f.off(fieldCriteria) == "",
		Input: inputs[f.input], Shuffled: orders[f.order] == "shuffled", Repeats: max(1, int(f.repeats.Value())),
		Concurrency: max(1, int(f.concurrency.Value())), Budget: f.budget.Value(),
	}
	if a, ok := f.modelChoice(f.anchor.Value()); ok {
		s.Anchor = a.Run
	}
	for _, name := range f.models {
		if m, ok := f.modelChoice(name); ok {
			s.Models = append(s.Models, m.Run)
		}
	}
	return s
}

// defaults fills the form in.
func (f *form) defaults() {
	for _, c := range f.choices.Datasets {
		if c.Why == "" {
			f.dataset.Choose(string(c.Name))
			break
		}
	}
	for _, c := range f.choices.Judges {
		if c.Why == "" {
			f.judge.Choose(c.Name)
			break
		}
	}
	f.repeats.Set(1)
	f.concurrency.Set(float64(max(1, f.choices.Defaults.Concurrency)))
	f.budget.Set(f.choices.Defaults.Budget)
}

// derive brings models and anchor up to date with the dataset: of another one
// than before, the anchor of its contests or else its oldest run, against all
// others.
func (f *form) derive() {
	d, ok := f.datasetChoice()
	if !ok {
		return
	}
	var names []string
	for _, m := range d.Models {
		names = append(names, m.Name)
	}
	f.model.SetNames(names)
	f.anchor.SetNames(names)
	if f.lastDataset == f.dataset.Value() {
		f.models = slices.DeleteFunc(f.models, func(n string) bool { return !slices.Contains(names, n) })
		return
	}
	f.lastDataset, f.models = f.dataset.Value(), nil
	for i, m := range d.Models {
		if m.Run == d.Anchor || d.Anchor == 0 && i == 0 {
			f.anchor.Choose(m.Name)
		}
	}
	anchor, _ := f.modelChoice(f.anchor.Value())
	taken := map[string]bool{anchor.Model: true}
	for _, m := range d.Models { // of several runs the oldest
		if !taken[m.Model] {
			f.models, taken[m.Model] = append(f.models, m.Name), true
			f.model.Choose(m.Name)
		}
	}
	f.criteria = d.Criteria > 0
	if f.unseen(f.input) != "" {
		f.input = 0
	}
}

func (f *form) datasetChoice() (DatasetChoice, bool) {
	i := slices.IndexFunc(f.choices.Datasets, func(c DatasetChoice) bool { return string(c.Name) == f.dataset.Value() })
	if i < 0 {
		return DatasetChoice{}, false
	}
	return f.choices.Datasets[i], true
}

func (f *form) modelChoice(name string) (ModelChoice, bool) {
	d, _ := f.datasetChoice()
	i := slices.IndexFunc(d.Models, func(c ModelChoice) bool { return c.Name == name })
	if i < 0 {
		return ModelChoice{}, false
	}
	return d.Models[i], true
}

func (f *form) judgeChoice() (JudgeChoice, bool) {
	i := slices.IndexFunc(f.choices.Judges, func(c JudgeChoice) bool { return c.Name == f.judge.Value() })
	if i < 0 {
		return JudgeChoice{}, false
	}
	return f.choices.Judges[i], true
}

// off says why a field means nothing now; "" when it means something.
func (f *form) off(at field) string {
	d, ok := f.datasetChoice()
	switch at {
	case fieldCriteria:
		if ok && d.Criteria == 0 {
			return f.m.Keyed("no sample has any: {b} writes some")
		}
	case fieldModels, fieldAnchor:
		if ok && d.Why != "" {
			return d.Why
		}
	case fieldDataset, fieldJudge, fieldInput, fieldOrder, fieldRepeats, fieldConcurrency, fieldBudget, fieldCount:
	}
	return ""
}

// unseen says why a judge cannot be shown that; "" when it can.
func (f *form) unseen(input int) string {
	d, _ := f.datasetChoice()
	caption, detections := "", ""
	switch {
	case d.Captions == 0:
		caption = "no picture has a caption: concord caption makes them, concord import captions takes them in"
	case d.Captioners > 1:
		caption = "several models made captions: concord judge votes --captions-by names one"
	}
	if d.Detections == 0 {
		detections = "no detected objects are held: concord import detections takes them in"
	}
	switch inputs[input] {
	case eval.SeesCaption:
		return caption
	case eval.SeesDetections:
		return detections
	case eval.SeesBoth:
		if caption != "" {
			return caption
		}
		return detections
	case eval.SeesImage, eval.InputUnset:
	}
	return ""
}

// whyNot says why the judging cannot be; "" when nothing speaks against it
// here.
func (f *form) whyNot() string {
	d, ok := f.datasetChoice()
	switch {
	case !ok:
		return "choose a dataset"
	case d.Why != "":
		return string(d.Name) + ": " + d.Why
	case len(f.models) == 0:
		return "no model is chosen: space takes one in"
	case slices.Contains(f.models, f.anchor.Value()):
		return f.anchor.Value() + " is the anchor: it is not compared with itself; space takes it out of the models"
	}
	anchor, _ := f.modelChoice(f.anchor.Value())
	seen := map[string]bool{anchor.Model: true}
	for _, name := range f.models {
		m, _ := f.modelChoice(name)
		if seen[m.Model] {
			return fmt.Sprintf("two runs of %s: compare one of them at a time", m.Model)
		}
		seen[m.Model] = true
	}
	if c, ok := f.judgeChoice(); !ok {
		return "choose a judge"
	} else if c.Why != "" {
		return c.Name + ": " + c.Why
	}
	return f.unseen(f.input)
}
