package report

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
)

// Settings are tables of what led to figures.
type Settings []Table

// Render prints them: as a page, as JSON, or else as Markdown, which is nothing
// to paste into a paper.
func (s Settings) Render(w io.Writer, f Format) error {
	switch f {
	case FormatHTML:
		return WritePage(w, &Page{Title: "Settings", Settings: s})
	case FormatJSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(s.plain())
	default:
		_, err := w.Write(sheets(Report{Name: "settings", sheets: s}, func(t Table) []byte { return t.markdown() }))
		return err
	}
}

// plain is the tables as lists of columns by name, without those of which
// nothing is known.
func (s Settings) plain() map[string][]map[string]string {
	out := make(map[string][]map[string]string)
	for _, t := range s {
		for _, r := range t.Rows {
			row := make(map[string]string)
			for i, c := range t.Columns {
				if r[i].kind != cellUnknown {
					row[c.Name] = visible(r[i].String())
				}
			}
			out[t.Name] = append(out[t.Name], row)
		}
	}
	return out
}

// Provenance is how everything that reports are made of came about: the runs
// with their settings, and the judges of votes with the hashes of their
// prompts and settings.
func Provenance(ctx context.Context, facts VoteFacts) (Settings, error) {
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	out := Settings{runSettings(runs)}
	votes, err := voteSettings(ctx, facts)
	if err != nil {
		return nil, err
	}
	if len(votes.Rows) > 0 {
		out = append(out, votes)
	}
	return out, nil
}

// runColumns are left out where nothing is known.
var runColumns = []Column{
	{Name: "dataset"},
	{Name: "model"},
	{Name: "strategy"},
	{Name: "modality"},
	{Name: "origin"},
	{Name: "rules"},
	{Name: "judges"},
	{Name: "fallback"},
	{Name: "endpoint"},
	{Name: "served_as"},
	{Name: "parameters"},
	{Name: "prompts"},
	{Name: "shots"},
	{Name: "language"},
	{Name: "edge"},
	{Name: "file"},
	{Name: "created"},
}

func runSettings(runs []eval.Run) Table {
	t := Table{Name: "runs", Columns: columns(countColumns("run"), runColumns)}
	for _, r := range runs {
		c, s := &r.Config, &r.Config.Settings
		h := head(r, "")
		line := []Cell{
			integer(int(r.ID)), known(string(c.Dataset)), known(h.named()), known(c.Strategy.String()), known(c.Modality.String()), known(c.Origin.String()),
			known(c.Rules), known(judges(s.Judges)), known(fallback(s)), known(s.Endpoint), known(s.Name), known(s.Params), known(prompts(s.Prompts)),
			known(positive(s.Shots)), known(s.Language), known(positive(s.Edge)), known(c.File), known(""),
		}
		if !r.Created.IsZero() {
			line[len(line)-1] = text(r.Created.UTC().Format("2006-01-02 15:04"))
		}
		t.Rows = append(t.Rows, line)
	}
	return t.without(runColumns)
}

// known is a name, or the mark of one that nobody gave.
func known(s string) Cell {
	if s == "" {
		return Cell{kind: cellUnknown}
	}
	return text(s)
}

// positive is a number, or nothing for 0.
func positive(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func fallback(s *eval.Settings) string {
	if !s.Fallback {
		return ""
	}
	return "drawn, seed " + strconv.FormatUint(s.Seed, 10)
}

func prompts(refs []eval.PromptRef) string {
	out := make([]string, len(refs))
	for i, p := range refs {
		out[i] = p.Name + " " + p.Language + " " + p.Version + " (" + brief(p.Hash) + ")"
	}
	return strings.Join(out, ", ")
}

func judges(all []eval.JudgeSetup) string {
	out := make([]string, len(all))
	for i, j := range all {
		out[i] = j.Judge + " (" + strings.Join(slices.DeleteFunc([]string{j.Name, j.Params, prompts(j.Prompts)}, func(s string) bool { return s == "" }), "; ") + ")"
	}
	return strings.Join(out, ", ")
}

// voteSettings are the judges of each contest, with what they were asked by.
func voteSettings(ctx context.Context, facts VoteFacts) (Table, error) {
	optional := []Column{{Name: "prompts"}, {Name: "settings"}, {Name: "criteria_texts"}}
	t := Table{Name: "votes", Columns: columns(countColumns("run", "against"), []Column{{Name: "judge"}, {Name: "criteria"}, {Name: "input"}},
		countColumns("repeat", "votes"), optional)}
	contests, err := facts.Contests(ctx)
	if err != nil {
		return t, fmt.Errorf("list contests: %w", err)
	}
	for _, c := range contests {
		prompts, setups, texts := make(map[string]bool), make(map[string]bool), make(map[string]bool)
		n := 0
		for v, err := range facts.Votes(ctx, c.Contest) {
			if err != nil {
				return t, fmt.Errorf("read votes: %w", err)
			}
			n++
			prompts[brief(v.Prompt)], setups[brief(v.Setup)], texts[v.Text] = true, true, true
		}
		delete(texts, "")
		t.Rows = append(t.Rows, []Cell{
			integer(int(c.A)), integer(int(c.B)), text(c.Judge), text(strconv.FormatBool(c.Criteria)), text(c.Input.String()),
			integer(c.Repeat), integer(n), hashes(prompts), hashes(setups), known(positive(len(texts))),
		})
	}
	return t.without(optional), nil
}

func hashes(all map[string]bool) Cell {
	delete(all, "")
	return known(strings.Join(slices.Sorted(maps.Keys(all)), ", "))
}
