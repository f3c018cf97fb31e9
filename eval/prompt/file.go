package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"concord/eval"
)

// Blocks that a template may define beside its body, which is the user's turn.
const (
	systemBlock = "system" // the system message
	againBlock  = "again"  // what a judge is told whose reply does not parse
)

// file is a parsed template.
type file struct {
	text Text
	body *template.Template
}

// front is what a file's header says; fields that it leaves out are empty.
type front struct{ Name, Language, Version string }

const rule = "---"

// header splits a file into its header (between two lines of three dashes at
// its top, both optional) and the rest, with the number of the header's lines.
func header(id, text string) (h front, body string, lines int, err error) {
	rest, ok := strings.CutPrefix(text, rule+"\n")
	if !ok {
		return h, text, 0, nil
	}
	for lines = 2; ; lines++ {
		line, more, found := strings.Cut(rest, "\n")
		rest = more
		if strings.TrimSpace(line) == rule {
			return h, rest, lines, nil
		}
		if !found {
			return h, "", 0, fmt.Errorf("parse template %s:1: its header has no closing %s", id, rule)
		}
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "name":
			h.Name = value
		case "language":
			h.Language = value
		case "version":
			h.Version = value
		case "":
		default:
			return h, "", 0, fmt.Errorf("parse template %s:%d: its header has no field %q", id, lines, strings.TrimSpace(key))
		}
	}
}

// load parses the text of template id ("name/language") and tries it. ours is
// what it replaces, nil when it is ours.
func load(id, text string, ours *file) (*file, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	f, err := parse(id, text)
	if err != nil {
		return nil, err
	}
	if ours != nil && f.body.Lookup(againBlock) == nil && ours.body.Lookup(againBlock) != nil {
		if f, err = parse(id, strings.TrimRight(text, "\n")+"\n"+againOf(ours.text.Text)); err != nil {
			return nil, err
		}
	}
	if err := f.try(); err != nil {
		return nil, fmt.Errorf("try template %s: %w", id, err)
	}
	return f, nil
}

func parse(id, text string) (*file, error) {
	h, body, lines, err := header(id, text)
	if err != nil {
		return nil, err
	}
	// A comment as long as the header keeps the line numbers of errors true.
	body = "{{/*" + strings.Repeat("\n", lines) + "*/}}" + body
	t, err := template.New(id).Option("missingkey=error").Parse(body)
	if err != nil {
		return nil, fmt.Errorf("parse %w", err)
	}
	name, lang, _ := strings.Cut(id, "/")
	if h.Version == "" {
		h.Version = "file"
	}
	sum := sha256.Sum256([]byte(text))
	return &file{
		text: Text{
			Ref:  eval.PromptRef{Name: name, Language: lang, Version: h.Version, Hash: hex.EncodeToString(sum[:])},
			Text: text,
		},
		body: t,
	}, nil
}

// againOf is the block of our own templates, which stands at their end.
func againOf(text string) string {
	_, block, _ := strings.Cut(text, `{{define "`+againBlock+`"`)
	return `{{define "` + againBlock + `"` + block
}

// fill renders the template as a chat without pictures.
func (f *file) fill(i Item) (eval.Chat, error) {
	user, err := f.render("", i)
	if err != nil {
		return eval.Chat{}, err
	}
	system, err := f.render(systemBlock, i)
	if err != nil {
		return eval.Chat{}, err
	}
	return eval.Chat{System: system, Turns: []eval.Turn{{Role: eval.User, Text: user}}}, nil
}

// render renders a block, or the body for ""; "" when there is none. Empty
// lines at both ends belong to the file's layout.
func (f *file) render(block string, i Item) (string, error) {
	t := f.body
	if block != "" {
		if t = t.Lookup(block); t == nil {
			return "", nil
		}
	}
	var b strings.Builder
	if err := t.Execute(&b, i); err != nil {
		return "", err
	}
	return strings.Trim(b.String(), "\n"), nil
}

// try renders an item with and without what may be absent, and refuses a
// template that leaves out what it is there for.
func (f *file) try() error {
	for _, t := range trials(f.text.Ref) {
		chat, err := f.fill(t.item)
		if err != nil {
			return err
		}
		for _, must := range t.must {
			if !strings.Contains(chat.System+"\n"+chat.Turns[0].Text, must.text) {
				return errors.New("its text does not show " + must.what)
			}
		}
		if _, err := f.render(againBlock, t.item); err != nil {
			return err
		}
	}
	return nil
}
