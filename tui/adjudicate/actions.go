package adjudicate

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

const finals = "Adjudicate: what the response chose, and who was right"

// letters are the keys of the options; digits mean the causes while it is
// asked who was right.
func letters() []string {
	var out []string
	for c := 'A'; c <= 'Z'; c++ {
		out = append(out, string(c))
	}
	return out
}

// asChoiceSays is what enter says of who was right, where the choice tells.
const asChoiceSays = "as the choice says"

// actions is the table of all keys of the item view.
func actions() annotation.Table[*itemView] {
	var (
		reading  = []annotation.Mode{annotation.Reading}
		asked    = []annotation.Mode{settling}
		both     = []annotation.Mode{annotation.Reading, settling}
		on       = annotation.On[*itemView]
		at, bind = annotation.At, widget.Bind
	)
	final := func(v annotate.Verdict) func(*itemView, string) tea.Cmd {
		return func(d *itemView, _ string) tea.Cmd { return d.settle(annotate.Reading{Verdict: v}) }
	}
	return append(annotation.Table[*itemView]{
		annotation.Recording(on(finals, asked, at(annotation.First, bind("1-4", "who was right", "1", "2", "3", "4")), nil, (*itemView).blame)),
		annotation.Recording(on(finals, asked, at(annotation.First, bind("enter", asChoiceSays, "enter")), nil, (*itemView).follow)),
		annotation.Recording(on(finals, both, at(annotation.First, bind("A-Z", "adjudication", letters()...)), (*itemView).NoItem, (*itemView).choose)),
		annotation.Recording(on(finals, reading, at(annotation.Unranked, bind("1-9", "adjudication, by its place", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0")), (*itemView).NoItem, (*itemView).choose)),
		annotation.Recording(on(finals, both, at(annotation.Second, bind("x", "none", "x")), (*itemView).NoItem, final(annotate.SaidNone))),
		annotation.Recording(on(finals, both, at(annotation.Fourth, bind("m", "ambiguous", "m")), (*itemView).NoItem, final(annotate.SaidAmbiguous))),
		annotation.Recording(on(finals, both, at(annotation.Fourth, bind("d", "refused", "d")), (*itemView).NoItem, final(annotate.SaidRefused))),
		on(finals, reading, at(annotation.Second, bind("c", "who was right", "c")), (*itemView).noRuling, (*itemView).ask),

		annotation.Recording(on(annotation.ActsGroup, both, at(annotation.Third, bind("u", "undo", "u")), annotation.NoWork[*itemView]((*annotation.Work).NoUndo), annotation.ByWork[*itemView]((*annotation.Work).Undo))),
		annotation.Recording(on(annotation.ActsGroup, both, at(annotation.Unranked, bind("ctrl+r", "redo", "ctrl+r")), annotation.NoWork[*itemView]((*annotation.Work).NoRedo), annotation.ByWork[*itemView]((*annotation.Work).Redo))),
		on(annotation.ActsGroup, both, at(annotation.Third, bind("n", "note", "n")), (*itemView).NoFront, annotation.ByNotes[*itemView]((*annotation.Notes).StartNote)),
		annotation.Recording(on(annotation.ActsGroup, []annotation.Mode{annotation.Noting}, at(annotation.First, bind("enter", "keep the note", "enter")), nil, annotation.ByNotes[*itemView]((*annotation.Notes).EndNote))),
		on(annotation.ActsGroup, both, at(annotation.First, bind("ctrl+s", "save again", "ctrl+s")), annotation.NoWork[*itemView]((*annotation.Work).NoFailure), annotation.ByWork[*itemView]((*annotation.Work).Retry)),

		on(annotation.ViewsGroup, both, at(annotation.Fifth, bind("z", "picture", "z")), annotation.NoGallery[*itemView]((*annotation.Gallery).NoPicture), annotation.ByGallery[*itemView]((*annotation.Gallery).Zoom)),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Zooming}, at(annotation.First, bind("z", "back to the text", "z")), nil, annotation.ByGallery[*itemView]((*annotation.Gallery).Unzoom)),
		on(annotation.ViewsGroup, both, at(annotation.Fifth, widget.PaneKeys()), (*itemView).NoItem, (*itemView).fill),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Reading, annotation.Zooming}, at(annotation.Unranked, bind("p", "next image", "p")), annotation.NoGallery[*itemView]((*annotation.Gallery).NoPictures), annotation.ByGallery[*itemView]((*annotation.Gallery).NextPicture)),

		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("←", "previous", "left")), annotation.NoWork[*itemView]((*annotation.Work).NoPrevious), annotation.ByWork[*itemView]((*annotation.Work).Previous)),
		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("→", "next", "right")), annotation.NoWork[*itemView]((*annotation.Work).NoNext), annotation.ByWork[*itemView]((*annotation.Work).Following)),
		on(annotation.MovesGroup, reading, at(annotation.Second, bind("enter", "next unsettled", "enter")), annotation.NoWork[*itemView]((*annotation.Work).NoOpen), annotation.ByWork[*itemView]((*annotation.Work).ToOpen)),
		on(annotation.MovesGroup, both, at(annotation.Fifth, bind("j k ↑ ↓", "scroll", "j", "k", "up", "down")), nil, (*itemView).scroll),
		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d")), nil, (*itemView).scroll),
		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("g e", "to the top, to the end", "g", "home", "e", "end")), nil, (*itemView).scroll),
	}, annotation.Magnifying(func(d *itemView) annotation.Magnifier { return d.Gallery })...)
}

