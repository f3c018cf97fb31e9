package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/alignment"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/pairwise"
	"concord/eval"
	"concord/tui/widget"
)

// pollFigures are the figures over votes of one dataset, or of one queue of
// pairs, or of the whole project, as they were computed.
type pollFigures struct {
	report  figures.Report
	people  figures.Report // of Agreement: people among themselves
	votes   figures.Report // of Repeats: what each of them came to
	notes   []string       // what has to be known beside them
	veiled  string         // why single people's figures and pairs are not shown; "" when they are
	missing string         // why there are none; "" when there are some
	// unanchored reports whether there are none because the models are compared
	// with several others, and nobody chose one.
	unanchored bool
	at         time.Time
	stale      bool // facts have changed since
}

// polls is what is shown of one section of votes.
type polls struct {
	places []string // datasets, or queues of pairs, to choose from
	place  string   // the one that is shown
	models []string // of the shown dataset's contests: one of them is the anchor
	anchor string   // the one that was asked for; "": the one that all share
	by     map[string]*pollFigures
}

// ofVotes reports whether a section is of figures over votes, or over what
// else judges and people say of open answers.
func (s section) ofVotes() bool { return s >= votes && s < sections }

// anchored reports whether another model may be the anchor of a section.
func (s section) anchored() bool { return s == votes || s == bias || s == repeats || s == ranks }

// entire reports whether a section is of the whole project: its only place has
// no name.
func (s section) entire() bool { return s == scores || s == ranks }

// poll is the shown section's; nil in a section that is not of votes.
func (m *Model) poll() *polls {
	if !m.section.ofVotes() {
		return nil
	}
	return &m.polls[m.section]
}

// polled are the figures that are shown; nil before they were computed.
func (m *Model) polled() *pollFigures {
	if p := m.poll(); p != nil {
		return p.by[p.place]
	}
	return nil
}

// polling computes the figures of a section for the place that is asked for,
// or the first there is.
func polling(ctx context.Context, s Source, w *work, who annotate.Annotator, place, anchor string, now func() time.Time) computed {
	out := computed{of: w, poll: &pollFigures{at: now()}}
	places, err := placesOf(ctx, s, w.section)
	if err != nil {
		return computed{of: w, err: err}
	}
	if out.places = places; len(places) == 0 {
		return out
	}
	out.place = places[max(0, slices.Index(places, place))]
	if out.models, err = contested(ctx, s, eval.DatasetName(out.place)); err != nil {
		return computed{of: w, err: err}
	}
	if !slices.Contains(out.models, anchor) { // it was asked for on another dataset
		anchor = ""
	}
	if err := out.poll.fill(ctx, s, w.section, who, out.place, anchor); err != nil {
		return computed{of: w, err: err}
	}
	return out
}

