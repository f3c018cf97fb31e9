package report

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/curation"
	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/quality"
	"concord/annotate/report/rubric"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/tui/widget"
)

// reportPage is a report that is shown as its tables, whatever they are of. The report
// says what is behind each of their cells.
type reportPage struct {
	name    string
	group   catalogue.Group // the heading under which it is listed
	says    string          // what it tells, in the list of all reports
	about   string          // the same at length, and what it needs
	command string          // that prints it, after "concord report"
	more    string          // of its flags that no key sets
	layouts []pageLayout    // one after the other by a key; nil: there is one
	scope   pageScope       // what it may be about
	single  bool            // about one dataset at a time
	anchors bool            // another model may be the anchor
	differ  bool            // it tells on which criteria people differ
	bars    bool            // a column is drawn as bars before anybody asks
	empty   string          // what to do to get figures
	hides   *hider          // nil: everybody may see all of it
	build   func(context.Context, Source, request, figures.Options) (figures.Report, error)
}

// pageLayout is one of several ways to show a report: other options, or other tables of it.
type pageLayout struct {
	name   string                              // "": what its flags say
	flags  string                              // of the command
	set    func(*figures.Options)              // nil: the defaults
	tables func(*figures.Report) []table.Table // nil: its own
}

func (l *pageLayout) layoutName() string {
	switch {
	case l.name != "":
		return l.name
	case l.flags != "":
		return l.flags
	}
	return "its defaults"
}

// hider says what somebody does not see who has yet to answer items of queues.
type hider struct {
	what, done string // what is hidden, and until they have done what with all of the items
	unit       string
	queues     func(Source, string) ([]annotate.QueueName, error)
}

// whyHidden is why somebody does not see all; "" when they do.
func (h *hider) whyHidden(ctx context.Context, s Source, who annotate.Annotator, place string) (string, error) {
	if h == nil {
		return "", nil
	}
	queues, err := h.queues(s, place)
	if err != nil {
		return "", err
	}
	left := 0
	for _, q := range queues {
		n, err := s.CountLeft(ctx, who, q)
		if err != nil {
			return "", fmt.Errorf("see what is left of queue %s: %w", q, err)
		}
		left += n
	}
	if left == 0 {
		return "", nil
	}
	return h.what + " are hidden until you have " + h.done + " all: " + widget.FormatPlural(left, h.unit) + " left", nil
}

// pageScope is what a page may be about.
type pageScope uint8

const (
	ofRuns     pageScope = iota // datasets with runs
	ofSamples                   // datasets
	ofContests                  // datasets with judges' votes
	ofBallots                   // datasets with judges' votes or a queue of pairs
	ofProject
	ofQueues
	ofLabelQueues
	ofPairQueues
)

func (s pageScope) scopeName() string {
	switch s {
	case ofQueues, ofLabelQueues, ofPairQueues:
		return "queue"
	case ofRuns, ofSamples, ofContests, ofBallots, ofProject:
	}
	return "dataset"
}

// allDatasets stands before the single ones, where a page is not about one.
const allDatasets = ""

// listPlaces lists the datasets or queues that the page can be about, none without anything to report on.
func (p *reportPage) listPlaces(ctx context.Context, s Source) ([]string, error) {
	var out []string
	var err error
	switch p.scope {
	case ofProject:
		return []string{allDatasets}, nil
	case ofQueues:
		return listQueues(s, func(*annotate.Queue) bool { return true })
	case ofLabelQueues:
		return listQueues(s, func(q *annotate.Queue) bool { return q.CheckTakesReadings() == nil })
	case ofPairQueues:
		return listQueues(s, isOfPairs)
	case ofContests, ofBallots:
		if out, err = listJudgedDatasets(ctx, s); err == nil && p.scope == ofBallots {
			out, err = addPairDatasets(s, out)
		}
		slices.Sort(out)
		return slices.Compact(out), err
	case ofSamples:
		out, err = namesOfEach("datasets", s.Datasets, func(d *eval.Dataset) string {
			return eval.Either(d.Complete, string(d.Name), "")
		})
	case ofRuns:
		out, err = namesOfEach("runs", s.Runs, func(r *eval.Run) string { return string(r.Config.Dataset) })
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > 1 && !p.single {
		out = append([]string{allDatasets}, out...)
	}
	return out, err
}

// namesOfEach lists the names that something gives of each of a list; "" is none.
func namesOfEach[T any](what string, list func() ([]T, error), name func(*T) string) ([]string, error) {
	all, err := list()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", what, err)
	}
	return eval.FilterMap(all, func(one T) (string, bool) {
		n := name(&one)
		return n, n != ""
	}), nil
}

