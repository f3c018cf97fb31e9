package accessible

import (
	"fmt"
	"io"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// speaker writes what is said, line by line.
type speaker struct {
	out io.Writer
}

func (sp *speaker) revealed(r blind.Revealed) {
	sp.say("You said %s.", sp.word(r.Own))
	if r.Model != "" {
		sp.say("The model is %s.", widget.Line(r.Model))
	}
	switch {
	case r.Withheld:
		sp.say("The ground truth is shown once no item on this sample is open.")
	case r.Truth != "":
		sp.say("The ground truth is %s.", widget.Line(string(r.Truth)))
	}
	for _, m := range r.Readings {
		agrees := "differs"
		if m.Agrees {
			agrees = "agrees"
		}
		sp.say("%s reads %s: %s.", widget.Line(m.Extractor), widget.Line(labeloption.MachineWord(m)), agrees)
	}
}

func (sp *speaker) unmasked(u blind.RevealedPair) {
	if u.Withheld {
		sp.say("Names and votes are shown once no pair on this sample is open.")
		return
	}
	first, second := u.Model, u.Against
	if u.Own.Swapped {
		first, second = second, first
	}
	sp.say("You said %s. Answer 1 is of %s, answer 2 of %s.", sp.word(u.Own), widget.Line(first), widget.Line(second))
	for i := range u.Judges {
		vote, same := u.Preferred(&u.Judges[i])
		shown := "shown as to you"
		if !same {
			shown = "shown the other way round"
		}
		sp.say("%s votes %s, %s.", widget.Line(u.Judges[i].Judge), labeloption.VoteWord(vote), shown)
	}
}

func (sp *speaker) print(text string) { _, _ = io.WriteString(sp.out, text) }

// say tells one line.
func (sp *speaker) say(format string, args ...any) {
	sp.print(fmt.Sprintf(format, args...) + "\n")
}

func (sp *speaker) help() {
	sp.say("Answers: type what is shown before a choice; a letter in either case.")
	for _, c := range commands() {
		sp.say("  %s: %s.", strings.Join(c.words, " or "), c.help)
	}
	sp.say("  quit: leave. Everything is saved as you go.")
}

// text tells a text under its name; nothing of an empty one.
func (sp *speaker) text(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	text = widget.Clean(text)
	if strings.Contains(text, "\n") {
		// Set off, so that no answer can pass for what concord says.
		sp.say("%s:\n  %s", name, strings.ReplaceAll(text, "\n", "\n  "))
		return
	}
	sp.say("%s: %s", name, text)
}

func (sp *speaker) answer(name, text string, cut bool) {
	if cut {
		name += ", cut off by the endpoint"
	}
	if strings.TrimSpace(text) == "" {
		text = "(empty)"
	}
	sp.text(name, text)
	sp.say("End of the answer.")
}

// word is a reading in words.
func (sp *speaker) word(r annotate.Reading) string {
	if r.Verdict != annotate.Voted {
		return labeloption.Word(r)
	}
	return labeloption.VoteWord(r.Vote)
}
