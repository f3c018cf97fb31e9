package importer

import (
	"fmt"
	"strconv"
	"strings"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return widget.DrawScreen(m.size.width, m.size.height, m.drawLines) }

func (m *Model) drawLines() []string {
	switch m.step {
	case atMenu:
		return drawMenu(m)
	case atFolder:
		return drawFolder(m)
	case atPreview:
		return m.form.drawForm(m.size.width, m.size.height, m.err)
	case atWork:
		return drawImportProgress(m)
	case atEnd:
		return m.drawPage("Imported", drawOutcome(m))
	case atCheck:
	}
	return m.drawPage("What is configured", drawFindings(m))
}

// drawTrouble gives why the last thing did not work.
func drawTrouble(m *Model) []string {
	if m.err == nil {
		return nil
	}
	return append([]string{""}, m.size.wrapLines(" ", m.theme.Bad.Render, "✗ "+m.err.Error())...)
}

func drawMenu(m *Model) []string {
	t := m.theme
	out := []string{t.DrawSection("How do you want to begin?", "there is no project here yet", true, widget.SplitListAndDetail(m.size.width, m.size.height, 0).List.Width)}
	for i, o := range listStartOffers() {
		out = append(out, "")
		mark, title := "   ", t.Title.Render(o.title)
		if i == m.menu {
			mark, title = t.Accent.Render(" › "), t.Selected.Render(o.title)
		}
		out = append(out, mark+title)
		out = append(out, m.size.wrapLines("     ", t.Faint.Render, o.text)...)
	}
	out = append(out, "")
	out = append(out, m.size.wrapLines(" ", t.Faint.Render, "All of it is on the command line, too: concord --help.")...)
	h := widget.SplitListAndDetail(m.size.width, m.size.height, len(out))
	s := widget.Sheet{Theme: t, Width: h.Detail.Width, Out: []string{t.DrawSection("The first steps", "", false, h.Detail.Width)}}
	s.AddField("questions", "a benchmark's file, with its images: it becomes a dataset")
	s.AddField("answers", "of models: imported from a file, or asked for on the screen of runs, once a model is connected")
	s.AddField("labels", "people say what answers mean that no rule can read, and which answer is better")
	s.AddField("report", "how models do, with intervals, and the samples behind each number")
	s.Out = append(s.Out, "")
	addReadableFormats(&s)
	return t.DrawHalves(h, out, s.Out)
}

// addReadableFormats adds what can be imported.
func addReadableFormats(s *widget.Sheet) {
	s.Out = append(s.Out, s.Theme.DrawSection("What is read", "", false, s.Width))
	s.AddField("questions", "TSV or xlsx as VLMEvalKit has them, parquet and JSON lines of datasets, CSV, JSON: any table with a column of questions, with their images")
	s.AddField("predictions", "xlsx of VLMEvalKit, logs of lmms-eval and inspect_ai, or any table with sample ids and responses")
	s.AddField("folders", "some benchmarks are a folder, as MME is: concord import --help in a shell")
}

func drawFolder(m *Model) []string {
	t := m.theme
	note := eval.Either(m.files.filter != "", fmt.Sprintf("%d of %d", len(m.files.shown), len(m.files.folder.Entries)), "")
	out := []string{t.DrawSection("Choose a file", note, true, m.size.width)}
	where := " " + t.Faint.Render(widget.CutWidth(widget.CleanLine(m.files.folder.Path), max(1, m.size.width-2)))
	if m.files.filter != "" {
		where = " " + t.Key.Render("filter ") + widget.CutWidth(widget.CleanLine(m.files.filter), max(1, m.size.width-10)) + t.Accent.Render("▏")
	}
	out = append(out, where)
	if t := drawTrouble(m); t != nil {
		out = append(out, t[1:]...)
	}
	if m.reading {
		return append(out, " "+t.Faint.Render("reading…"))
	}
	empty := "Nothing here. ← goes to the folder above; or type or paste a whole path."
	switch {
	case isPath(m.files.filter):
		empty = "enter reads this file."
	case m.files.filter != "":
		empty = "No name here has that. esc takes the filter away."
	}
	rows := max(1, m.size.height-len(out))
	if !m.size.isWide() {
		return append(out, drawFiles(m, empty, m.size.width, rows)...)
	}
	at := m.size.width * 2 / 5
	return append(out, t.DrawBeside(t.AddLegendBelow(drawFiles(m, empty, at, rows), at, rows), drawFileBeginning(m, m.size.width-at-3, rows), at, m.size.width, rows)...)
}

