package tui

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/adjudicate"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	criteriascreen "concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/guideline"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/judging"
	"concord/tui/keymap"
	"concord/tui/label"
	"concord/tui/secondlook"
	"concord/tui/team"
	"concord/tui/vote"
	"concord/tui/workshop"
)

// place is a screen, or a part of one, and the keys that lead there from the
// home screen.
type place struct {
	name   string
	keys   []string
	labels bool // people answer here: digits are answers
	typing bool // keys are text here
}

// everyPlace is where each convention is held.
func everyPlace() []place {
	return []place{
		{name: "runs"},
		{name: "runs filter", keys: []string{"/", "o"}, typing: true},
		{name: "run page", keys: []string{"d"}},
		{name: "errors", keys: []string{"e"}},
		{name: "judging", keys: []string{"tab", "enter"}},
		{name: "judging form", keys: []string{"V"}, typing: true},
		{name: "lobby", keys: []string{"v"}},
		{name: "lobby filter", keys: []string{"v", "/", "d"}, typing: true},
		{name: "review", keys: []string{"v", "enter"}, labels: true},
		{name: "review note", keys: []string{"v", "enter", ","}, typing: true},
		{name: "review guideline", keys: []string{"v", "enter", ";"}, labels: true},
		{name: "guideline", keys: []string{"v", "ctrl+g"}},
		{name: "guideline editor", keys: []string{"v", "ctrl+g", "e"}, typing: true},
		{name: "guideline draft", keys: []string{"v", "enter", "ctrl+g", "e", "x", "esc"}},
		{name: "import", keys: []string{"i"}, typing: true},
		{name: "import preview", keys: []string{"i", "enter"}, typing: true},
		{name: "import done", keys: []string{"i", "enter", "enter"}},
		{name: "connect", keys: []string{"m"}, typing: true},
		{name: "connect models", keys: []string{"m", "enter"}, typing: true},
		{name: "people", keys: []string{"P"}},
		{name: "workshop", keys: []string{"W"}},
		{name: "workshop editor", keys: []string{"W", "e"}, typing: true},
		{name: "second look", keys: []string{"L"}},
		{name: "second look filter", keys: []string{"L", "/", "a"}, typing: true},
		{name: "second look comment", keys: []string{"L", ","}, typing: true},
		{name: "written", keys: []string{"w"}},
		{name: "written filter", keys: []string{"w", "/", "a"}, typing: true},
		{name: "written editor", keys: []string{"w", "e"}, typing: true},
		{name: "written changes", keys: []string{"w", "x"}, typing: true},
		{name: "people keys", keys: []string{"P", "tab"}},
		{name: "people filter", keys: []string{"P", "/", "a"}, typing: true},
		{name: "people form", keys: []string{"P", "n"}, typing: true},
		{name: "new queue", keys: []string{"v", "l"}, typing: true},
		{name: "votes", keys: []string{"v", "G", "enter"}, labels: true},
		{name: "votes reason", keys: []string{"v", "G", "enter", "ctrl+x"}, typing: true},
		{name: "compare", keys: []string{"v", "w"}},
		{name: "compare list", keys: []string{"v", "w", "tab"}},
		{name: "compare filter", keys: []string{"v", "w", "tab", "/"}, typing: true},
		{name: "report", keys: []string{"a"}},
		{name: "report finder", keys: []string{"a", "/"}, typing: true},
		{name: "report page", keys: toReport("votes")},
		{name: "samples", keys: []string{"enter"}},
		{name: "samples filter", keys: []string{"enter", "/", "1"}, typing: true},
		{name: "sample", keys: []string{"enter", "enter"}},
		{name: "pairs", keys: toReport("votes", "down", "down", "enter")},
		{name: "pair", keys: toReport("votes", "down", "down", "enter", "enter")},
		{name: "criteria", keys: []string{"b"}},
		{name: "criteria filter", keys: []string{"b", "/"}, typing: true},
		{name: "criteria page", keys: []string{"b", "down", "enter"}, labels: true},
		{name: "criteria editor", keys: []string{"b", "down", "enter", "e"}, typing: true},
		{name: "curate", keys: []string{"b", "]", "enter", "left"}, labels: true},
		{name: "curate filter", keys: []string{"b", "]", "enter", "/"}, typing: true},
	}
}

