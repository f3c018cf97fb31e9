package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/pairwise"
	"concord/annotate/report/quality"
	"concord/annotate/report/rubric"
	"concord/eval"
	"concord/eval/text"
)

// Facts are what reports are made of.
type Facts interface {
	report.VoteFacts
	accuracy.ScoreFacts
	quality.CriteriaFacts
	quality.InspectionFacts
	rubric.Facts
	// Panel is how many experts decide on a sample of a dataset.
	Panel(eval.DatasetName) (curation.Panel, error)
	// Curation reports how far a dataset is curated, by the candidates, the
	// experts and the targets that are set for it.
	Curation(context.Context, eval.DatasetName) (report.Report, error)
}

// Group is where lists of reports put one.
type Group uint8

// The groups, in the order of lists.
const (
	GroupUnset Group = iota
	GroupScores
	GroupAgreement
	GroupVotes
	GroupData
	GroupPapers
)

// String is the group's heading.
func (g Group) String() string {
	return [...]string{"", "Scores", "Agreement", "Votes", "Data quality", "Paper tables"}[g]
}

// Held are the groups of which a project has anything to report on: of the others
// every report would be empty.
func Held(ctx context.Context, f Facts) (map[Group]bool, error) {
	runs, err := f.Runs()
	queues, qerr := f.Queues()
	datasets, derr := f.Datasets()
	votes, verr := f.Comparisons(ctx)
	models, rankings := make(map[eval.DatasetName]int), 0
	for i := range runs {
		on := runs[i].Config.Dataset
		if models[on]++; models[on] == 2 { // which can be ranked
			rankings++
		}
	}
	pairs := slices.ContainsFunc(queues, func(q annotate.Queue) bool { return q.Rule.From == annotate.FromPairs })
	return map[Group]bool{
		GroupScores: len(runs) > 0, GroupAgreement: len(runs)+len(queues) > 0, GroupVotes: len(votes) > 0 || pairs || rankings > 1,
		GroupData: len(datasets) > 0, GroupPapers: len(runs) > 0,
	}, errors.Join(err, qerr, derr, verr)
}

// Subject is what a report is about, which its options choose among.
type Subject uint8

// The subjects.
const (
	SubjectUnset Subject = iota
	OnRuns
	OnVotes
	OnQueue
	OnSamples
)

// Paper is a table or figure that a report prints.
type Paper struct {
	Source string // "MMBench Table 1", or that it is beyond the papers
	What   string
	Flags  string // of the command, for this one
	Before string // what is to be done first, in Markdown
}

// Needs is what a report is made of, and what brings it into a project.
type Needs struct {
	What string
	Next []string // commands, without the program's name
}

// Kind is one report: what lists of reports say of it, its command, and how it is
// made.
type Kind struct {
	Name   string // of its file; unique
	Title  string // what it tells
	Group  Group
	Of     Subject
	Short  string // what it tells, in the list of commands
	Long   string
	Takes  string // what its command takes, as its help says it
	Show   string // examples of its command
	Needs  Needs
	Papers []Paper
	Args   []string // the command and flags, each with a value, of another form of a report; nil: a command of that name
	Build  func(context.Context, Facts, report.Options) (report.Report, error)

	flags func(*Asking)
}

// Command is what prints the report, after "concord report": the command, and
// flags, each followed by its value.
func (k *Kind) Command() []string {
	if len(k.Args) > 0 {
		return slices.Clone(k.Args)
	}
	return []string{k.Name}
}

// Help is the text of its command: what it prints, and what it needs.
func (k *Kind) Help() string {
	out := k.Long
	if out == "" {
		out = k.Short + "."
	}
	if k.Needs.What != "" {
		out += "\n\nIt needs " + k.Needs.What + ":"
		for _, n := range k.Needs.Next {
			out += "\n  concord " + n
		}
	}
	return out
}

// All is every report, those that are made for each queue and dataset once.
func All() []Kind {
	return slices.Concat([]Kind{Datasets()}, OfRuns(), ofAnyQueue(), OfVotes(), []Kind{Criteria(), Inspectors(), Curation()})
}

// Commands are the reports that have a command of their own.
func Commands() []Kind {
	return slices.DeleteFunc(All(), func(k Kind) bool { return k.Args != nil })
}

// Lacking is why a report cannot be made of a project; "" of no error, and of
// one that is a failure.
func Lacking(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, eval.ErrNotFound) || errors.Is(err, pairwise.ErrNoAnchor) || errors.Is(err, report.ErrNotRandom) {
		return strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error())
	}
	return ""
}

// beyond is the source of what no paper has.
const beyond = "beyond the papers"

// Rubric is how responses are graded, criterion by criterion.
func Rubric() Kind {
	build := func(o *rubric.Options) func(context.Context, Facts, report.Options) (report.Report, error) {
		return func(ctx context.Context, f Facts, by report.Options) (report.Report, error) {
			o := *o
			o.Options = by
			return rubric.Scores(ctx, f, o)
		}
	}
	return Kind{
		Name: "rubric", Title: "Responses graded by criteria", Group: GroupScores, Of: OnRuns,
		Short: "Responses graded criterion by criterion: the score of each judge, each person and people together",
		Long: `Prints the score of each model by each rater, and by people together: of a response
the sum of the weights of the criteria that are met, half of those met in part,
over the sum of the weights above zero, and the mean over responses. People
together are the verdict of more than half of them on a criterion. What is not
graded, could not be read or nobody could tell moves no score: bounds hold it at
its worst and at its best. Scores by level, type and tag are below.`,
		Needs:  Needs{"verdicts on criteria of responses", []string{"import rubrics FOLDER --name NAME", "import grades FILE --dataset NAME"}},
		Papers: []Paper{{Source: "PaperBench Table 2", What: "scores of weighted trees of criteria", Flags: "--nodes"}},
		Build:  build(&rubric.Options{}),
		flags: func(a *Asking) {
			var o rubric.Options
			a.filters()
			a.Flag("samples", on(&o.Samples), "with --json: the score of each response")
			a.Flag("nodes", on(&o.Nodes), "the score of each node of the trees, too")
			a.Flag("corrected", on(&o.Corrected), "judges' scores, corrected by what people say of some of the responses")
			a.Flag("disputed", on(&o.Disputed), "the criteria with disagreements, with who wrote them")
			a.Build = build(&o)
		},
	}
}

