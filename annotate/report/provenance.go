package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/text"
)

// Settings are tables of what led to figures.
type Settings []table.Table

// Render prints them: as a page, as JSON, or else as Markdown, which is nothing
// to paste into a paper.
func (s Settings) Render(w io.Writer, f table.Format) error {
	switch f {
	case table.FormatHTML:
		return WritePage(w, &Page{Title: "Settings", Settings: s})
	case table.FormatJSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(s.plain())
	default:
		_, err := w.Write(sheets(Report{Name: "settings", Sheets: s}, func(t table.Table) []byte { return t.Markdown() }))
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
				if !r[i].Unknown() {
					row[c.Name] = text.Outside(r[i].String()).Cell()
				}
			}
			out[t.Name] = append(out[t.Name], row)
		}
	}
	return out
}

// ProvenanceFacts are the runs, and the votes of judges.
type ProvenanceFacts interface {
	Runs() ([]eval.Run, error)
	Comparisons(context.Context) ([]eval.ComparisonProgress, error)
	// Votes yields those of one pair in the order in which they were recorded,
	// failed calls among them.
	Votes(context.Context, eval.Comparison) iter.Seq2[eval.Preference, error]
}

// Provenance is how everything that reports are made of came about: the runs
// with their settings, and the judges of votes with the hashes of their
// prompts and settings.
func Provenance(ctx context.Context, facts ProvenanceFacts) (Settings, error) {
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
var runColumns = table.List("dataset model strategy modality origin rules judges fallback endpoint served_as parameters prompts shots language edge file created")

func runSettings(runs []eval.Run) table.Table {
	t := table.Table{Name: "runs", Columns: table.Columns(table.List("run:count"), runColumns)}
	for _, r := range runs {
		c, s := &r.Config, &r.Config.Settings
		h := HeadOf(r, "")
		line := []table.Cell{
			table.Count(int(r.ID)), Known(string(c.Dataset)), Known(h.Named()), Known(c.Strategy.String()), Known(c.Modality.String()), Known(c.Origin.String()),
			Known(c.Rules), Known(judges(s.Judges)), Known(fallback(s)), Known(s.Endpoint), Known(s.Name), Known(s.Params), Known(prompts(s.Prompts)),
			Known(positive(s.Shots)), Known(s.Language), Known(positive(s.Edge)), Known(c.File), Known(""),
		}
		if !r.Created.IsZero() {
			line[len(line)-1] = table.Text(r.Created.UTC().Format("2006-01-02 15:04"))
		}
		t.Rows = append(t.Rows, line)
	}
	return t.Without(runColumns)
}

// Known is a name, or the mark of one that nobody gave.
func Known(s string) table.Cell {
	if s == "" {
		return table.Unknown()
	}
	return table.Text(s)
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
		out[i] = p.Name + " " + p.Language + " " + p.Version + " (" + Brief(p.Hash) + ")"
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

// voteSettings are the judges of each comparison, with what they were asked by.
func voteSettings(ctx context.Context, facts ProvenanceFacts) (table.Table, error) {
	optional := table.List("prompts settings criteria_texts")
	t := table.Table{Name: "votes", Columns: table.Columns(table.List("run:count against:count judge criteria input repeat:count votes:count"), optional)}
	contests, err := facts.Comparisons(ctx)
	if err != nil {
		return t, fmt.Errorf("list comparisons: %w", err)
	}
	for _, c := range contests {
		prompts, setups, texts := make(map[string]bool), make(map[string]bool), make(map[string]bool)
		n := 0
		for v, err := range facts.Votes(ctx, c.Comparison) {
			if err != nil {
				return t, fmt.Errorf("read votes: %w", err)
			}
			n++
			prompts[Brief(v.Prompt)], setups[Brief(v.Setup)], texts[v.Text] = true, true, true
		}
		delete(texts, "")
		t.Rows = append(t.Rows, []table.Cell{
			table.Count(int(c.A)), table.Count(int(c.B)), table.Text(c.Judge), table.Text(strconv.FormatBool(c.Criteria)), table.Text(c.Input.String()),
			table.Count(c.Repeat), table.Count(n), hashes(prompts), hashes(setups), Known(positive(len(texts))),
		})
	}
	return t.Without(optional), nil
}

func hashes(all map[string]bool) table.Cell {
	delete(all, "")
	return Known(strings.Join(slices.Sorted(maps.Keys(all)), ", "))
}

// Render prints the report. Width is how many cells of a terminal the table
// format may take; 0 is no limit, and no terminal: then nothing is drawn below
// the tables.
func Render(w io.Writer, r Report, f table.Format, width int) error {
	var out []byte
	err := r.hasColumns()
	if err != nil {
		return err
	}
	switch f {
	case table.FormatJSON:
		out, err = encode(r)
	case table.FormatCSV:
		out, err = r.Table().Only(r.Paper).Plain().Marked(r.Damaged).CSV()
	case table.FormatMarkdown:
		out = sheets(r, func(t table.Table) []byte { return t.Plain().Markdown() })
		if r.Version != "" {
			out = fmt.Appendf(out, "\n<!-- %s%s -->\n", generator, r.Version)
		}
	case table.FormatLaTeX:
		if r.Version != "" {
			out = fmt.Appendf(nil, "%% %s%s\n", generator, r.Version)
		}
		n := 0
		out = append(out, sheets(r, func(t table.Table) []byte {
			n++
			return t.Plain().LaTeX(r.Paper.Of(n, t.Title))
		})...)
	case table.FormatHTML:
		var page bytes.Buffer
		err = r.page(&page)
		out = page.Bytes()
	case table.FormatTable, table.FormatUnset:
		out = sheets(r, func(t table.Table) []byte { return t.Text(width) })
		if drawn := table.BarChart(r.bars(), width); drawn != nil { // on a terminal alone
			out = append(append(out, '\n'), drawn...)
		}
	}
	if err != nil {
		return fmt.Errorf("render report %s: %w", r.Name, err)
	}
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("write report %s: %w", r.Name, err)
	}
	return nil
}

// hasColumns says of the first column that is asked for and in no table of the
// report which there are.
func (r Report) hasColumns() error {
	if r.Paper == nil {
		return nil
	}
	known := make(map[string]bool)
	for _, t := range append(r.laidOut(), r.Table()) {
		for _, c := range t.Columns {
			known[c.Name] = true
		}
	}
	for _, name := range r.Paper.Columns {
		if !known[name] {
			return fmt.Errorf("report %s has no column %q: its columns are %s", r.Name, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	return nil
}

// generator stands before the version in what concord writes.
const generator = "generator: concord "

// pageGenerator is what stands before it in a page.
const pageGenerator = `<meta name="generator" content="concord`

// Wrote reports whether concord wrote a file, of which an empty one is nobody's.
func Wrote(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	defer func() { _ = f.Close() }()
	const head = 1024
	text, err := io.ReadAll(io.LimitReader(f, head))
	return len(text) == 0 || bytes.Contains(text, []byte(generator)) || bytes.Contains(text, []byte(pageGenerator)), err
}

// sheets prints the tables one below the other.
func sheets(r Report, print func(table.Table) []byte) []byte {
	var all [][]byte
	for _, t := range r.tables() {
		if len(t.Columns) > 0 || r.Paper == nil || len(r.Paper.Columns) == 0 {
			all = append(all, print(t))
		}
	}
	return bytes.Join(all, []byte("\n"))
}

// encode is the report as one JSON object on one line per nesting level. The
// encoder escapes C0 controls; DEL and C1, which terminals obey as well, are
// escaped here: they can only stand within strings.
func encode(r Report) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, c := range b.String() {
		if c >= 0x7f && c <= 0x9f {
			fmt.Fprintf(&out, `\u%04x`, c)
		} else {
			out.WriteRune(c)
		}
	}
	return out.Bytes(), nil
}