// library is a dataset of a few samples whose criteria nobody has written.
type library struct{ acts []criteria.Act }

func (*library) Datasets() ([]eval.Dataset, error) {
	return []eval.Dataset{{Name: "open", Samples: 3, Complete: true}}, nil
}

func (*library) Rows(_ context.Context, d eval.DatasetName) ([]criteriascreen.Row, error) {
	var out []criteriascreen.Row
	for i := range 3 {
		o := eval.Ordinal(i)
		s := eval.Sample{Ordinal: o, ID: eval.SampleID(fmt.Sprint("s", i)), Kind: eval.KindOpen, Question: "What does it show?", Pictures: []eval.Picture{{Hash: "shape", Name: "shape.png"}}}
		out = append(out, criteriascreen.Row{Sample: s, Set: criteria.NewSet(d, o)})
	}
	return out, nil
}

func (*library) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	return criteria.NewSet(d, o), nil
}
func (*library) Picture(eval.PictureHash) ([]byte, error) { return shape(), nil }
func (*library) Add(context.Context, eval.DatasetName, criteriascreen.Addition) (none eval.Sample, _ error) {
	return none, eval.ErrNotFound
}

func (l *library) Append(_ context.Context, acts ...criteria.Act) error {
	l.acts = append(l.acts, acts...)
	return nil
}

// queued is items to answer, with all that the screens ask for.
type queued struct{ annotationtest.Bench }

func (*queued) ReadMachinesForTotals(context.Context, annotate.QueueName, annotate.ItemKey) (none blind.Revealed, _ error) {
	return none, nil
}

func (*queued) Reveal(context.Context, annotate.QueueName, annotate.ItemKey, bool) (none blind.Revealed, _ error) {
	return none, nil
}

func (*queued) RevealPair(context.Context, annotate.QueueName, annotate.ItemKey) (none blind.RevealedPair, _ error) {
	return none, nil
}

// shape is a picture.
func shape() []byte {
	var b bytes.Buffer
	gray := image.NewGray(image.Rect(0, 0, 400, 300))
	for i := range gray.Pix {
		gray.Pix[i] = 0x80
	}
	if err := png.Encode(&b, gray); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func newQueued(name annotate.QueueName, from annotate.From) *queued {
	b := &queued{}
	b.Pictures = map[eval.PictureHash][]byte{"shape": shape()}
	b.Queue = annotate.Queue{Name: name, Overlap: 1, Items: 2, Rule: annotate.Rule{Dataset: "demo", From: from, Seed: 1}}
	for i := range 2 {
		k := annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)})
		it := annotate.Item{
			Queue: name, Index: i, Key: k, Kind: eval.KindChoice, Sample: eval.SampleID(fmt.Sprint(100 + i)),
			Question: "Which shape is it?", Prediction: "The \x1b[31mfirst one, I think.",
			Options: []eval.Option{{Letter: "A", Text: "a square"}, {Letter: "B", Text: "a star"}}, Pictures: []eval.Picture{{Hash: "shape", Name: "shape.png"}},
		}
		if from == annotate.FromPairs {
			it.Key.Against, it.Against, it.Kind = 2, "The second.", eval.KindOpen
		}
		b.Items = append(b.Items, it)
	}
	return b
}

// comparison is a queue that is compared.
type contest struct{ report.Facts }

func (contest) RecordCompared(context.Context, annotate.Annotator, *alignment.QueueComparison) error {
	return nil
}

func (contest) LegiblePredictions(context.Context, annotate.Annotator, annotate.QueueName) (alignment.Legible, error) {
	return func(eval.Key) (bool, error) { return true, nil }, nil
}

func (contest) LoadExhibit(context.Context, annotate.Annotator, annotate.ItemKey) (none adjudicate.Exhibit, _ error) {
	return none, nil
}

// rules are a queue's guideline, by nobody but those who write it.
type rules struct {
	versions []annotate.Guideline
	draft    string
}

