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

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/text"
)

// Settings are tables of what led to figures.
type Settings []table.Table

// Render prints them: as a page, as JSON, or else as Markdown, which is nothing to paste into a paper.
func (s Settings) Render(w io.Writer, f table.Format) error {
	switch f {
	case table.FormatHTML:
		return WritePage(w, &Page{Title: "Settings", Settings: s})
	case table.FormatJSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(s.toPlainLists())
	default:
		_, err := w.Write(printTables(Report{Name: "settings", Sheets: s}, func(t table.Table) []byte { return t.RenderMarkdown() }))
		return err
	}
}

// toPlainLists gives the tables as lists of columns by name, without those of which nothing is known.
func (s Settings) toPlainLists() map[string][]map[string]string {
	out := make(map[string][]map[string]string)
	for _, t := range s {
		for _, r := range t.Rows {
			row := make(map[string]string)
			for i, c := range t.Columns {
				if !r[i].IsUnknown() {
					row[c.Name] = text.Outside(r[i].String()).ForCell()
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
	// Votes yields those of one pair in the order in which they were recorded, failed calls among them.
	Votes(context.Context, eval.Comparison) iter.Seq2[eval.Preference, error]
}

// ReadProvenance reads how everything that reports are made of came about: the runs with their
// settings, and the judges of votes with the hashes of their prompts and settings.
func ReadProvenance(ctx context.Context, facts ProvenanceFacts) (Settings, error) {
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	out := Settings{makeRunSettingsTable(runs)}
	votes, err := makeVoteSettingsTable(ctx, facts)
	if err != nil {
		return nil, err
	}
	if len(votes.Rows) > 0 {
		out = append(out, votes)
	}
	return out, nil
}

// runColumns are left out where nothing is known.
var runColumns = table.ParseColumns("dataset model strategy modality origin rules judges fallback endpoint served_as parameters prompts shots language edge file created")

func makeRunSettingsTable(runs []eval.Run) table.Table {
	t := table.Table{Name: "runs", Columns: slices.Concat(table.ParseColumns("run:count"), runColumns)}
	for _, r := range runs {
		c, s := &r.Config, &r.Config.Settings
		h := NewHead(r, "")
		line := []table.Cell{
			table.NewCount(int(r.ID)), NameOrUnknown(string(c.Dataset)), NameOrUnknown(h.ModelName()), NameOrUnknown(c.Strategy.String()), NameOrUnknown(c.Modality.String()), NameOrUnknown(c.Origin.String()),
			NameOrUnknown(c.Rules), NameOrUnknown(formatJudges(s.Judges)), NameOrUnknown(eval.Either(!s.Fallback, "", "drawn, seed "+strconv.FormatUint(s.Seed, 10))), NameOrUnknown(s.Endpoint), NameOrUnknown(s.Name), NameOrUnknown(s.Params), NameOrUnknown(formatPrompts(s.Prompts)),
			NameOrUnknown(formatUnlessZero(s.Shots)), NameOrUnknown(s.Language), NameOrUnknown(formatUnlessZero(s.Edge)), NameOrUnknown(c.File), NameOrUnknown(""),
		}
		if !r.Created.IsZero() {
			line[len(line)-1] = table.NewText(r.Created.UTC().Format("2006-01-02 15:04"))
		}
		t.Rows = append(t.Rows, line)
	}
	return t.WithoutEmpty(runColumns)
}

// NameOrUnknown is a name, or the mark of one that nobody gave.
func NameOrUnknown(s string) table.Cell {
	return eval.Either(s == "", table.NewUnknown(), table.NewText(s))
}

// formatUnlessZero gives a number, or nothing for 0.
func formatUnlessZero(n int) string { return eval.Either(n == 0, "", strconv.Itoa(n)) }

func formatPrompts(refs []eval.PromptRef) string {
	return eval.JoinList(refs, func(p eval.PromptRef) string {
		return p.Name + " " + p.Language + " " + p.Version + " (" + ShortHash(p.Hash) + ")"
	})
}

func formatJudges(all []eval.JudgeSetup) string {
	return eval.JoinList(all, func(j eval.JudgeSetup) string {
		return j.Judge + " (" + strings.Join(slices.DeleteFunc([]string{j.Name, j.Params, formatPrompts(j.Prompts)}, func(s string) bool { return s == "" }), "; ") + ")"
	})
}

// makeVoteSettingsTable are the judges of each comparison, with what they were asked by.
func makeVoteSettingsTable(ctx context.Context, facts ProvenanceFacts) (table.Table, error) {
	optional := table.ParseColumns("prompts settings criteria_texts")
	t := table.Table{Name: "votes", Columns: slices.Concat(table.ParseColumns("run:count against:count judge criteria input repeat:count votes:count"), optional)}
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
			prompts[ShortHash(v.Prompt)], setups[ShortHash(v.Setup)], texts[v.Text] = true, true, true
		}
		delete(texts, "")
		t.Rows = append(t.Rows, []table.Cell{
			table.NewCount(int(c.A)), table.NewCount(int(c.B)), table.NewText(c.Judge), table.NewText(strconv.FormatBool(c.Criteria)), table.NewText(c.Input.String()),
			table.NewCount(c.Repeat), table.NewCount(n), hashesCell(prompts), hashesCell(setups), NameOrUnknown(formatUnlessZero(len(texts))),
		})
	}
	return t.WithoutEmpty(optional), nil
}

func hashesCell(all map[string]bool) table.Cell {
	delete(all, "")
	return NameOrUnknown(strings.Join(slices.Sorted(maps.Keys(all)), ", "))
}

// RenderReport prints the report. Width is how many cells of a terminal the table format may
// take; 0 is no limit, and no terminal: then nothing is drawn below the tables.
func RenderReport(w io.Writer, r Report, f table.Format, width int) error {
	var out []byte
	err := r.checkColumns()
	if err != nil {
		return err
	}
	switch f {
	case table.FormatJSON:
		out, err = encodeJSON(r)
	case table.FormatCSV:
		out, err = r.MakeRowTable().OnlyPaperColumns(r.Paper).WithoutTerminalColumns().WithDamageColumn(r.Damaged).RenderCSV()
	case table.FormatMarkdown:
		out = printTables(r, func(t table.Table) []byte { return t.WithoutTerminalColumns().RenderMarkdown() })
		if r.Version != "" {
			out = fmt.Appendf(out, "\n<!-- %s%s -->\n", generator, r.Version)
		}
	case table.FormatLaTeX:
		if r.Version != "" {
			out = fmt.Appendf(nil, "%% %s%s\n", generator, r.Version)
		}
		n := 0
		out = append(out, printTables(r, func(t table.Table) []byte {
			n++
			return t.WithoutTerminalColumns().RenderLaTeX(r.Paper.ForNthTable(n, t.Title))
		})...)
	case table.FormatHTML:
		var page bytes.Buffer
		err = WritePage(&page, &Page{Title: r.Name, Version: r.Version, Sections: []Section{{Name: r.Name, Title: r.Name, Report: r}}})
		out = page.Bytes()
	case table.FormatSVG, table.FormatPGF:
		out, err = r.writeCharts(f)
	case table.FormatTable, table.FormatUnset:
		r.Separate = nil // nothing is bold
		out = printTables(r, func(t table.Table) []byte { return t.RenderText(width) })
		if drawn := table.DrawBarChart(r.rateBars(), width); drawn != nil { // on a terminal alone
			out = append(append(out, '\n'), drawn...)
		}
	}
	if err != nil {
		return fmt.Errorf("render report %s: %w", r.Name, err)
	}
	_, err = w.Write(out)
	return eval.WrapError(err, "write report %s", r.Name)
}

// writeCharts writes the report's charts as a file of one picture.
func (r Report) writeCharts(f table.Format) ([]byte, error) {
	all := r.makeCharts()
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("it has no chart, which %s is of: latex, markdown, csv and the others print its tables", f)
	case f == table.FormatSVG:
		return chart.WriteSVG(all, func(s string) string { return text.Outside(s).ForCell() }), nil
	}
	return chart.WritePGF(all, func(s string) string { return text.Outside(s).ForLaTeX() }), nil
}

// checkColumns says of the first column that is asked for and in no table of the report which there are.
func (r Report) checkColumns() error {
	if r.Paper == nil {
		return nil
	}
	known := make(map[string]bool)
	for _, t := range append(r.ownTables(), r.MakeRowTable()) {
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

// IsOwnFile reports whether concord wrote a file, of which an empty one is nobody's.
func IsOwnFile(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	defer func() { _ = f.Close() }()
	const head = 1024
	text, err := io.ReadAll(io.LimitReader(f, head))
	return len(text) == 0 || bytes.Contains(text, []byte(generator)) || bytes.Contains(text, []byte(pageGenerator)), err
}

// printTables prints the tables one below the other.
func printTables(r Report, print func(table.Table) []byte) []byte {
	printed := eval.Select(r.Tables(), func(t table.Table) bool { return len(t.Columns) > 0 || r.Paper == nil || len(r.Paper.Columns) == 0 })
	return bytes.Join(eval.Map(printed, print), []byte("\n"))
}

// encodeJSON gives the report as one JSON object on one line per nesting level. The encoder escapes C0
// controls; DEL and C1, which terminals obey as well, are escaped here: they can only stand within strings.
func encodeJSON(r Report) ([]byte, error) {
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
