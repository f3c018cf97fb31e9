package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/store"
	"concord/tui"
)

// Step is one step on the way from a file of predictions to a figure that can be cited. Keys
// and Command say how it is taken: keys in braces, as they are named at a place of the app.
type Step struct {
	Name    string `json:"step"`
	Done    bool   `json:"done"`
	Said    string `json:"state"`
	Keys    string `json:"-"`
	Command string `json:"command"`
}

// projectState is what a project holds of what the steps need.
type projectState struct {
	dataset                  string
	runs, answered, unparsed int
	queue                    annotate.Queue // the newest of responses; no name: there is none
	labeled, aligned         int
	corrected                string // the report that was saved last of those with a corrected score; "": none
}

// ListSetupSteps lists all steps of a project, in their order, by totals as r counts them.
func ListSetupSteps(st *store.Store, r *Recounts) ([]Step, error) {
	w, err := readProjectState(st, r)
	if err != nil {
		return nil, err
	}
	from, queue := "unparsed --sample 100%", w.queue.Name
	if w.unparsed < fewest {
		from = "all --sample 100"
	} else if w.unparsed > 200 {
		from = "unparsed --sample 200"
	}
	queue = cmp.Or(queue, "first")
	return []Step{
		{"import", w.runs > 0, fmt.Sprintf("%d runs", w.runs), "{i@runs} imports predictions, {n@runs} asks a model", "concord import predictions FILE --dataset NAME --model NAME"},
		{"extract", w.runs > 0, fmt.Sprintf("%d of %d unparsed", w.unparsed, w.answered), "", "concord report steps"},
		{"draw", w.queue.Name != "", fmt.Sprintf("queue %s, %d items", queue, w.queue.Items), "{l@runs} draws a queue to label: which " + describeSource(from), "concord queue create first --dataset " + w.dataset + " --from " + from},
		{"label", w.queue.Name != "" && w.labeled >= w.queue.Items, fmt.Sprintf("%d of %d items labeled", w.labeled, w.queue.Items), fmt.Sprintf("label queue %s: {enter@runs} on its row opens it", queue), "concord review --queue " + string(queue)},
		{"compare", w.aligned > 0, fmt.Sprintf("%d saved alignment reports", w.aligned), "{a@runs} the report, {/@report} Alignment, {S@report} saves it", "concord report alignment --save --queue " + string(queue)},
		{"correct", w.corrected != "", "the score with people's labels, saved", "{a@runs} the report, {/@report} Accuracy, {S@report} saves the corrected score", "concord report accuracy --corrected --save"},
		{
			"export", w.corrected != "" && !slices.ContainsFunc(exportPaths(st, w.corrected), func(path string) bool { ours, _ := report.IsOwnFile(path); return !ours }), "LaTeX and HTML",
			"{a@runs} the report, {/@report} Accuracy, {E@report} writes LaTeX and HTML",
			fmt.Sprintf("concord report %[1]s --corrected --format latex > %[1]s.tex && concord report %[1]s --corrected --format html > %[1]s.html", cmp.Or(w.corrected, "accuracy")),
		},
	}, nil
}

// describeSource describes what a queue is drawn from, in the words of the form.
func describeSource(from string) string {
	population, size, _ := strings.Cut(from, " --sample ")
	return eval.Either(population == "all", "all answers", population) + ", sample size " + eval.Either(size == "100%", "all", "number "+size)
}

// fewest is how many unparsed responses are worth a queue of their own: a
// corrected score takes at least ten labels that count.
const fewest = 20

// FirstOpenStep gives the first step that is not done.
func FirstOpenStep(steps []Step) Step {
	s, _ := eval.FirstWanted(steps, func(s Step) bool { return !s.Done })
	return s
}

