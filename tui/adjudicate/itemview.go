package adjudicate

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// settling is the mode in which it is asked who was right: digits say so.
const settling = annotation.More

// itemView shows the items of a list to be adjudicated, one after the other.
type itemView struct {
	*annotation.QueueSession[page]
	deps   Deps
	table  action.Table
	top    int // first line shown of what scrolls
	turned int // which page of the options is shown, where they have pages
	layout layout
	said   *itemOpinions
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
	d := &itemView{deps: m.deps, layout: layout{space: m.theme.PaneSizeOf("desk")}, said: &itemOpinions{deps: m.deps, policy: m.diffs.all.Basis.Policy}}
	if x := m.diffs.currentExtractor(); x != nil {
		d.said.extractor = x.Name
	}
	indices := eval.Map(m.diffs.places, func(at int) int { return m.diffs.all.Items[at].Index })
	deps := d.deps.Deps
	deps.Items = pickedQueue{deps.Items, indices, d.deps.Claim}
	d.QueueSession = annotation.New(m.ctx, deps, annotation.ScreenHooks[page]{
		Lay: d.layOutPage, ImageSize: d.imageRoom, Moved: d.resetForNewItem,
		Fit:     func(int, *page) tea.Cmd { return nil },
		Press:   func(key string) action.Outcome { return d.table.PressKey(d.Mode, key) },
		Records: func(key string) bool { return d.table.RecordsOnKey(d.Mode, key) },
		Whole:   d.isResponseVisible,
		Said:    labeloption.ReadingText,
		Stuck:   map[action.Mode]string{settling: "say who was right; esc leaves that open"},
	})
	d.said.SessionState, d.table = d.SessionState, itemKeys{d}.actionTable()
	return d
}

// Update takes a message. Answers that were meant for another screen are not this one's.
func (d *itemView) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(shown); ok {
		if msg.of == d {
			d.showLoadedOthers(msg)
		}
		return nil
	}
	return d.QueueSession.Update(msg)
}

// resetForNewItem follows a change of the item in front.
func (d *itemView) resetForNewItem() tea.Cmd {
	d.top, d.turned, d.said.exhibit, d.said.whole = 0, 0, exhibit{}, false
	return d.loadOthersReadings()
}

// loadOthersReadings loads what everybody made of the item in front, where the adjudicator has answered it. The
// session refuses before, whatever the screen thinks.
func (d *itemView) loadOthersReadings() tea.Cmd {
	_, k, ok := d.Session.Walk.Current()
	if !ok {
		return nil
	}
	look, err := d.Session.RecordLookAtOthers(k)
	if err != nil {
		return nil
	}
	d.said.exhibit.asked = true
	ctx, deps := d.Context(), d.deps
	return annotation.StoreLookThenLoad(d.QueueSession, look, func() (Exhibit, error) {
		return deps.Source.LoadExhibit(ctx, deps.Annotator, k)
	}, func(what Exhibit, err error) tea.Msg { return shown{d, k, what, err} })
}

func (d *itemView) showLoadedOthers(msg shown) {
	if d.Session == nil {
		return
	}
	if _, k, ok := d.Session.Walk.Current(); ok && k == msg.key && d.Session.Own.HasAnswered(k) {
		d.said.exhibit = exhibit{asked: true, done: true, what: msg.what, err: msg.err}
		d.top = 0
	}
}

// ItemInFront is what the frame has in front: with what others said, once that is asked for.
func (d *itemView) ItemInFront() any {
	at := d.QueueSession.ItemInFront()
	if at == nil {
		return nil
	}
	return itemFront{at, d.said.exhibit.done}
}

type itemFront struct {
	item any
	told bool
}

// Bindings are what can be done now, the most important first.
func (d *itemView) Bindings() []key.Binding {
	return d.table.FooterBindings(d.Mode, d.Width, nil, d.updateBindingHelp)
}