// drawFileBeginning draws what the file under the cursor begins with, and what may be chosen.
func drawFileBeginning(m *Model, width, height int) []string {
	t, b := m.theme, &m.beside
	var out []string
	switch {
	case b.err != nil:
		out = t.Bad.WrapStyled(" ", "✗ "+b.err.Error(), width-1)
	case b.form != nil:
		p := &b.form.preview
		out = []string{t.DrawSection("First rows of "+widget.CleanLine(baseName(p.Path)), p.Format, false, width)}
		out = append(out, t.DrawTable(b.form.makeRowTable(), width, min(height/2, len(p.Rows)+1))...)
		for _, problem := range p.Problems[:min(len(p.Problems), 3)] {
			out = append(out, t.Warn.WrapStyled(" ", "left out: "+widget.CleanLine(problem), width-1)...)
		}
		out = append(out, "", " "+t.Strong.Render(holds[b.form.kind])+t.Faint.Render(": enter says under which names they are imported"))
	case b.path != "":
		out = []string{" " + t.Faint.Render("reading…")}
	}
	s := widget.Sheet{Theme: t, Width: width, Out: append(out, "")}
	addReadableFormats(&s)
	s.AddField("+", "a kind of file that can be imported: enter shows more of it, and nothing is written before the next enter")
	return s.Out
}

func drawFiles(m *Model, empty string, width, height int) []string {
	t := m.theme
	return t.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "name", Width: 24, Grow: 1, Name: true},
			{Title: "size", Width: 9, Right: true},
			{Title: "changed", Width: 16, Least: 70},
		},
		Rows: len(m.files.shown), Cursor: m.files.at, Focused: true, Empty: empty,
		Row: func(i int) []string {
			e := m.files.folder.Entries[m.files.shown[i]]
			name, mark, size := widget.CleanLine(e.Name), " ", formatBytes(e.Size)
			switch {
			case e.Folder:
				name, size = name+"/", ""
			case e.Likely:
				mark = t.Good.Render("+")
			default:
				name = t.Faint.Render(name)
			}
			return []string{mark, name, size, e.At.Local().Format("2006-01-02 15:04")}
		},
	}, width, height)
}

// formatBytes writes a size in the unit that suits it.
func formatBytes(n int64) string {
	switch f := float64(n); {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1e6:
		return strconv.FormatFloat(f/1e3, 'f', 1, 64) + " kB"
	case n < 1e9:
		return strconv.FormatFloat(f/1e6, 'f', 1, 64) + " MB"
	default:
		return strconv.FormatFloat(f/1e9, 'f', 1, 64) + " GB"
	}
}

// drawForm draw the first rows, and under them what they are imported as.
func (f *importForm) drawForm(width, height int, err error) []string {
	t := f.theme
	p := &f.preview
	out := []string{t.DrawSection("First rows of "+widget.CleanLine(baseName(p.Path)), "nothing is written yet", false, width)}
	below := f.drawImportFields(width, err)
	room := max(3, height-len(out)-len(below)-1-min(len(p.Problems), 3))
	out = append(out, t.DrawTable(f.makeRowTable(), width, min(room, len(p.Rows)+1))...)
	for _, problem := range p.Problems {
		if len(out) < height-len(below)-1 {
			out = append(out, " "+t.Warn.Render(widget.CutWidth("left out: "+widget.CleanLine(problem), max(1, width-2))))
		}
	}
	out = widget.FitBox(out, width, max(len(out), height-len(below)))
	return append(out[:max(1, height-len(below))], below...)
}

// makeRowTable makes the first rows, as they would be read.
func (f *importForm) makeRowTable() widget.Table {
	p := &f.preview
	columns := []widget.Column{{Title: "id", Width: 8, Name: true}, {Title: "question", Width: 16, Grow: 2}}
	columns = append(columns, eval.Either(f.holdsPredictions(), []widget.Column{{Title: "response", Width: 16, Grow: 2}},
		[]widget.Column{{Title: "options", Width: 14, Grow: 1, Least: 70}, {Title: "answer", Width: 6}, {Title: "images", Width: 8, Right: true}})...)
	return widget.Table{
		Columns: columns, Rows: len(p.Rows), Cursor: widget.Cursor{At: -1},
		Empty: "None of the first rows can be read.",
		Row: func(i int) []string {
			r := &p.Rows[i]
			cells := []string{widget.CleanLine(r.ID), shortenCell(r.Question)}
			if f.holdsPredictions() {
				return append(cells, shortenCell(r.Prediction))
			}
			answer := "-"
			if r.Truth { // which one it is stays hidden from whoever will label
				answer = "known"
			}
			return append(cells, shortenCell(r.Options), answer, strconv.Itoa(r.Pictures))
		},
	}
}

