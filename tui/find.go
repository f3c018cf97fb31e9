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

// paletteFinder is the palette and what it offers.
type paletteFinder struct {
	ctx      context.Context
	theme    *widget.Theme
	nav      *screenStacks
	person   *currentPerson
	queues   home.Source
	source   Search // nil: it finds no samples and datasets
	commands []Command
	tabs     [tabCount]key.Binding
	reports  func() []string // the pages of the report
	pages    *pages
	palette  *palette.Model // nil: closed
}

// openPalette opens the palette over what is seen.
func (f *paletteFinder) openPalette() tea.Cmd {
	entries := append(f.listActions(), f.listPlaces()...)
	if !f.nav.can.isGuest() { // who came in has no shell here
		entries = append(entries, eval.Map(f.commands, func(c Command) palette.Entry {
			return palette.Entry{Kind: "shell", Title: c.Usage, Words: c.Short, Hint: c.Short, Do: wantShell{c}}
		})...)
	}
	var search palette.Search
	if f.mayFindSamples() {
		search = f.findSamples
	}
	f.palette = palette.New(f.ctx, f.theme, search, entries)
	return f.readProjectEntries(f.palette)
}

// mayFindSamples reports whether the person finds samples: behind the veil those are for
// whoever looks at more than the items of their queues.
func (f *paletteFinder) mayFindSamples() bool {
	return f.source != nil && f.nav.can.allows(annotate.MayFindSamples)
}

// unlisted are actions that nobody looks up: they are under the fingers.
var unlisted = []string{
	"up", "down", "left", "right", "top", "bottom", "page_up", "page_down", "palette", "quit", "back", "end_tour",
	"show_runs", "show_review", "show_report", "show_criteria",
} // tabs are among the places, as pages are

// listActions lists what keys do at this place.
func (f *paletteFinder) listActions() []palette.Entry {
	at := f.nav.keyPlace()
	bindings := eval.FlatMap(f.nav.topScreen().HelpGroups(), func(g widget.Group) []key.Binding { return g.Keys })
	bindings = append(bindings, f.nav.topScreen().Bindings()...)
	var out, anywhere []palette.Entry
	for _, r := range f.nav.keys.ListRows() {
		if r.Place != at && r.Place != keymap.Everywhere || slices.Contains(unlisted, r.Action.Name) || r.Action.Page {
			continue
		}
		switch {
		case r.Action.Name == "work_as" && f.nav.can.isGuest(): // they stay who they are
			continue
		case strings.HasSuffix(r.Action.Name, "_tab") && f.nav.nextTab(1) == f.nav.tab:
			continue
		}
		name := r.Action.Keys[0]
		e := palette.Entry{
			Kind: "do", Title: r.Action.Desc, Words: strings.ReplaceAll(r.Action.Name, "_", " "),
			Hint: f.nav.keys.FormatKeysOf(name, r.Place), Do: pressed{name},
		}
		if r.Place == keymap.Everywhere {
			anywhere = append(anywhere, e)
			continue
		}
		if b, ok := findBinding(bindings, &r.Action); ok {
			e.Off = !b.Enabled()
			if now, why := widget.DisabledReason(b); b.Keys()[0] == name {
				if !strings.Contains(e.Title, now) {
					e.Title += ": " + now
				}
				if why != "" {
					e.Title += " – " + why
				}
			}
		} else if f.nav.can.isGuest() && r.Action.Name != "copy_this" {
			continue // it is not for the role
		}
		out = append(out, e)
	}
	return append(out, anywhere...)
}

