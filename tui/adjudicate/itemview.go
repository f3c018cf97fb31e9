package adjudicate

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// settling is the mode in which it is asked who was right: digits say so.
const settling = annotation.More

// itemView shows the items of a list to be adjudicated, one after the other.
type itemView struct {
	*annotation.QueueSession[page]
	deps   Deps
	table  annotation.Table[*itemView]
	top    int // first line shown of what scrolls
	turned int // which page of the options is shown, where they have pages
	layout layout
	said   *testimony
}

// exhibit is what everybody made of the item in front, once it may be shown.
type exhibit struct {
	asked, done bool
	what        Exhibit
	err         error
}

type shown struct {
	of   *itemView
	key  annotate.ItemKey
	what Exhibit
	err  error
}

func newItemView(m *Model) *itemView {
	d := &itemView{deps: m.deps, table: actions(), layout: layout{space: m.theme.Pane("desk")}, said: &testimony{deps: m.deps, policy: m.diffs.all.Basis.Policy}}
	if x := m.diffs.now(); x != nil {
		d.said.extractor = x.Name
	}
	indices := make([]int, len(m.diffs.places))
	for i, at := range m.diffs.places {
		indices[i] = m.diffs.all.Items[at].Index
	}
	d.QueueSession = annotation.New(m.ctx, annotation.Deps{
		Queue: d.deps.Queue, Annotator: d.deps.Annotator, Theme: d.deps.Theme, Items: picked{d.deps.Items, indices, d.deps.Claim},
		Pictures: d.deps.Pictures, Journal: d.deps.Journal, Now: d.deps.Now, Stay: d.deps.Stay,
	}, annotation.Part[page]{
		Lay: d.lay, ImageSize: d.room, Moved: d.moved,
		Fit:     func(int, *page) tea.Cmd { return nil },
		Press:   func(key string) annotation.Outcome { return d.table.Press(d, d.Mode, key) },
		Records: func(key string) bool { return d.table.Records(d.Mode, key) },
		Whole:   d.whole,
		Said:    labeloption.Word,
		Stuck:   map[annotation.Mode]string{settling: "say who was right; esc leaves that open"},
	})
	d.Begin(m.diffs.all.Items[m.diffs.places[m.diffs.at.At]].Key)
	d.said.State = d.State
	return d
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (d *itemView) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(shown); ok {
		if msg.of == d {
			d.unveil(msg)
		}
		return nil
	}
	return d.QueueSession.Update(msg)
}

// moved follows a change of the item in front.
func (d *itemView) moved() tea.Cmd {
	d.top, d.turned, d.said.exhibit = 0, 0, exhibit{}
	return d.confront()
}

// confront loads what everybody made of the item in front, where the
// adjudicator has answered it. The session refuses before, whatever the
// screen thinks.
func (d *itemView) confront() tea.Cmd {
	_, k, ok := d.Session.Walk.Current()
	if !ok {
		return nil
	}
	look, err := d.Session.Confront(k)
	if err != nil {
		return nil
	}
	d.said.exhibit.asked = true
	ctx, deps := d.Context(), d.deps
	return annotation.Show(d.QueueSession, look, func() (Exhibit, error) {
		return deps.Source.Exhibit(ctx, deps.Annotator, k)
	}, func(what Exhibit, err error) tea.Msg { return shown{d, k, what, err} })
}

func (d *itemView) unveil(msg shown) {
	if d.Session == nil {
		return
	}
	if _, k, ok := d.Session.Walk.Current(); ok && k == msg.key && d.Session.Own.Answered(k) {
		d.said.exhibit = exhibit{asked: true, done: true, what: msg.what, err: msg.err}
		d.top = 0
	}
}

// InFront is what the frame has in front: with what others said, once that is
// asked for.
func (d *itemView) InFront() any {
	at := d.QueueSession.InFront()
	if at == nil {
		return nil
	}
	return itemFront{at, d.said.exhibit.done}
}

type itemFront struct {
	item any
	told bool
}

// Keys are what can be done now, the most important first.
func (d *itemView) Keys() []key.Binding {
	return d.table.Footer(d, d.Mode, d.Width, func(_ key.Binding, r annotation.Rank) annotation.Rank { return r }, d.named)
}

// Help is the page of all keys.
func (d *itemView) Help() []widget.Group {
	return d.table.Help(d, d.named, finals, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

// named gives the choosing keys the range that the item in front has, and enter
// what it does to it.
func (d *itemView) named(b key.Binding) key.Binding {
	pg := d.Body()
	if d.Mode == settling && b.Help().Desc == asChoiceSays {
		if c, _ := d.said.follows(); c == annotate.CauseUnset {
			b.SetHelp(b.Help().Key, "continue")
		}
	}
	if len(b.Keys()) < 26 || pg == nil || len(pg.choices) == 0 {
		return b
	}
	first, last := pg.choices[0], pg.choices[len(pg.choices)-1]
	b.SetHelp(first.Letter+"-"+last.Letter, b.Help().Desc)
	return b
}