func (d *itemView) noRuling() string {
	if why := d.NoItem(); why != "" {
		return why
	}
	if _, ok := d.said.ruling(); !ok {
		return "say first what the answer chose"
	}
	return ""
}

func (d *itemView) choose(key string) tea.Cmd {
	at, ok := labeloption.Find(d.Body().choices, key)
	if !ok {
		d.Refusal = key + ": no option has this key"
		return nil
	}
	return d.settle(annotate.Reading{Verdict: annotate.PickedOption, Choice: d.Body().choices[at].Choice})
}

// settle gives the final choice, which is stored at once, and asks who was
// right. The first one of an item is blind: what everybody said comes with the
// question.
func (d *itemView) settle(r annotate.Reading) tea.Cmd {
	cause := annotate.CauseUnset
	if old, ok := d.said.ruling(); ok && old.Reading.Verdict == r.Verdict && old.Reading.Choice == r.Choice {
		cause = old.Cause
	}
	d.Work.Rule(r, cause)
	d.Mode = settling
	return d.confront()
}

func (d *itemView) ask(string) tea.Cmd {
	d.Mode = settling
	return nil
}

// blame says who was right and goes on.
func (d *itemView) blame(key string) tea.Cmd {
	cause := annotate.Causes()[slices.Index([]string{"1", "2", "3", "4"}, key)]
	if follows, known := d.said.follows(); known && cause != annotate.AmbiguousCause && cause != follows {
		d.Refusal = "the adjudication says otherwise: " + causeWord(follows)
		if follows == annotate.CauseUnset {
			d.Refusal = "people and extractor agree here: " + d.Spelled("enter") + " continues"
		}
		return nil
	}
	return d.because(cause)
}

// follow takes what the final choice says of who was right.
func (d *itemView) follow(string) tea.Cmd {
	if !d.said.exhibit.done {
		d.Refusal = "what everybody said is being read"
		return nil
	}
	cause, _ := d.said.follows()
	return d.because(cause)
}

func (d *itemView) because(c annotate.Cause) tea.Cmd {
	r, ok := d.said.ruling()
	if !ok {
		return nil
	}
	d.Work.Rule(r.Reading, c)
	return d.Work.ToOpen("")
}