// fromCriteria adds to the alignment on a queue that of judges on criteria, and
// the test that both have.
func fromCriteria(a *Asking, q *annotate.QueueName, epsilon *float64) {
	var from string
	var o rubric.AlignmentOptions
	*epsilon = agree.AlternativeEpsilon
	a.Flags[0].Needed = false
	a.Flag("from", word(&from), "criteria: how far judges grade criteria of responses as people do, in place of a queue")
	a.Flag("dataset", word(&a.Options.Dataset), "with --from criteria: only responses to this dataset")
	a.Flag("judge", word(&o.Judge), "with --from criteria: only this judge")
	a.Flag("epsilon", decimal(epsilon), "what a person's work is dearer than a judge's, in the alternative annotator test")
	onQueue := a.Build
	a.Build = func(ctx context.Context, f Facts, by report.Options) (report.Report, error) {
		if from == "" {
			return onQueue(ctx, f, by)
		}
		o.Options, o.Epsilon = by, *epsilon
		return rubric.Alignment(ctx, f, o)
	}
	a.check(func() error {
		switch {
		case from != "" && from != "criteria":
			return fmt.Errorf("unknown --from %q: want criteria", from)
		case from == "" && *q == "":
			return errors.New("--queue is missing, or --from criteria")
		case from != "" && *q != "":
			return errors.New("--from criteria is not about a queue: leave out --queue")
		case from == "" && (a.Options.Dataset != "" || o.Judge != ""):
			return errors.New("--dataset and --judge go with --from criteria")
		case !(*epsilon >= 0 && *epsilon < 1):
			return errors.New("--epsilon is a share from 0 to 1")
		}
		return nil
	})
}

// Of is every report of a project, in the order of an index, those on queues and
// curated datasets once for each. What a project has nothing for says so when it is
// built. Only is the dataset that they are about; "" for all.
func Of(ctx context.Context, f Facts, only eval.DatasetName) ([]Kind, error) {
	queues, err := ofQueues(f, only)
	if err != nil {
		return nil, err
	}
	curated, err := ofCuration(ctx, f, only)
	return slices.Concat([]Kind{about(Datasets(), only)}, aboutAll(OfRuns(), only), queues, aboutAll(OfVotes(), only),
		[]Kind{about(Criteria(), only), about(Inspectors(), only)}, curated), err
}

// Line is the command as somebody types it.
func (k *Kind) Line() string {
	words := k.Command()
	for i := 2; i < len(words); i += 2 { // values of flags
		words[i] = text.Outside(words[i]).Shell()
	}
	return "concord report " + strings.Join(words, " ")
}

// about is a kind whose command names the dataset.
func about(k Kind, only eval.DatasetName) Kind {
	if only != "" {
		k.Args = append(k.Command(), "--dataset", string(only))
	}
	return k
}

func aboutAll(all []Kind, only eval.DatasetName) []Kind {
	for i := range all {
		all[i] = about(all[i], only)
	}
	return all
}

// nothing is a kind of which the project has nothing.
func nothing(k Kind, what string, args ...string) Kind {
	k.Args = append([]string{k.Name}, args...)
	k.Build = func(context.Context, Facts, report.Options) (report.Report, error) {
		return report.Report{}, fmt.Errorf("find %s: %w", what, eval.ErrNotFound)
	}
	return k
}

func ofQueues(f Facts, only eval.DatasetName) (out []Kind, err error) {
	queues, err := f.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	none := true
	for i := range queues {
		if q := &queues[i]; only == "" || q.Rule.Dataset == only {
			out = append(out, OfQueue(q)...)
			none = none && q.ForLabels() != nil
		}
	}
	if none {
		out = append(out, nothing(Alignment(), "a queue of labels", "--queue", "NAME"))
	}
	return out, nil
}

// ofCuration are the reports on each dataset of which experts have said anything.
func ofCuration(ctx context.Context, f Facts, only eval.DatasetName) (out []Kind, err error) {
	all, err := f.Datasets()
	if err != nil {
		return nil, fmt.Errorf("list datasets: %w", err)
	}
	for _, d := range all {
		if only != "" && d.Name != only {
			continue
		}
		for _, err := range f.CurationActs(ctx, d.Name) {
			if err != nil {
				return nil, fmt.Errorf("list curated datasets: %w", err)
			}
			k := about(Curation(), d.Name)
			k.Name, k.Title = "curation-"+text.Outside(string(d.Name)).File(), "What experts accept of "+string(d.Name)
			k.Build = func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
				return f.Curation(ctx, d.Name)
			}
			out = append(out, k)
			break
		}
	}
	if len(out) == 0 {
		out = append(out, about(nothing(Curation(), "experts' verdicts (concord curate)"), only))
	}
	return out, nil
}