func listQueues(s Source, wanted func(*annotate.Queue) bool) ([]string, error) {
	return namesOfEach("queues", s.Queues, func(q *annotate.Queue) string {
		return eval.Either(wanted(q), string(q.Name), "")
	})
}

func isOfPairs(q *annotate.Queue) bool { return q.Rule.From == annotate.FromPairs }

func listPairQueues(s Source, dataset string) ([]annotate.QueueName, error) {
	names, err := listQueues(s, func(q *annotate.Queue) bool { return isOfPairs(q) && string(q.Rule.Dataset) == dataset })
	return eval.Map(names, func(n string) annotate.QueueName { return annotate.QueueName(n) }), err
}

// addPairDatasets adds the datasets of queues of pairs.
func addPairDatasets(s Source, out []string) ([]string, error) {
	more, err := namesOfEach("queues", s.Queues, func(q *annotate.Queue) string {
		return eval.Either(isOfPairs(q), string(q.Rule.Dataset), "")
	})
	return append(out, more...), err
}

// ownQueue is the queue that a page is about.
func ownQueue(_ Source, queue string) ([]annotate.QueueName, error) {
	return []annotate.QueueName{annotate.QueueName(queue)}, nil
}

// listJudgedDatasets lists those of which judges compared responses.
func listJudgedDatasets(ctx context.Context, s Source) ([]string, error) {
	var out []string
	err := eachJudgedComparison(ctx, s, func(c eval.Comparison, r *eval.Run) {
		if r.ID == c.A {
			out = append(out, string(r.Config.Dataset))
		}
	})
	return out, err
}

// listJudgedModels lists those whose responses judges compared on a dataset, or on any
// when it has no name, by name.
func listJudgedModels(ctx context.Context, s Source, dataset string) ([]string, error) {
	var out []string
	err := eachJudgedComparison(ctx, s, func(_ eval.Comparison, r *eval.Run) {
		if dataset == "" || string(r.Config.Dataset) == dataset {
			out = append(out, r.Config.Model)
		}
	})
	slices.Sort(out)
	return slices.Compact(out), err
}

func eachJudgedComparison(ctx context.Context, s Source, with func(eval.Comparison, *eval.Run)) error {
	runs, err := s.Runs()
	if err != nil {
		return fmt.Errorf("list runs: %w", err)
	}
	contests, err := s.Comparisons(ctx)
	if err != nil {
		return fmt.Errorf("list comparisons: %w", err)
	}
	for _, c := range contests {
		for i := range runs {
			if runs[i].ID == c.A || runs[i].ID == c.B {
				with(c.Comparison, &runs[i])
			}
		}
	}
	return nil
}

// Source is what the screen computes figures from and saves them to. It is called in commands.
type Source interface {
	figures.VoteFacts
	accuracy.ScoreFacts
	quality.CriteriaFacts
	quality.InspectionFacts
	rubric.Facts
	// ModelCard is what is known of a model; false when nothing is.
	ModelCard(model string) (eval.Card, bool)
	// Panel is how many experts decide on a sample of a dataset.
	Panel(d eval.DatasetName) (curation.Panel, error)
	// Curation reports how far a dataset is curated, by its candidates, experts and targets.
	Curation(ctx context.Context, d eval.DatasetName) (figures.Report, error)
	// SaveReport stores a report and gives its number, from 1.
	SaveReport(ctx context.Context, r annotate.SavedReport) (id uint64, err error)
	// ExportReport writes a report as LaTeX and as HTML beside the project, and gives the files.
	ExportReport(r figures.Report) (files []string, err error)
	// CountLeft is how many items of a queue a person is to answer. Who has no name has answered nothing.
	CountLeft(ctx context.Context, who annotate.Annotator, q annotate.QueueName) (int, error)
}
