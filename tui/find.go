package tui

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/home"
	"concord/tui/keymap"
	"concord/tui/palette"
	"concord/tui/widget"
)

// What choosing in the palette asks for.
type (
	pressed   struct{ key string } // a default key of the screen
	wantTab   struct{ tab Tab }
	wantPage  struct{ page string }
	wantTeam  struct{}
	wantData  struct{ dataset eval.DatasetName }
	wantFound struct{ sample Found }
	wantShell struct{ command Command }
	// offered is what was read for a palette.
	offered struct {
		to      *palette.Model
		entries []palette.Entry
	}
)

// samplesShown is how many samples the palette lists.
const samplesShown = 30

// openPalette opens the palette over what is seen.
func (m *Model) openPalette() tea.Cmd {
	entries := append(m.doings(), m.places()...)
	if !m.guest() { // who came in has no shell here
		for _, c := range m.deps.Commands {
			entries = append(entries, palette.Entry{Kind: "shell", Title: c.Usage, Words: c.Short, Hint: c.Short, Do: wantShell{c}})
		}
	}
	var search palette.Search
	if m.finds() {
		search = m.findSamples
	}
	m.palette = palette.New(m.ctx, m.theme, search, entries)
	return m.offer(m.palette)
}

// finds reports whether the person finds samples: behind the veil those are for
// whoever looks at more than the items of their queues.
func (m *Model) finds() bool {
	return m.deps.Finder != nil && m.may().May(annotate.MayFindSamples)
}

// unlisted are actions that nobody looks up: they are under the fingers.
var unlisted = []string{
	"up", "down", "left", "right", "top", "bottom", "page_up", "page_down", "palette", "quit", "back", "end_tour",
	"show_runs", "show_review", "show_report", "show_criteria", "people",
} // tabs and pages are among the places

// doings are what keys do at this place.
func (m *Model) doings() []palette.Entry {
	at := m.place()
	var bindings []key.Binding
	for _, g := range m.top().Help() {
		bindings = append(bindings, g.Keys...)
	}
	bindings = append(bindings, m.top().Keys()...)
	var out, anywhere []palette.Entry
	for _, r := range m.deps.Keys.Rows() {
		if r.Place != at && r.Place != keymap.Everywhere || slices.Contains(unlisted, r.Action.Name) {
			continue
		}
		switch {
		case r.Action.Name == "work_as" && m.guest(): // they stay who they are
			continue
		case strings.HasSuffix(r.Action.Name, "_tab") && m.beside(1) == m.tab:
			continue
		}
		name := r.Action.Keys[0]
		e := palette.Entry{
			Kind: "do", Title: r.Action.Desc, Words: strings.ReplaceAll(r.Action.Name, "_", " "),
			Hint: m.deps.Keys.Of(name, r.Place), Do: pressed{name},
		}
		if r.Place == keymap.Everywhere {
			anywhere = append(anywhere, e)
			continue
		}
		if b, ok := bound(bindings, &r.Action); ok {
			e.Off = !b.Enabled()
			if now, why := widget.Reason(b); b.Keys()[0] == name {
				if !strings.Contains(e.Title, now) {
					e.Title += ": " + now
				}
				if why != "" {
					e.Title += " – " + why
				}
			}
		} else if m.guest() && r.Action.Name != "copy_this" {
			continue // it is not for the role
		}
		out = append(out, e)
	}
	return append(out, anywhere...)
}

// bound is a screen's binding of an action: of several with its key the one
// with its words, else the one that can be done now.
func bound(bindings []key.Binding, a *keymap.Action) (found key.Binding, ok bool) {
	for _, b := range bindings {
		switch {
		case !slices.Contains(b.Keys(), a.Keys[0]):
		case b.Help().Desc == a.Desc:
			return b, true
		case !ok || !found.Enabled() && b.Enabled():
			found, ok = b, true
		}
	}
	return found, ok
}