// placesOf are the datasets that hold votes, or the queues of pairs; of figures
// on the whole project one without a name.
func placesOf(ctx context.Context, s Source, of section) ([]string, error) {
	if of.entire() {
		return []string{""}, nil
	}
	var out []string
	if of == annotators {
		queues, err := s.Queues()
		if err != nil {
			return nil, fmt.Errorf("list queues: %w", err)
		}
		for _, q := range queues {
			out = append(out, string(q.Name))
		}
		return out, nil
	}
	if of != agreement {
		runs, err := s.Runs()
		if err != nil {
			return nil, fmt.Errorf("list runs: %w", err)
		}
		contests, err := s.Contests(ctx)
		if err != nil {
			return nil, fmt.Errorf("list contests: %w", err)
		}
		for _, c := range contests {
			if i := slices.IndexFunc(runs, func(r eval.Run) bool { return r.ID == c.A }); i >= 0 {
				out = append(out, string(runs[i].Config.Dataset))
			}
		}
	}
	if of == bias || of == agreement {
		queues, err := pairQueues(s, "")
		if err != nil {
			return nil, err
		}
		for _, q := range queues {
			if of == agreement {
				out = append(out, string(q.Name))
			} else {
				out = append(out, string(q.Rule.Dataset))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// pairQueues are the queues of pairs, of one dataset when it is named.
func pairQueues(s Source, of eval.DatasetName) ([]annotate.Queue, error) {
	queues, err := s.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	return slices.DeleteFunc(slices.Clone(queues), func(q annotate.Queue) bool {
		return q.Rule.From != annotate.FromPairs || of != "" && q.Rule.Dataset != of
	}), nil
}

// fill computes the figures of one place, and what of them the person may see.
func (f *pollFigures) fill(ctx context.Context, s Source, of section, who annotate.Annotator, place, anchor string) (err error) {
	var queues []annotate.Queue
	switch of {
	case votes:
		f.report, err = pairwise.Votes(ctx, s, pairwise.VoteOptions{Dataset: eval.DatasetName(place), Anchor: anchor})
	case bias:
		f.report, err = pairwise.Bias(ctx, s, pairwise.VoteOptions{Dataset: eval.DatasetName(place), Anchor: anchor})
		if err == nil {
			queues, err = pairQueues(s, eval.DatasetName(place))
		}
	case repeats:
		o := pairwise.VoteOptions{Dataset: eval.DatasetName(place), Anchor: anchor}
		if f.report, err = pairwise.Repeats(ctx, s, o); err == nil {
			f.votes, err = pairwise.Votes(ctx, s, o)
		}
	case scores:
		f.report, err = accuracy.Scores(ctx, s, figures.Options{})
	case annotators:
		f.report, err = alignment.Annotators(ctx, s, alignment.AnnotatorOptions{Queue: annotate.QueueName(place)})
		queues = []annotate.Queue{{Name: annotate.QueueName(place)}}
	case ranks:
		f.report, err = catalogue.Ranks(ctx, s, pairwise.RankOptions{Votes: pairwise.VoteOptions{Anchor: anchor}, Seed: rankSeed}, figures.Options{})
	default:
		o := pairwise.AgreementOptions{Queue: annotate.QueueName(place)}
		if f.report, err = pairwise.Agreement(ctx, s, o); err == nil {
			f.people, err = pairwise.People(ctx, s, o)
		}
		queues = []annotate.Queue{{Name: annotate.QueueName(place)}}
	}
	switch {
	case errors.Is(err, pairwise.ErrNoAnchor):
		f.unanchored = true
		return nil
	case errors.Is(err, eval.ErrNotFound) && of.entire():
		return nil // what fills it is said in its place
	case errors.Is(err, eval.ErrNotFound):
		f.missing = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	f.notes = slices.Compact(slices.Concat(f.report.Notes, f.people.Notes))
	left := 0
	for _, q := range queues {
		n, err := s.Left(ctx, who, q.Name)
		if err != nil {
			return fmt.Errorf("see what is left of queue %s: %w", q.Name, err)
		}
		left += n
	}
	if left > 0 {
		f.report, f.people = f.report.Whole(), f.people.Whole()
		f.veiled = "single people and pairs are hidden until you have voted on all: " + widget.Plural(left, "pair") + " left"
		if of == annotators {
			f.veiled = "who agrees with whom, and the items, are hidden until you have answered all: " + widget.Plural(left, "item") + " left"
		}
	}
	return nil
}

// pressPoll takes a key on figures over votes.
func (m *Model) pressPoll(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	switch {
	case key.Matches(msg, k.queueNext):
		return m.otherPlace(1)
	case key.Matches(msg, k.queuePrev):
		return m.otherPlace(-1)
	case key.Matches(msg, k.detailed) && m.section == votes:
		m.detailed = !m.detailed
		m.rebuild()
	case key.Matches(msg, k.anchor) && m.section.anchored():
		return m.otherAnchor()
	default:
		m.pressLevels(msg)
	}
	return nil
}

// otherPlace goes to the figures of another dataset or queue.
func (m *Model) otherPlace(by int) tea.Cmd {
	p := m.poll()
	n := len(p.places)
	if n < 2 {
		return nil
	}
	p.place = p.places[(max(0, slices.Index(p.places, p.place))+by+n)%n]
	m.at = widget.Cursor{}
	m.rebuild()
	return m.Enter()
}

// otherAnchor sets the models against another one of them.
func (m *Model) otherAnchor() tea.Cmd {
	p := m.poll()
	if len(p.models) < 2 {
		return nil
	}
	p.anchor = p.models[(slices.Index(p.models, p.anchor)+1)%len(p.models)]
	return m.compute()
}

// placeLine says which dataset or queue is shown, and what has to be known of
// it.
func (m *Model) placeLine() string {
	p, t := m.poll(), m.theme
	what := "dataset "
	switch {
	case m.section.entire():
		what = "all datasets"
	case p.place == "":
		return ""
	case m.section == agreement || m.section == annotators:
		what = "queue "
	}
	out := "  " + t.Faint.Render(what) + t.Strong.Render(widget.Line(p.place))
	if n := len(p.places); n > 1 {
		out += t.Faint.Render(fmt.Sprintf(" (%d of %d, %s next)", slices.Index(p.places, p.place)+1, n, m.Spelled("n")))
	}
	if slices.Contains(p.models, p.anchor) && m.section.anchored() {
		out += t.Faint.Render("  against ") + widget.Line(p.anchor)
	}
	if f := m.polled(); f != nil && f.veiled != "" {
		out += t.Warn.Render("  ! " + widget.Line(f.veiled))
	}
	return out
}

func (m *Model) emptyPoll() string {
	filledBy := map[section]string{repeats: noRepeats, scores: noScores, ranks: noRanks, annotators: noAnnotators}
	switch f := m.polled(); {
	case f == nil:
	case f.unanchored:
		return m.Keyed("The models of this dataset are compared with several others. {c} chooses the one that they are set against.")
	case f.missing != "":
		return f.missing
	}
	if words := filledBy[m.section]; words != "" {
		return m.Keyed(words)
	}
	if m.section == agreement {
		if m.poll().place != "" {
			return m.Keyed("No judge has voted on the pairs of this queue, and nobody else. {v} goes to it, where people vote; on the runs ({h}) {V@runs} has a judge vote:\n  concord import votes FILE --dataset N")
		}
		return m.Keyed("No queues of pairs yet. {v}, then {c@queues} makes one for people to vote on.")
	}
	return m.Keyed("No votes yet. On the runs ({h}) {V@runs} has a judge vote on pairs; {v}, then {c@queues} makes a queue of them for people.\nVotes given elsewhere come by\n  concord import votes FILE --dataset N")
}

// remarks are what has to be known beside figures over votes.
func (f *pollFigures) remarks() [][2]string {
	var out [][2]string
	if f.veiled != "" {
		out = append(out, [2]string{"hidden", f.veiled})
	}
	for _, n := range f.notes {
		out = append(out, [2]string{"note", n})
	}
	return out
}

// pollLines are the lines of the shown section.
func (m *Model) pollLines() []line {
	f := m.polled()
	if f == nil {
		return nil
	}
	switch m.section {
	case votes:
		return m.votesLines(f)
	case bias:
		return m.biasLines(f)
	case repeats:
		return m.repeatsLines(f)
	case scores:
		return m.scoresLines(f)
	case ranks:
		return m.ranksLines(f)
	case annotators:
		return m.annotatorsLines(f)
	default:
		return m.agreementLines(f)
	}
}
