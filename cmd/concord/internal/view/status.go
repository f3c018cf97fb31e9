package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// Step is one step on the way from a file of predictions to a figure that can
// be cited. Keys and Command say how it is taken: keys in braces, as they are
// named at a place of the app.
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

// ListSteps lists all steps of a project, in their order.
func ListSteps(st *store.Store) ([]Step, error) {
	w, err := takeStock(st)
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
		{"label", w.queue.Name != "" && w.labeled >= w.queue.Items, fmt.Sprintf("%d of %d items labeled", w.labeled, w.queue.Items), fmt.Sprintf("{tab@runs}, {enter@runs} opens queue %s: %d of %d labeled", queue, w.labeled, w.queue.Items), "concord review --queue " + string(queue)},
		{"compare", w.aligned > 0, fmt.Sprintf("%d saved alignment reports", w.aligned), "{a@runs} the report, {/@report} Alignment, {S@report} saves it", "concord report alignment --save --queue " + string(queue)},
		{"correct", w.corrected != "", "the score with people's labels, saved", "{a@runs} the report, {/@report} Accuracy, {S@report} saves the corrected score", "concord report accuracy --corrected --save"},
		{
			"export", w.corrected != "" && !slices.ContainsFunc(exportedFiles(st, w.corrected), func(path string) bool { ours, _ := report.IsOwnFile(path); return !ours }), "LaTeX and HTML",
			"{a@runs} the report, {/@report} Accuracy, {E@report} writes LaTeX and HTML",
			fmt.Sprintf("concord report %[1]s --corrected --format latex > %[1]s.tex && concord report %[1]s --corrected --format html > %[1]s.html", cmp.Or(w.corrected, "accuracy")),
		},
	}, nil
}

// describeSource describes what a queue is drawn from, in the words of the form.
func describeSource(from string) string {
	population, size, _ := strings.Cut(from, " --sample ")
	if population == "all" {
		population = "all answers"
	}
	if size == "100%" {
		return population + ", sample size all"
	}
	return population + ", sample size number " + size
}

// fewest is how many unparsed responses are worth a queue of their own: a
// corrected score takes at least ten labels that count.
const fewest = 20

// NextStep gives the first step that is not done.
func NextStep(steps []Step) Step {
	s, _ := eval.First(steps, func(s Step) bool { return !s.Done })
	return s
}

func takeStock(st *store.Store) (w projectState, err error) {
	runs, err := st.Runs().List()
	if err != nil {
		return w, err
	}
	for _, r := range runs {
		c, err := facts.CurrentCounts(context.Background(), st, r)
		if err != nil {
			return w, err
		}
		w.runs, w.dataset = w.runs+1, string(r.Config.Dataset)
		w.answered += c.Predictions
		w.unparsed += c.Unparsable()
	}
	queues, err := st.Queues().List()
	if err != nil {
		return w, err
	}
	for _, q := range queues {
		if q.ForReadings() == nil {
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
	for _, n := range places {
		if n >= w.queue.Overlap {
			w.labeled++
		}
	}
	saved, err := st.Reports().SavedReports("")
	for i := range saved {
		if saved[i].Name == "alignment" {
			w.aligned++
		} else {
			w.corrected = saved[i].Name
		}
	}
	return w, err
}
