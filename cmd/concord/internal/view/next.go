package view

import (
	"fmt"
	"strings"

	"concord/annotate"
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

// way is what a project holds of what the steps need.
type way struct {
	dataset                  string
	runs, answered, unparsed int
	queue                    annotate.Queue // the newest of responses; no name: there is none
	labeled, reports         int
}

// Steps are all steps of a project, in their order.
func Steps(st *store.Store) ([]Step, error) {
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
	if queue == "" {
		queue = "first"
	}
	return []Step{
		{"import", w.runs > 0, fmt.Sprintf("%d runs", w.runs), "{i@runs} imports predictions, {n@runs} asks a model", "concord import predictions FILE --dataset NAME --model NAME"},
		{"extract", w.runs > 0, fmt.Sprintf("%d of %d unparsed", w.unparsed, w.answered), "", "concord report steps"},
		{"draw", w.queue.Name != "", fmt.Sprintf("queue %s, %d items", queue, w.queue.Items), "{l@runs} draws a queue to label: of " + strings.Replace(from, " --sample", ",", 1) + " responses", "concord queue create first --dataset " + w.dataset + " --from " + from},
		{"label", w.queue.Name != "" && w.labeled >= w.queue.Items, fmt.Sprintf("%d of %d items labeled", w.labeled, w.queue.Items), fmt.Sprintf("{tab@runs}, {enter@runs} opens queue %s: %d of %d labeled", queue, w.labeled, w.queue.Items), "concord review --queue " + string(queue)},
		{"compare", w.reports > 0, fmt.Sprintf("%d saved reports", w.reports), "{a@runs} the report, {/@report} Alignment, {S@report} saves it", "concord report alignment --save --queue " + string(queue)},
		{"correct", false, "the score with people's labels", "in a shell: concord report accuracy --corrected", "concord report accuracy --corrected"},
		{"export", false, "LaTeX and HTML", "in a shell: concord report accuracy --corrected --format latex", "concord report accuracy --corrected --format latex > accuracy.tex"},
	}, nil
}

// fewest is how many unparsed responses are worth a queue of their own: a
// corrected score takes at least ten labels that count.
const fewest = 20

// NextStep is the first step that is not done.
func NextStep(steps []Step) Step {
	for _, s := range steps {
		if !s.Done {
			return s
		}
	}
	return Step{}
}

func takeStock(st *store.Store) (w way, err error) {
	runs, err := st.Runs().List()
	if err != nil {
		return w, err
	}
	for _, r := range runs {
		c, err := st.Runs().Counts(r.ID)
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
		if q.Rule.From != annotate.FromPairs {
			w.queue = q
		}
	}
	if w.queue.Name == "" {
		return w, nil
	}
	places, err := st.Acts().Places(w.queue.Name)
	if err != nil {
		return w, err
	}
	for _, n := range places {
		if n >= w.queue.Overlap {
			w.labeled++
		}
	}
	saved, err := st.Reports().SavedReports("")
	w.reports = len(saved)
	return w, err
}