func (r *rules) Draft(context.Context, annotate.QueueName, annotate.Annotator) (string, error) {
	return r.draft, nil
}

func (r *rules) KeepDraft(_ context.Context, _ annotate.QueueName, _ annotate.Annotator, text string) error {
	r.draft = text
	return nil
}

func (r *rules) History(context.Context, annotate.QueueName) (guideline.History, error) {
	return guideline.History{Versions: slices.Clone(r.versions)}, nil
}

func (r *rules) StoreVersion(_ context.Context, _ annotate.QueueName, g annotate.Guideline) error {
	if g.Version != len(r.versions)+1 {
		return annotate.ErrConflict
	}
	r.versions = append(r.versions, g)
	return nil
}

// beginning is a folder with one file, which can be imported.
type beginning struct{}

func (beginning) ListFolder(context.Context, string) (importer.Folder, error) {
	return importer.Folder{Path: "/data", Entries: []importer.Entry{{Name: "bench.tsv", Likely: true, Size: 512, At: clock}}}, nil
}

func (beginning) PreviewFile(_ context.Context, path string) (importer.Preview, error) {
	return importer.Preview{Path: path, Format: "tsv", Dataset: "bench", Asks: true, Rows: []importer.Row{{ID: "1", Question: "Which?"}}}, nil
}

func (beginning) ImportFile(context.Context, importer.Order, func(read, total int64)) (importer.Outcome, error) {
	return importer.Outcome{Summary: "bench: added 1", Next: "{n@runs} on the screen of runs asks a model."}, nil
}

func (beginning) DiagnoseConfig(context.Context) ([]importer.Finding, error) {
	return []importer.Finding{{Check: "config", Verdict: "ok", Text: "found", Good: true}}, nil
}

// crew is a team of two, in memory.
type crew struct{}

func (crew) ListMembers(context.Context) ([]team.Member, error) {
	return []team.Member{
		{Name: "ada", Role: annotate.RoleOwner, Since: clock, By: "ada", Sessions: []team.Session{{ID: 1, Since: clock}}},
		{
			Name: "bob", Role: annotate.RoleAnnotator, Since: clock, By: "ada", Seen: clock.Add(-time.Hour), Labels: 12,
			Keys: []team.Key{{Fingerprint: "SHA256:k3yOfBob", Type: "ssh-ed25519"}}, Queues: []team.QueueWork{{Queue: "unparsable", Done: 12, Items: 17}},
		},
	}, nil
}

func (crew) ChangeAccess(_ context.Context, _ annotate.Annotator, c team.Change) (team.Done, error) {
	return team.Done{Said: "bob is " + c.Role.String() + " now", Back: c}, nil
}
func (crew) EndSession(context.Context, uint64) error { return nil }

// looks is a second look at nothing.
type looks struct{}

func (looks) ListVisibleEntries(context.Context, annotate.Annotator) (secondlook.List, error) {
	return secondlook.List{Rows: []secondlook.Row{{Entry: review.Entry{
		Dataset: "bench", Queue: "unparsable", Matter: annotate.FlagMatter, Of: annotate.ActRef{Who: "bob", N: 1}, At: clock,
	}, Sample: "7", Number: 1}}}, nil
}

func (looks) StoreDecisions(_ context.Context, _ annotate.Annotator, acts []annotate.Act) ([]annotate.Act, error) {
	return acts, nil
}

// second is the page of that second look.
func second() Page {
	return Page{
		Message: secondlook.Open{}, Key: keymap.Runs.BindAction("second_look"), Tab: TabReview, May: annotate.MayLabel, Whose: "who labels", Name: "Second look",
		New: func(ctx context.Context, v Opening) Screen {
			return secondlook.New(ctx, secondlook.Deps{Theme: v.Theme, Source: looks{}, Who: v.Who, Decides: true, Now: v.Now})
		},
	}
}

// bench is one prompt of a judge.
type bench struct{ workshop.Source }