// places are where one can go: tabs and the report's pages.
func (m *Model) places() []palette.Entry {
	var out []palette.Entry
	for t, name := range tabNames {
		if m.has(Tab(t)) {
			e := palette.Entry{Kind: "go", Title: name, Words: "tab screen", Do: wantTab{Tab(t)}}
			if keys := m.keys.tabs[t].Keys(); len(keys) > 0 {
				e.Hint = m.deps.Keys.Of(keys[0], keymap.Everywhere)
			}
			out = append(out, e)
		}
	}
	if m.hasTeam() {
		out = append(out, palette.Entry{Kind: "go", Title: "People", Words: "team roles keys sessions who is on", Hint: "who is on, and as what", Do: wantTeam{}})
	}
	if !m.has(TabReport) {
		return out
	}
	for _, p := range m.report.Pages() {
		out = append(out, palette.Entry{Kind: "go", Title: "Report: " + p, Do: wantPage{p}})
	}
	return out
}

// offer reads what the project holds.
func (m *Model) offer(to *palette.Model) tea.Cmd {
	ctx, source, finder, who, role := m.ctx, m.deps.Runs, m.deps.Finder, m.who, m.may()
	data := finder != nil && m.has(TabCriteria)
	return func() tea.Msg {
		out := offered{to: to}
		queues, qerr := source.Queues(ctx, who)
		for _, q := range queues {
			out.entries = append(out.entries, queueEntry(q), guidelineEntry(q, role.May(annotate.MayGuide)))
		}
		var all []home.Row
		var rerr error
		if role.May(annotate.MayRun) {
			all, rerr = source.Runs(ctx)
		}
		for _, r := range slices.Backward(all) { // the newest first
			out.entries = append(out.entries, runEntry(r))
		}
		var derr error
		if data {
			var names []eval.DatasetName
			names, derr = finder.Datasets(ctx)
			for _, d := range names {
				out.entries = append(out.entries, palette.Entry{Kind: "dataset", Title: string(d), Words: "samples criteria", Hint: "its samples", Do: wantData{d}})
			}
		}
		for _, err := range []error{qerr, rerr, derr} {
			if err != nil && ctx.Err() == nil {
				out.entries = append(out.entries, palette.Entry{Kind: "error", Title: err.Error(), Off: true})
			}
		}
		return out
	}
}

func queueEntry(q home.Queue) palette.Entry {
	return palette.Entry{
		Kind: "queue", Title: string(q.Name), Words: string(q.Rule.Dataset) + " review label vote",
		Hint: q.Rule.From.String() + " of " + string(q.Rule.Dataset), Do: home.OpenQueue{Queue: q.Name},
	}
}

func guidelineEntry(q home.Queue, writes bool) palette.Entry {
	hint := "read it"
	if writes {
		hint = "read it, write the next version"
	}
	return palette.Entry{
		Kind: "guide", Title: "Guideline of " + string(q.Name), Words: "write versions",
		Hint: hint, Do: annotation.OpenGuideline{Queue: q.Name},
	}
}

func runEntry(r home.Row) palette.Entry {
	c := &r.Run.Config
	title := c.Model + " on " + string(c.Dataset)
	return palette.Entry{
		Kind: "run", Title: title, Words: c.Strategy.String() + " " + c.Modality.String(),
		Hint: c.Strategy.String() + ", " + c.Modality.String(), Do: home.OpenSamples{Run: r.Run.ID, Title: title},
	}
}

func (m *Model) findSamples(ctx context.Context, text string) ([]palette.Entry, bool, error) {
	all, more, err := m.deps.Finder.Samples(ctx, text, samplesShown)
	out := make([]palette.Entry, len(all))
	for i, s := range all {
		out[i] = palette.Entry{
			Kind: "sample", Title: string(s.ID) + "  " + s.Question, Hint: string(s.Dataset), Do: wantFound{s},
		}
	}
	return out, more, err
}

func (m *Model) closePalette() {
	if m.palette != nil {
		m.palette.Close()
		m.palette = nil
	}
}