// shortenCell is as much of a text as a cell can hold.
func shortenCell(s string) string {
	const most = 400
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return widget.CleanLine(s)
}

func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// drawImportFields draws the fields, and what the import will do or why it cannot be.
func (f *importForm) drawImportFields(width int, err error) []string {
	t := f.theme
	out := []string{t.DrawSection("Import it as", f.preview.Format+", "+formatBytes(f.preview.Size), true, width)}
	out = append(out, form.DrawFields(t, f.formFields(), f.at, width)...)
	if err != nil {
		return append(out, form.WrapThreeLines(width, t.Bad.Render, "✗ "+err.Error())...)
	}
	return append(out, form.WrapThreeLines(width, t.Faint.Render, f.describeImport())...)
}

func (f *importForm) describeImport() string {
	switch {
	case !f.holdsPredictions():
		return "The questions are imported with their images; predictions can follow, from a file or a model."
	case f.preview.Known && inputName(&f.dataset) == f.preview.Dataset:
		return "The predictions go to the dataset of that name that the project has."
	case f.preview.Asks:
		return "The file holds the questions too: the dataset is made from it, unless the project has one of that name."
	}
	return "The file holds no questions: import the benchmark's own file first, under the name given here."
}

func drawImportProgress(m *Model) []string {
	t := m.theme
	read, of := m.come.Load(), m.total.Load()
	return []string{
		t.DrawSection("Importing "+widget.CleanLine(baseName(m.form.preview.Path)), "", true, m.size.width), "",
		fmt.Sprintf(" %s %s", t.DrawBar(max(8, min(widget.MostBar, m.size.width-28)), widget.ShareOf(read, of)), t.Faint.Render(formatBytes(read)+" of "+formatBytes(of))),
	}
}

// drawPage draws a text that may be longer than the screen.
func (m *Model) drawPage(title string, lines []string) []string {
	rows := max(1, m.size.height-1)
	m.top = max(0, min(m.top, len(lines)-rows))
	note := eval.Either(len(lines) > rows, fmt.Sprintf("lines %d-%d of %d", m.top+1, min(m.top+rows, len(lines)), len(lines)), "")
	return append([]string{m.theme.DrawSection(title, note, true, m.size.width)}, lines[m.top:min(m.top+rows, len(lines))]...)
}

func drawOutcome(m *Model) []string {
	t, o := m.theme, &m.outcome
	out := append([]string{""}, m.size.wrapLines(" ", t.Good.Render, "✓ "+o.Summary)...)
	if o.Next != "" {
		out = append(out, "")
		out = append(out, m.size.wrapLines(" ", t.Text.Render, m.SpellText(o.Next))...)
	}
	if o.Left > 0 {
		out = append(out, "")
		out = append(out, m.size.wrapLines(" ", t.Warn.Render, fmt.Sprintf("%s left out:", widget.FormatPlural(o.Left, "row")))...)
		for _, p := range o.Problems {
			out = append(out, m.size.wrapLines("   ", t.Faint.Render, p)...)
		}
	}
	return out
}

func drawFindings(m *Model) []string {
	t := m.theme
	if m.reading {
		return []string{"", " " + t.Faint.Render("looking…")}
	}
	out := drawTrouble(m)
	for _, f := range m.findings {
		style := eval.Either(f.Good, t.Good.Render, t.Warn.Render)
		out = append(out, widget.CutWidth(" "+style(widget.FitWidth(f.Verdict, 7))+t.Strong.Render(widget.CleanLine(f.Check)), m.size.width))
		out = append(out, m.size.wrapLines("        ", t.Text.Render, f.Text)...)
		if f.Advice != "" {
			out = append(out, m.size.wrapLines("        ", t.Faint.Render, f.Advice)...)
		}
	}
	return append(out, "", " "+t.Key.Render(m.SpellKey("enter"))+t.KeyText.Render(" connects a model"))
}

// screenSize is the room of the screen, in cells.
type screenSize struct {
	width, height int
}

// isWide reports whether two columns have room.
func (z *screenSize) isWide() bool { return z.width >= 140 }

func (z *screenSize) wrapLines(indent string, style func(...string) string, text string) []string {
	lines := widget.WrapText(text, max(1, min(z.width-len(indent)-1, 90)))
	for i, l := range lines {
		lines[i] = indent + style(l)
	}
	return lines
}

// visibleRows is how many entries of a folder are seen.
func (z *screenSize) visibleRows() int { return max(1, z.height-5) }