// findBinding finds a screen's binding of an action: of several with its key the one
// with its words, else the one that can be done now.
func findBinding(bindings []key.Binding, a *keymap.Action) (found key.Binding, ok bool) {
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

// listPlaces gives where one can go: tabs and the report's pages.
func (f *paletteFinder) listPlaces() []palette.Entry {
	var out []palette.Entry
	for t, name := range tabNames {
		if f.nav.can.hasTab(Tab(t)) {
			e := palette.Entry{Kind: "go", Title: name, Words: "tab screen", Do: wantTab{Tab(t)}}
			if keys := f.tabs[t].Keys(); len(keys) > 0 {
				e.Hint = f.nav.keys.FormatKeysOf(keys[0], keymap.Everywhere)
			}
			out = append(out, e)
		}
	}
	out = append(out, eval.Map(f.pages.listPages(), func(p Page) palette.Entry {
		return palette.Entry{Kind: "go", Title: p.Name, Words: p.Words, Hint: p.Hint, Do: p.Message}
	})...)
	if !f.nav.can.hasTab(TabReport) {
		return out
	}
	return append(out, eval.Map(f.reports(), func(p string) palette.Entry { return palette.Entry{Kind: "go", Title: "Report: " + p, Do: wantPage{p}} })...)
}

// readProjectEntries reads what the project holds.
func (f *paletteFinder) readProjectEntries(to *palette.Model) tea.Cmd {
	ctx, source, finder, who, role := f.ctx, f.queues, f.source, f.person.who, f.nav.can.effectiveRole()
	data := finder != nil && f.nav.can.hasTab(TabCriteria)
	return func() tea.Msg {
		out := offered{to: to}
		queues, qerr := source.Queues(ctx, who)
		for _, q := range queues {
			out.entries = append(out.entries, newQueueEntry(q), newGuidelineEntry(q, role.May(annotate.MayGuide)))
		}
		var all []home.Row
		var rerr error
		if role.May(annotate.MayRun) {
			all, rerr = source.Runs(ctx)
		}
		for _, r := range slices.Backward(all) { // the newest first
			out.entries = append(out.entries, newRunEntry(r))
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

func newQueueEntry(q home.Queue) palette.Entry {
	return palette.Entry{
		Kind: "queue", Title: string(q.Name), Words: string(q.Rule.Dataset) + " review label vote",
		Hint: q.Rule.From.DisplayName() + " of " + string(q.Rule.Dataset), Do: home.OpenQueue{Queue: q.Name},
	}
}

func newGuidelineEntry(q home.Queue, writes bool) palette.Entry {
	hint := eval.Either(writes, "read it, write the next version", "read it")
	return palette.Entry{
		Kind: "guide", Title: "Guideline of " + string(q.Name), Words: "write versions",
		Hint: hint, Do: annotation.OpenGuideline{Queue: q.Name},
	}
}

func newRunEntry(r home.Row) palette.Entry {
	c := &r.Run.Config
	title := c.Model + " on " + string(c.Dataset)
	return palette.Entry{
		Kind: "run", Title: title, Words: c.Strategy.String() + " " + c.Modality.String(),
		Hint: c.Strategy.String() + ", " + c.Modality.String(), Do: home.OpenSamples{Run: r.Run.ID, Title: title},
	}
}

func (f *paletteFinder) findSamples(ctx context.Context, text string) ([]palette.Entry, bool, error) {
	all, more, err := f.source.FindSamples(ctx, text, samplesShown)
	return eval.Map(all, func(s Found) palette.Entry {
		return palette.Entry{
			Kind: "sample", Title: string(s.ID) + "  " + s.Question, Hint: string(s.Dataset), Do: wantFound{s},
		}
	}), more, err
}

func (f *paletteFinder) closePalette() {
	if f.palette != nil {
		f.palette.Close()
		f.palette = nil
	}
}

func (f *paletteFinder) isOpen() bool { return f.palette != nil }

// handleKey takes a key while the palette is open, and gives what was chosen, if
// anything was: the palette is closed then.
func (f *paletteFinder) handleKey(msg tea.KeyMsg, back key.Binding) (chosen tea.Msg, cmd tea.Cmd) {
	if key.Matches(msg, back) {
		f.closePalette()
		return nil, nil
	}
	e, cmd := f.palette.HandleKey(msg)
	if e == nil || e.Do == nil {
		return nil, cmd
	}
	f.closePalette()
	return e.Do, nil
}

// Update takes what was read for the palette.
func (f *paletteFinder) Update(msg tea.Msg) tea.Cmd {
	if o, ok := msg.(offered); ok {
		if o.to == f.palette {
			f.palette.AddEntries(o.entries)
		}
		return nil
	}
	if f.palette == nil {
		return nil
	}
	return f.palette.Update(msg)
}
