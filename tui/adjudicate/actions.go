package adjudicate

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

const finals = "Settle it: what the answer chose after all, and who was right"

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

// actions is the table of all keys of the desk.
func actions() annotation.Table[*desk] {
	var (
		reading  = []annotation.Mode{annotation.Reading}
		asked    = []annotation.Mode{settling}
		both     = []annotation.Mode{annotation.Reading, settling}
		on       = annotation.On[*desk]
		at, bind = annotation.At, widget.Bind
	)
	final := func(v annotate.Verdict) func(*desk, string) tea.Cmd {
		return func(d *desk, _ string) tea.Cmd { return d.settle(annotate.Reading{Verdict: v}) }
	}
	return append(annotation.Table[*desk]{
		annotation.Recording(on(finals, asked, at(annotation.First, bind("1-4", "who was right", "1", "2", "3", "4")), nil, (*desk).blame)),
		annotation.Recording(on(finals, asked, at(annotation.First, bind("enter", asChoiceSays, "enter")), nil, (*desk).follow)),
		annotation.Recording(on(finals, both, at(annotation.First, bind("A-Z", "final choice", letters()...)), (*desk).NoItem, (*desk).choose)),
		annotation.Recording(on(finals, reading, at(annotation.Unranked, bind("1-9", "final choice, by its place", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0")), (*desk).NoItem, (*desk).choose)),
		annotation.Recording(on(finals, both, at(annotation.Second, bind("x", "none", "x")), (*desk).NoItem, final(annotate.SaidNone))),
		annotation.Recording(on(finals, both, at(annotation.Fourth, bind("m", "ambiguous", "m")), (*desk).NoItem, final(annotate.SaidAmbiguous))),
		annotation.Recording(on(finals, both, at(annotation.Fourth, bind("d", "refused", "d")), (*desk).NoItem, final(annotate.SaidRefused))),
		on(finals, reading, at(annotation.Second, bind("c", "who was right", "c")), (*desk).noRuling, (*desk).ask),

		annotation.Recording(on(annotation.ActsGroup, both, at(annotation.Third, bind("u", "undo", "u")), annotation.NoWork[*desk]((*annotation.Work).NoUndo), annotation.ByWork[*desk]((*annotation.Work).Undo))),
		annotation.Recording(on(annotation.ActsGroup, both, at(annotation.Unranked, bind("ctrl+r", "redo", "ctrl+r")), annotation.NoWork[*desk]((*annotation.Work).NoRedo), annotation.ByWork[*desk]((*annotation.Work).Redo))),
		on(annotation.ActsGroup, both, at(annotation.Third, bind("n", "note", "n")), (*desk).NoFront, annotation.ByNotes[*desk]((*annotation.Notes).StartNote)),
		annotation.Recording(on(annotation.ActsGroup, []annotation.Mode{annotation.Noting}, at(annotation.First, bind("enter", "keep the note", "enter")), nil, annotation.ByNotes[*desk]((*annotation.Notes).EndNote))),
		on(annotation.ActsGroup, both, at(annotation.First, bind("ctrl+s", "save again", "ctrl+s")), annotation.NoWork[*desk]((*annotation.Work).NoFailure), annotation.ByWork[*desk]((*annotation.Work).Retry)),

		on(annotation.ViewsGroup, both, at(annotation.Fifth, bind("z", "picture", "z")), annotation.NoGallery[*desk]((*annotation.Gallery).NoPicture), annotation.ByGallery[*desk]((*annotation.Gallery).Zoom)),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Zooming}, at(annotation.First, bind("z", "back to the text", "z")), nil, annotation.ByGallery[*desk]((*annotation.Gallery).Unzoom)),
		on(annotation.ViewsGroup, both, at(annotation.Fifth, widget.RoomKeys()), (*desk).NoItem, (*desk).fill),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Reading, annotation.Zooming}, at(annotation.Unranked, bind("p", "next picture", "p")), annotation.NoGallery[*desk]((*annotation.Gallery).NoPictures), annotation.ByGallery[*desk]((*annotation.Gallery).NextPicture)),

		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("←", "previous", "left")), annotation.NoWork[*desk]((*annotation.Work).NoPrevious), annotation.ByWork[*desk]((*annotation.Work).Previous)),
		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("→", "next", "right")), annotation.NoWork[*desk]((*annotation.Work).NoNext), annotation.ByWork[*desk]((*annotation.Work).Following)),
		on(annotation.MovesGroup, reading, at(annotation.Second, bind("enter", "next unsettled", "enter")), annotation.NoWork[*desk]((*annotation.Work).NoOpen), annotation.ByWork[*desk]((*annotation.Work).ToOpen)),
		on(annotation.MovesGroup, both, at(annotation.Fifth, bind("j k ↑ ↓", "scroll", "j", "k", "up", "down")), nil, (*desk).scroll),
		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d")), nil, (*desk).scroll),
		on(annotation.MovesGroup, both, at(annotation.Unranked, bind("g e", "to the top, to the end", "g", "home", "e", "end")), nil, (*desk).scroll),
	}, annotation.Magnifying(func(d *desk) annotation.Magnifier { return d.Gallery })...)
}

func (d *desk) noRuling() string {
	if why := d.NoItem(); why != "" {
		return why
	}
	if _, ok := d.said.ruling(); !ok {
		return "say first what the answer chose"
	}
	return ""
}

func (d *desk) choose(key string) tea.Cmd {
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
func (d *desk) settle(r annotate.Reading) tea.Cmd {
	cause := annotate.CauseUnset
	if old, ok := d.said.ruling(); ok && old.Reading.Verdict == r.Verdict && old.Reading.Choice == r.Choice {
		cause = old.Cause
	}
	d.Work.Rule(r, cause)
	d.Mode = settling
	return d.confront()
}

func (d *desk) ask(string) tea.Cmd {
	d.Mode = settling
	return nil
}

// blame says who was right and goes on.
func (d *desk) blame(key string) tea.Cmd {
	cause := annotate.Causes()[slices.Index([]string{"1", "2", "3", "4"}, key)]
	if follows, known := d.said.follows(); known && cause != annotate.AmbiguousCause && cause != follows {
		d.Refusal = "the final choice says otherwise: " + causeWord(follows)
		if follows == annotate.CauseUnset {
			d.Refusal = "people and the machine read the same here: " + d.Spelled("enter") + " goes on"
		}
		return nil
	}
	return d.because(cause)
}

// follow takes what the final choice says of who was right.
func (d *desk) follow(string) tea.Cmd {
	if !d.said.exhibit.done {
		d.Refusal = "what everybody said is being read"
		return nil
	}
	cause, _ := d.said.follows()
	return d.because(cause)
}

func (d *desk) because(c annotate.Cause) tea.Cmd {
	r, ok := d.said.ruling()
	if !ok {
		return nil
	}
	d.Work.Rule(r.Reading, c)
	return d.Work.ToOpen("")
}