func readProjectState(st *store.Store, counts *Recounts) (w projectState, err error) {
	runs, err := st.Runs().List()
	if err != nil {
		return w, err
	}
	for _, r := range runs {
		c, _, err := counts.CountsOrKept(context.Background(), st, r)
		if err != nil {
			return w, err
		}
		w.runs, w.dataset = w.runs+1, string(r.Config.Dataset)
		w.answered += c.Predictions
		w.unparsed += c.CountUnparsed()
	}
	queues, err := st.Queues().List()
	if err != nil {
		return w, err
	}
	for _, q := range queues {
		if q.CheckTakesReadings() == nil && !q.Created.Before(w.queue.Created) {
			w.queue = q
		}
	}
	if w.queue.Name == "" {
		return w, nil
	}
	places, err := st.Acts().CountLabels(w.queue.Name)
	if err != nil {
		return w, err
	}
	w.labeled = eval.Count(slices.Collect(maps.Values(places)), func(n int) bool { return n >= w.queue.Overlap })
	saved, err := st.Reports().SavedReports("")
	for i := range saved {
		switch saved[i].Name {
		case "alignment":
			w.aligned++
		case annotate.Promotion:
		default:
			w.corrected = saved[i].Name
		}
	}
	return w, err
}

// Search finds datasets and samples for the palette, by what everybody may know of them.
type Search struct {
	Store *store.Store
	Now   func() time.Time
}

// patience is how long a search for samples goes on: nobody waits longer for what they could type out.
const patience = 700 * time.Millisecond

// beginning is how much of a question a line can show.
const beginning = 200

// Datasets are the names of all datasets.
func (f Search) Datasets(context.Context) ([]eval.DatasetName, error) {
	all, err := f.Store.Datasets().List()
	return eval.Map(all, func(d eval.Dataset) eval.DatasetName { return d.Name }), err
}

// FindSamples finds up to n: those whose id is the text first, then those whose id or question holds it.
func (f Search) FindSamples(ctx context.Context, text string, n int) (out []tui.Found, more bool, err error) {
	names, err := f.Datasets(ctx)
	if err != nil {
		return nil, false, err
	}
	text = strings.TrimSpace(text)
	for _, d := range names {
		s, err := f.Store.Datasets().SampleByID(d, eval.SampleID(text))
		switch {
		case err == nil:
			out = append(out, newFound(d, &s))
		case !errors.Is(err, eval.ErrNotFound):
			return out, false, err
		}
	}
	until, want := f.Now().Add(patience), strings.ToLower(text)
	for _, d := range names {
		for s, err := range f.Store.Datasets().Samples(ctx, d) {
			switch {
			case ctx.Err() != nil:
				return out, true, nil // something else was typed meanwhile
			case err != nil: // doctor tells of it
				continue
			case len(out) >= n || f.Now().After(until):
				return out, true, nil
			}
			has := func(part string) bool { return strings.Contains(strings.ToLower(part), want) }
			if string(s.ID) != text && (has(string(s.ID)) || has(s.Question)) {
				out = append(out, newFound(d, &s))
			}
		}
	}
	return out, false, nil
}

func newFound(d eval.DatasetName, s *eval.Sample) tui.Found {
	q := []rune(s.Question)
	return tui.Found{Dataset: d, Ordinal: s.Ordinal, ID: s.ID, Question: string(q[:min(len(q), beginning)])}
}

// FirstAnswers are the first answers of all runs to a sample.
func (f Search) FirstAnswers(ctx context.Context, d eval.DatasetName, o eval.Ordinal) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		all, err := f.Store.Runs().List()
		if err != nil {
			yield(eval.Key{}, err)
			return
		}
		for _, r := range all {
			k := eval.Key{Run: r.ID, Sample: o}
			if r.Config.Dataset != d {
				continue
			}
			_, err := f.Store.Runs().Prediction(k)
			if errors.Is(err, eval.ErrNotFound) {
				continue
			}
			if !yield(k, err) || err != nil || ctx.Err() != nil {
				return
			}
		}
	}
}

// ListShellCommands lists those of the command line that do something, as the palette tells of them.
func ListShellCommands(of *cobra.Command) []tui.Command {
	var out []tui.Command
	for _, c := range of.Commands() {
		if c.Hidden || !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.RunE != nil && !slices.Contains([]string{"demo", "review", "vote"}, c.Name()) {
			out = append(out, tui.Command{Usage: strings.TrimSuffix(c.UseLine(), " [flags]"), Short: c.Short})
		}
		out = append(out, ListShellCommands(c)...)
	}
	return out
}