// HelpGroups is the page of all keys.
func (d *itemView) HelpGroups() []widget.Group {
	return d.table.HelpGroups(annotation.Reading, d.updateBindingHelp, annotation.FullGroup, finals, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

// updateBindingHelp gives the choosing keys the range that the item in front has, and enter what it does to it.
func (d *itemView) updateBindingHelp(b key.Binding) key.Binding {
	pg := d.FrontBody()
	if d.Mode == settling && b.Help().Desc == asChoiceSays {
		if c, _ := d.said.causeByRuling(); c == annotate.CauseUnset {
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

const finals = "Adjudicate: what the response chose, and who was right"

// asChoiceSays is what enter says of who was right, where the choice tells.
const asChoiceSays = "as the choice says"

// itemKeys is what the keys of the item view do.
type itemKeys struct{ *itemView }

func (d itemKeys) actionTable() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		asked   = []action.Mode{settling}
		both    = []action.Mode{annotation.Reading, settling}
		at      = action.NewFooterKey
		bind    = widget.NewBinding
		on      = action.NewAction
		keys    = keymap.Adjudicate
	)
	final := func(foot action.Rank, name string, v annotate.ReadingKind) action.Action {
		return action.MarkRecording(on(finals, both, at(foot, keys.BindAction(name)), d.WhyNoItem,
			func(string) tea.Cmd { return d.adjudicateItem(annotate.Reading{Kind: v}) }))
	}
	shared := slices.Concat(d.NewItemActTable(keys), d.Gallery.NewLookTable(keys), d.NewMoveTable(keys))
	for i := range shared {
		if slices.Contains(shared[i].Modes, annotation.Reading) && !slices.Contains(shared[i].Bind.Keys(), " ") {
			shared[i].Modes = append(slices.Clone(shared[i].Modes), settling)
		}
	}
	return slices.Concat(action.Table{
		action.MarkRecording(on(finals, asked, at(action.First, bind("1-4", "who was right", "1", "2", "3", "4")), nil, d.chooseCause)),
		action.MarkRecording(on(finals, asked, at(action.First, keys.BindJoined(asChoiceSays, "next_unlabeled")), nil, d.acceptImpliedCause)),
		action.MarkRecording(on(finals, both, at(action.First, bind("A-Z", "adjudication", labeloption.OptionLetters()...)), d.WhyNoItem, d.chooseReading)),
		action.MarkRecording(on(finals, reading, at(action.Unranked, bind("1-9", "adjudication, by its place", strings.Split(labeloption.Digits, "")...)), d.WhyNoItem, d.chooseReading)),
		final(action.Second, "none", annotate.SaidNone),
		final(action.Fourth, "several", annotate.SaidAmbiguous),
		final(action.Fourth, "refused", annotate.SaidRefused),
		on(finals, reading, at(action.Second, keys.BindAction("who_was_right")), d.whyNoRuling, d.askWhoWasRight),
		on(annotation.ViewsGroup, both, at(action.Fifth, keys.BindAction("open")), d.WhyNoItem, d.toggleResponseFold),
		on(annotation.ViewsGroup, both, at(action.Fifth, widget.NewPaneSizeKeys()), d.WhyNoItem, d.toggleEnlarged),
	}, shared, annotation.NewScrollTable(keys, both, d.scrollPane))
}

// toggleResponseFold shows a long response whole, or folds it.
func (d itemKeys) toggleResponseFold(string) tea.Cmd {
	d.said.whole, d.top = !d.said.whole, 0
	return nil
}

func (d itemKeys) whyNoRuling() string {
	if why := d.WhyNoItem(); why != "" {
		return why
	}
	if _, ok := d.said.ownRuling(); !ok {
		return "say first what the answer chose"
	}
	return ""
}

func (d itemKeys) chooseReading(key string) tea.Cmd {
	at, ok := labeloption.FindByKey(d.FrontBody().choices, key)
	if !ok {
		d.Refusal = key + ": no option has this key"
		return nil
	}
	if d.turnToOption(d.FrontBody(), at) {
		return nil
	}
	return d.adjudicateItem(annotate.Reading{Kind: annotate.PickedOption, Choice: d.FrontBody().choices[at].Choice})
}

// adjudicateItem gives the adjudication, which is stored at once, and asks who was right. The first one of
// an item is blind: what everybody said comes with the question.
func (d *itemView) adjudicateItem(r annotate.Reading) tea.Cmd {
	cause := annotate.CauseUnset
	if old, ok := d.said.ownRuling(); ok && old.Reading.Kind == r.Kind && old.Reading.Choice == r.Choice {
		cause = old.Cause
	}
	stays, cmd := d.Work.AdjudicateItem(r, cause)
	switch {
	case cmd != nil:
		return cmd
	case !stays:
		return d.Work.ShowNextOpen("")
	}
	d.Mode = settling
	return d.loadOthersReadings()
}

func (d itemKeys) askWhoWasRight(string) tea.Cmd {
	d.Mode = settling
	return nil
}

// chooseCause says who was right and goes on.
func (d itemKeys) chooseCause(key string) tea.Cmd {
	cause := annotate.AllCauses()[slices.Index([]string{"1", "2", "3", "4"}, key)]
	if follows, known := d.said.causeByRuling(); known && cause != annotate.AmbiguousCause && cause != follows {
		d.Refusal = "the adjudication says otherwise: " + causeWord(follows)
		if follows == annotate.CauseUnset {
			d.Refusal = "people and extractor agree here: " + d.SpellKey("next_unlabeled") + " continues"
		}
		return nil
	}
	return d.storeCause(cause)
}

// acceptImpliedCause takes what the adjudication says of who was right.
func (d itemKeys) acceptImpliedCause(string) tea.Cmd {
	if !d.said.exhibit.done {
		d.Refusal = "what everybody said is being read"
		return nil
	}
	cause, _ := d.said.causeByRuling()
	return d.storeCause(cause)
}

func (d *itemView) storeCause(c annotate.Cause) tea.Cmd {
	r, ok := d.said.ownRuling()
	if !ok {
		return nil
	}
	if _, cmd := d.Work.AdjudicateItem(r.Reading, c); cmd != nil {
		return cmd
	}
	return d.Work.ShowNextOpen("")
}
