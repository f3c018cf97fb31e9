package config

import (
	"fmt"
	"regexp"
	"strings"
)

// promptsHead is the line that opens the table of prompts.
var promptsHead = regexp.MustCompile(`(?m)^[ \t]*\[prompts\][ \t]*(#.*)?$`)

// SetPrompt gives a config's text in which a template has the prompt of a file. A line
// that gives it another one is replaced, and nothing else is changed. Text that does
// not read, before or afterwards, is a Problem.
func SetPrompt(old []byte, template, file string) ([]byte, error) {
	if _, bad := parseFile(ProjectFile, old); len(bad) > 0 {
		return nil, bad
	}
	line, text := quoteTOML(template)+" = "+quoteTOML(file), string(old)
	at := promptsHead.FindStringIndex(text)
	if at == nil {
		if text = strings.TrimRight(text, "\n"); text != "" {
			text += "\n\n"
		}
		text += "[prompts]\n" + line + "\n"
	} else {
		text = text[:at[1]] + "\n" + line + removePrompt(text[at[1]:], template)
	}
	if _, bad := parseFile(ProjectFile, []byte(text)); len(bad) > 0 {
		return nil, Problem{Text: fmt.Sprintf("prompts: write %s by hand: %s", line, bad[0].Text)}
	}
	return []byte(text), nil
}

// removePrompt leaves the line of a template out of the table that rest begins in.
func removePrompt(rest, template string) string {
	table, others := rest, ""
	if i := strings.Index(rest, "\n["); i >= 0 {
		table, others = rest[:i], rest[i:]
	}
	key := regexp.MustCompile(`(?m)^[ \t]*["']?` + regexp.QuoteMeta(template) + `["']?[ \t]*=.*\n?`)
	return key.ReplaceAllString(table, "") + others
}
