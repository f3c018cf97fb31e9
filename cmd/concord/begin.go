package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/cmd/concord/config"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
	"concord/tui"
	"concord/tui/importer"
	"concord/tui/term"
	"concord/tui/widget"
)

// beginner is where the screen finds files to import. Without an open store it
// makes the project when something is imported, and not before.
type beginner struct {
	app *app
	st  *store.Store
}

var _ importer.Source = beginner{}

// shownRows is how many rows of a file are previewed.
const shownRows = 8

// likely are the ends of the names of files that can be imported.
var likely = []string{".tsv", ".csv", ".xlsx", ".json", ".jsonl", ".parquet", ".eval"}

// Folder lists a folder.
func (b beginner) Folder(_ context.Context, path string) (importer.Folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return importer.Folder{}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return importer.Folder{}, fmt.Errorf("read folder: %w", err)
	}
	out := importer.Folder{Path: path}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		one := importer.Entry{Name: e.Name(), Folder: e.IsDir(), Likely: slices.Contains(likely, strings.ToLower(filepath.Ext(e.Name())))}
		if info, err := os.Stat(filepath.Join(path, e.Name())); err == nil { // links are followed
			one.Folder, one.Size, one.At = info.IsDir(), info.Size(), info.ModTime()
		}
		out.Entries = append(out.Entries, one)
	}
	slices.SortStableFunc(out.Entries, func(a, b importer.Entry) int {
		if a.Folder != b.Folder {
			return map[bool]int{true: -1, false: 1}[a.Folder]
		}
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return out, nil
}

// Preview reads the first rows of a file.
func (b beginner) Preview(ctx context.Context, path string) (importer.Preview, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return importer.Preview{}, err
		}
		path = filepath.Join(home, rest)
	}
	p, err := dataset.Look(ctx, path, shownRows)
	if err != nil {
		return importer.Preview{}, err
	}
	out := importer.Preview{
		Path: path, Format: p.Format, Size: p.Size, Answers: p.Answers(), Asks: p.Asks(),
		Dataset: string(p.Dataset), Model: p.Model,
	}
	for i := range p.Rows {
		out.Rows = append(out.Rows, previewRow(&p.Rows[i]))
		out.Model = cmp.Or(out.Model, p.Rows[i].Model)
	}
	for _, problem := range p.Problems {
		out.Problems = append(out.Problems, problem.String())
	}
	err = b.names(&p, &out)
	return out, err
}

func previewRow(r *dataset.PreviewRow) importer.Row {
	options := make([]string, len(r.Options))
	for i, o := range r.Options {
		options[i] = string(o.Letter) + " " + o.Text
	}
	return importer.Row{
		ID: r.ID, Question: r.Question, Options: strings.Join(options, ", "), Answer: r.Answer,
		Prediction: r.Prediction, Pictures: r.Pictures,
	}
}

// names finds the project's dataset that a file of predictions is about, and
// the model, in the file's name: the kit calls it MODEL_DATASET.xlsx.
func (b beginner) names(p *dataset.Preview, out *importer.Preview) error {
	if b.st == nil {
		return nil
	}
	all, err := b.st.Datasets().List()
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(out.Path), filepath.Ext(out.Path))
	longest := 0
	for _, d := range all {
		at := indexFold(base, string(d.Name))
		exact := strings.EqualFold(string(d.Name), string(p.Dataset))
		if !exact && (at < 0 || !out.Answers || p.Named || len(d.Name) <= longest) {
			continue
		}
		longest = len(d.Name)
		out.Dataset, out.Known = string(d.Name), true
		if out.Model == "" && at > 0 {
			out.Model = strings.Trim(base[:at], "_- ")
		}
		if exact {
			break
		}
	}
	return nil
}

// Import brings a file in.
func (b beginner) Import(ctx context.Context, o importer.Order, watch func(read, total int64)) (out importer.Outcome, err error) {
	keep := func(p dataset.Problem) {
		if out.Left++; out.Left <= shownProblems {
			out.Problems = append(out.Problems, p.String())
		}
	}
	do := func(st *store.Store) error {
		sum, err := b.bring(ctx, st, o, dataset.Options{Name: eval.DatasetName(o.Dataset), Progress: watch, Skipped: keep})
		if err != nil {
			return err
		}
		out.Summary, out.Next = describe(sum), next(o)
		return nil
	}
	if b.st != nil {
		err = do(b.st)
		return out, err
	}
	quiet := *b.app
	quiet.streams = streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	err = quiet.write(ctx, true, do)
	return out, err
}

// indexFold is where a name stands in a text, whatever the case of its letters;
// -1 when it does not.
func indexFold(text, name string) int {
	for i := range text {
		if len(text)-i >= len(name) && strings.EqualFold(text[i:i+len(name)], name) {
			return i
		}
	}
	return -1
}

func (b beginner) bring(ctx context.Context, st *store.Store, o importer.Order, opt dataset.Options) (dataset.Summary, error) {
	if !o.Answers {
		return dataset.Import(ctx, st.Datasets(), o.Path, opt)
	}
	reader, err := rulesFor(extract.Default)
	if err != nil {
		return dataset.Summary{}, err
	}
	return dataset.ImportPredictions(ctx, predictionSink{st.Datasets(), st.Runs(), st.Judgments()}, o.Path, dataset.PredictionOptions{
		Options: opt, Dataset: opt.Name, Model: o.Model, Modality: eval.WithImage, Reader: reader, Now: b.app.now,
	})
}

// next is what can be done with what was imported, with keys in braces.
func next(o importer.Order) string {
	if !o.Answers {
		return "{n@runs} on the screen of runs asks a model these questions; {i@runs} imports predictions that you have already."
	}
	return "The report ({a@runs}) has its accuracy now. {l@runs} on the screen of runs makes a queue of what the rules could not read, for people to label."
}

// Check looks after the configuration and its endpoints.
func (b beginner) Check(ctx context.Context) ([]importer.Finding, error) {
	var all findings
	if c := checkConfig(b.app, &all); c != nil {
		checkEndpoints(ctx, c, &all)
	}
	out := make([]importer.Finding, len(all))
	for i, f := range all {
		out[i] = importer.Finding{Check: f.Check, Verdict: f.Verdict.String(), Text: f.Finding, Advice: f.Advice, Good: f.Verdict == healthOK}
	}
	return out, ctx.Err()
}

// welcome asks what to begin with where there is no project.
func welcome(ctx context.Context, a *app) error {
	conf, err := config.LoadScreen(a.configPlaces())
	if err != nil {
		return err
	}
	session := probe()
	taste, err := newTaste(a, conf)
	if err != nil {
		return err
	}
	m := tui.NewWelcome(ctx, filepath.Base(a.path), taste.keys, importer.Deps{Theme: widget.NewTheme(taste.renderer), Source: beginner{app: a}}, connector{a})
	out := term.NewOutput(os.Stdout)
	p := tea.NewProgram(out.Paint(m), append(term.Options(os.Stdin, out), tea.WithContext(ctx))...)
	go session.Type(p.Send)
	stops, done := context.WithCancel(ctx)
	defer done()
	term.Stops(stops, p.Send, func() {})
	if _, err := p.Run(); err != nil {
		if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
			return errInterrupted
		}
		return err
	}
	switch m.Choice() {
	case importer.Demo:
		if a.path, err = demoFile(); err != nil {
			return err
		}
		return runDemo(ctx, a, false, "")
	case importer.Imported:
		return openScreen(ctx, a, screenOptions{}, nil)
	case importer.ChoiceUnset:
	}
	return nil
}
