package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/widget"
)

// formFields are the lines of the form as they stand.
func (f *runForm) formFields() []form.Field {
	budget := "cost at which it pauses"
	if f.budget.Value() == 0 {
		budget = "never pauses"
	}
	choose := func() { f.chosen = true }
	return []form.Field{
		{Label: "dataset", Pick: &f.dataset, Then: f.deriveSettings},
		{Label: "model", Pick: &f.model, Then: f.deriveSettings},
		{Label: "given", Names: namesOf(given[:]), At: &f.modality, Then: choose},
		{Label: "strategy", Names: namesOf(strategies[:]), At: &f.strategy, Then: choose},
		{Label: "all passes", On: &f.allPasses, Off: f.whyNoAllPasses(), Note: "after a wrong one, too"},
		{Label: "shots", Figure: &f.shots, Off: f.whyNoShots(), Note: "worked examples"},
		{Label: "judges", Pick: &f.judge, Taken: &f.judges},
		{Label: "fallback", On: &f.fallback, Off: f.whyNoFallback(), Note: "draw what no judge reads"},
		{Label: "concurrency", Figure: &f.concurrency, Note: "questions"},
		{Label: "budget", Figure: &f.budget, Note: budget},
	}
}

// handleKey takes a key.
func (f *runForm) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case f.isEmpty() && f.Phase != form.Starting && !key.Matches(msg, f.m.formKeys.Start):
		return pressEmpty(f, msg)
	case f.Phase == form.Differing && !f.isEmpty():
		return pressFork(f, msg)
	}
	return f.HandleKey(&f.m.formKeys, msg)
}

// exitKeys are what leads on from a form that has nothing to make a run of.
func exitKeys(f *runForm) []key.Binding {
	if !f.Loaded || f.choices.Trouble != "" {
		return nil
	}
	var out []key.Binding
	if len(f.choices.Models) == 0 {
		out = append(out, widget.NewBinding("m", "connect a model", "m"))
	}
	if len(f.choices.Datasets) == 0 && f.m.Import {
		out = append(out, widget.NewBinding("i", "import a file", "i"))
	}
	return out
}

// pressEmpty takes a key where nothing can be typed yet.
func pressEmpty(f *runForm, msg tea.KeyMsg) tea.Cmd {
	for _, b := range exitKeys(f) {
		switch {
		case !key.Matches(msg, b):
		case msg.String() == "m":
			return widget.SendCmd(OpenConnect{})
		default:
			f.m.closeForm()
			return widget.SendCmd(OpenImport{})
		}
	}
	return nil
}
