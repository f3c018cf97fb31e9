package tui

import (
	"context"
	"reflect"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/home"
	"concord/tui/widget"
)

// Page is a screen that opens by a message of its own, over the first screen of
// a tab. Whoever builds the app lists the pages in Deps: the root knows none of
// them.
type Page struct {
	Message tea.Msg // the page opens by every message of this type; the palette sends this one
	Tab     Tab
	May     annotate.Permission // what it takes
	Whose   string              // who may, as others are told: "the owner"

	Key               key.Binding // on the screen of runs, where it is in the keymap as well; none: it has no key there
	Name, Words, Hint string      // in the palette: title, further words, what is there; Name "": it is not listed

	// New makes the screen. It reads nothing yet. ctx ends with the app.
	New func(ctx context.Context, v Opening) Screen
}

// Opening is by whom and by which message a page is opened, and what the app
// draws with.
type Opening struct {
	Message tea.Msg
	Who     annotate.Annotator // "": they gave no name yet
	Theme   *widget.Theme
	Now     func() time.Time
}

// pages opens pages, and knows the one that it opened last.
type pages struct {
	ctx    context.Context
	deps   *Deps
	nav    *navigation
	person *person
	last   Screen  // nil: none was opened
	by     tea.Msg // the message that opened it
}

// links are the pages that have a key on the screen of runs.
func (d *Deps) links() []home.Link {
	var out []home.Link
	for _, p := range d.Pages {
		if len(p.Key.Keys()) > 0 {
			out = append(out, home.Link{Key: p.Key, Open: p.Message})
		}
	}
	return out
}

// page is the one that opens by messages of a type; nil: none does.
func (d *Deps) page(like tea.Msg) *Page {
	for i := range d.Pages {
		if reflect.TypeOf(d.Pages[i].Message) == reflect.TypeOf(like) {
			return &d.Pages[i]
		}
	}
	return nil
}

// Update takes the message of a page, and reports whether it was one. A page
// that is seen is read again.
func (p *pages) Update(msg tea.Msg) (tea.Cmd, bool) {
	page := p.deps.page(msg)
	if page == nil {
		return nil, false
	}
	if !p.nav.can.allows(page.May) || !p.nav.can.has(page.Tab) {
		return notYours(page.Whose), true
	}
	p.nav.tab = page.Tab
	if p.last != nil && p.nav.top() == p.last && reflect.DeepEqual(p.by, msg) {
		return p.last.Refresh(), true
	}
	p.nav.unwind()
	p.last, p.by = page.New(p.ctx, Opening{Message: msg, Who: p.person.who, Theme: p.deps.Theme, Now: p.deps.Now}), msg
	return p.nav.push(p.last), true
}

// listed are the pages that the palette lists for the person.
func (p *pages) listed() []Page {
	var out []Page
	for _, page := range p.deps.Pages {
		if page.Name != "" && p.nav.can.allows(page.May) && p.nav.can.has(page.Tab) {
			out = append(out, page)
		}
	}
	return out
}
