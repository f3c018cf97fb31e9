package demo

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"concord/eval"
)

//go:embed data/*.toml
var data embed.FS

// book is what is written by hand: the questions with their free answers, and
// the styles of all other answers.
type book struct {
	questions []question
	styles    []style
}

// question is a question as data/*.toml writes it. Letters are those of the
// options as listed.
type question struct {
	ID      eval.SampleID `toml:"id"`
	Picture string        `toml:"picture"`
	Path    []string      `toml:"path"`
	Text    string        `toml:"text"`
	Hint    string        `toml:"hint"`
	Options []string      `toml:"options"`
	Answer  eval.Choice   `toml:"answer"`
	Lure    eval.Choice   `toml:"lure"` // the wrong option that is picked most
	Why     string        `toml:"why"`  // an explanation of the right option
	Slip    string        `toml:"slip"` // one of the lure
	Free    []free        `toml:"free"`
}

// free is an answer that no rule is meant to read.
type free struct {
	Says   string `toml:"says"`
	Means  string `toml:"means"` // a letter, none, refused or ambiguous
	Judge  string `toml:"judge"` // where the judge reads it otherwise; unread: its reply is no reading
	Raw    string `toml:"raw"`   // the judge's reply; {text of an option} is its letter as shown
	Finish string `toml:"finish"`
}

// style is a way to write a choice down, with its weight for each model.
type style struct {
	Text   string `toml:"text"`
	Lang   string `toml:"lang"` // "" or zh
	Weight [3]int `toml:"weight"`
}

func readBook() (*book, error) {
	b := &book{}
	for _, topic := range []string{"shapes", "charts", "scenes", "signs", "logic", "chinese", "styles"} {
		raw, err := data.ReadFile("data/" + topic + ".toml")
		if err != nil {
			return nil, fmt.Errorf("read demo: %w", err)
		}
		var page struct {
			Question []question `toml:"question"`
			Style    []style    `toml:"style"`
		}
		if err := toml.Unmarshal(raw, &page); err != nil {
			return nil, fmt.Errorf("read demo %s: %w", topic, err)
		}
		b.questions = append(b.questions, page.Question...)
		b.styles = append(b.styles, page.Style...)
	}
	slices.SortFunc(b.questions, func(x, y question) int { // so that topics and languages mix
		return cmp.Compare(hash(x.ID, "order"), hash(y.ID, "order"))
	})
	return b, nil
}

func (q *question) sample(o eval.Ordinal, p eval.Picture) eval.Sample {
	s := eval.Sample{
		Ordinal: o, ID: q.ID, Kind: eval.KindChoice,
		Question: q.Text, Hint: q.Hint, Answer: q.Answer,
		Pictures: []eval.Picture{p}, Taxonomy: q.Path, Split: "demo", Source: "synthetic",
	}
	for i, text := range q.Options {
		s.Options = append(s.Options, eval.Option{Letter: letter(i), Text: text})
	}
	return s
}

func letter(i int) eval.Choice { return eval.Choice(rune('A' + i)) }

// lang is zh for a question in Chinese.
func (q *question) lang() string {
	if strings.ContainsFunc(q.Text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return "zh"
	}
	return ""
}

// because is the explanation of an option, where there is one.
func (q *question) because(c eval.Choice) string {
	if c == q.Answer {
		return q.Why
	}
	if c == q.Lure {
		return q.Slip
	}
	return ""
}
