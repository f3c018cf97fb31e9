package adjudicate

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

const finals = "Adjudicate: what the response chose, and who was right"

// asChoiceSays is what enter says of who was right, where the choice tells.
const asChoiceSays = "as the choice says"

// actions is the table of all keys of the item view.
func actions() annotation.Table[*itemView] {
	var (
		reading = []annotation.Mode{annotation.Reading}
		asked   = []annotation.Mode{settling}
		both    = []annotation.Mode{annotation.Reading, settling}
		at      = annotation.At
		bind    = widget.Bind
		on      = annotation.On[*itemView]
		keys    = keymap.Adjudicate
	)
	final := func(foot annotation.Rank, name string, v annotate.Verdict) annotation.Action[*itemView] {
		return annotation.Recording(on(finals, both, at(foot, keys.Bind(name)), (*itemView).NoItem,
			func(d *itemView, _ string) tea.Cmd { return d.settle(annotate.Reading{Verdict: v}) }))
	}
	shared := slices.Concat(annotation.Acts[*itemView](keys), annotation.Looks[*itemView](keys), annotation.Moves[*itemView](keys))
	for i := range shared {
		if slices.Contains(shared[i].Modes, annotation.Reading) && !slices.Contains(shared[i].Bind.Keys(), " ") {
			shared[i].Modes = append(slices.Clone(shared[i].Modes), settling)
		}
	}
	return slices.Concat(annotation.Table[*itemView]{
		annotation.Recording(on(finals, asked, at(annotation.First, bind("1-4", "who was right", "1", "2", "3", "4")), nil, (*itemView).blame)),
		annotation.Recording(on(finals, asked, at(annotation.First, keys.Join(asChoiceSays, "next_unlabeled")), nil, (*itemView).follow)),
		annotation.Recording(on(finals, both, at(annotation.First, bind("A-Z", "adjudication", labeloption.Letters()...)), (*itemView).NoItem, (*itemView).choose)),
		annotation.Recording(on(finals, reading, at(annotation.Unranked, bind("1-9", "adjudication, by its place", strings.Split(labeloption.Digits, "")...)), (*itemView).NoItem, (*itemView).choose)),
		final(annotation.Second, "none", annotate.SaidNone),
		final(annotation.Fourth, "several", annotate.SaidAmbiguous),
		final(annotation.Fourth, "refused", annotate.SaidRefused),
		on(finals, reading, at(annotation.Second, keys.Bind("who_was_right")), (*itemView).noRuling, (*itemView).ask),
		on(annotation.ViewsGroup, both, at(annotation.Fifth, widget.PaneKeys()), (*itemView).NoItem, (*itemView).fill),
	}, shared, annotation.Scrolls(keys, both, (*itemView).scroll))
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
	if d.turnTo(d.Body(), at) {
		return nil
	}
	return d.settle(annotate.Reading{Verdict: annotate.PickedOption, Choice: d.Body().choices[at].Choice})
}

// settle gives the adjudication, which is stored at once, and asks who was
// right. The first one of an item is blind: what everybody said comes with the
// question.
func (d *itemView) settle(r annotate.Reading) tea.Cmd {
	cause := annotate.CauseUnset
	if old, ok := d.said.ruling(); ok && old.Reading.Verdict == r.Verdict && old.Reading.Choice == r.Choice {
		cause = old.Cause
	}
	stays, cmd := d.Work.Rule(r, cause)
	switch {
	case cmd != nil:
		return cmd
	case !stays:
		return d.Work.ToOpen("")
	}
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
			d.Refusal = "people and extractor agree here: " + d.Spelled("next_unlabeled") + " continues"
		}
		return nil
	}
	return d.because(cause)
}

// follow takes what the adjudication says of who was right.
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
	if _, cmd := d.Work.Rule(r.Reading, c); cmd != nil {
		return cmd
	}
	return d.Work.ToOpen("")
}