func (bench) ReadTrials(context.Context, annotate.QueueName, string) (workshop.Bench, error) {
	return workshop.Bench{Queue: "unparsable", Judge: "mini", Judges: []string{"mini"}, Candidates: []workshop.Candidate{{Name: "mini~0123abcd", Text: "Match the answer with an option.", Now: true}}}, nil
}

func (bench) KeepDraft(annotate.QueueName, string, string) error { return nil }

// prompts is the page of that prompt.
func prompts() Page {
	return Page{
		Message: home.OpenWorkshop{}, May: annotate.MayRun, Whose: "the owner", Name: "Judge workshop",
		New: func(ctx context.Context, v Opening) Screen {
			return workshop.New(ctx, workshop.Deps{Theme: v.Theme, Source: bench{}, Who: v.Who, Now: v.Now})
		},
	}
}

// people is the page of that team.
func people() Page {
	return Page{
		Message: team.Open{}, Key: keymap.Runs.BindAction("people"), May: annotate.MayManagePeople, Whose: "the owner", Name: "People",
		New: func(ctx context.Context, v Opening) Screen {
			return team.New(ctx, team.Deps{Theme: v.Theme, Source: crew{}, Who: v.Who, Now: v.Now})
		},
	}
}

// office is an app with every screen, none of them a stand-in.
type office struct {
	*app
	notebook *annotationtest.Notebook
	rules    *rules
	copied   []string
}

func newOffice(t *testing.T) *office {
	p := polled()
	th := theme(termenv.Ascii, true)
	o := &office{app: newApp(t, p, th, "ada"), notebook: &annotationtest.Notebook{}}
	d := *o.deps
	now := func() time.Time { return clock }
	ct := &court{}
	d.Judging = judging.Deps{Source: ct, Control: ct, Scheduler: ct}
	o.rules = &rules{versions: []annotate.Guideline{{Version: 1, Text: "Read the answer.", By: "bob", At: clock}}}
	d.Guidelines, d.Begin, d.Connect, d.NewQueues, d.Pages = o.rules, beginning{}, &wiring{}, &drawing{p: p}, []Page{people(), second(), author(), prompts()}
	w := criteria.NewWriter((&library{}).Append, now)
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	d.Criteria = criteriascreen.Deps{Source: &library{}, Writer: w}
	d.Curate = curate.Deps{Source: split{}, Journal: split{}}
	d.Copy = func(text string) tea.Cmd {
		o.copied = append(o.copied, text)
		return nil
	}
	d.Review = func(q annotate.QueueName, by annotate.Annotator) Screen {
		b := newQueued(q, annotate.FromUnparsable)
		return label.New(t.Context(), label.Deps{Deps: annotation.Deps{Queue: q, Annotator: by, Theme: th, Items: b, Pictures: b, Journal: o.notebook, Now: now}, Revealer: b})
	}
	d.Votes = func(q annotate.QueueName, by annotate.Annotator) Screen {
		b := newQueued(q, annotate.FromPairs)
		return vote.New(t.Context(), vote.Deps{Deps: annotation.Deps{Queue: q, Annotator: by, Theme: th, Items: b, Pictures: b, Journal: o.notebook, Now: now}, Revealer: b})
	}
	d.Compare = func(q annotate.QueueName, by annotate.Annotator) Screen {
		b := newQueued(q, annotate.FromUnparsable)
		return adjudicate.New(t.Context(), adjudicate.Deps{Deps: annotation.Deps{Queue: q, Annotator: by, Theme: th, Items: b, Pictures: b, Journal: o.notebook, Now: now, Stay: true}, Source: contest{Facts: p}})
	}
	o.Model = New(t.Context(), d)
	o.size(120, 40)
	o.do(o.tabs.runs.Init())
	return o
}

// at opens an app at a place.
func (pl place) at(t *testing.T) *office {
	o := newOffice(t)
	for _, k := range pl.keys {
		o.send(keymap.NewKeyMsg(k))
	}
	return o
}

// everywhere runs a test at every place.
func everywhere(t *testing.T, f func(t *testing.T, pl place, o *office)) {
	t.Helper()
	for _, pl := range everyPlace() {
		inBubble(t, pl.name, func(t *testing.T) { f(t, pl, pl.at(t)) })
	}
}
