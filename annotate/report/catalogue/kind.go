package catalogue

import (
	"bytes"
	"context"
	_ "embed" // of what is said of reports
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

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
	// Curation reports how far a dataset is curated, by its candidates, experts and targets.
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

var headings = [...]string{"", "Scores", "Agreement", "Votes", "Data quality", "Paper tables"}

// String is the group's heading.
func (g Group) String() string { return headings[g] }

// GroupsWithData are the groups of which a project has anything to report on: others have empty reports.
func GroupsWithData(ctx context.Context, f Facts) (map[Group]bool, error) {
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

// Needs is what a report is made of, and what brings it into a project.
type Needs struct {
	What string
	Next []string // commands, without the program's name
}

// Kind is one report: what lists of reports say of it, its command, and how it is made.
type Kind struct {
	Name  string // of its file; unique
	Title string // what it tells
	Group Group
	Of    Subject
	Short string // what it tells, in the list of commands
	Takes string // what its command takes, as its help says it
	Show  string // examples of its command
	Needs Needs
	Args  []string // the command and flags, each with a value, of another form of a report; nil: a command of that name
	Build func(context.Context, Facts, report.Options) (report.Report, error)

	flags func(*Request)
}

// CommandWords is what prints the report, after "concord report": the command, and
// flags, each followed by its value.
func (k *Kind) CommandWords() []string {
	if len(k.Args) > 0 {
		return slices.Clone(k.Args)
	}
	return []string{k.Name}
}

// kindText is what kinds.toml says of a report.
type kindText struct {
	Title, Group, Short, Takes, Show, Help, Needs string
	Next                                          []string
}

//go:embed kinds.toml
var kindFile []byte

var readTexts = sync.OnceValue(func() (all map[string]kindText) {
	if err := toml.NewDecoder(bytes.NewReader(kindFile)).DisallowUnknownFields().Decode(&all); err != nil {
		panic(err)
	}
	return all
})

// kindFromTexts gives a kind with what kinds.toml says of it; without that it panics.
func kindFromTexts(name string) Kind {
	t, ok := readTexts()[name]
	if !ok {
		panic("kinds.toml says nothing of the report " + name)
	}
	return Kind{
		Name: name, Title: t.Title, Group: Group(slices.Index(headings[:], t.Group)),
		Short: t.Short, Takes: t.Takes, Show: t.Show, Needs: Needs{t.Needs, t.Next},
	}
}

// newKind gives a named kind: flags adds those of its command, and says how it is built.
func newKind(name string, of Subject, flags func(*Request)) Kind {
	k := kindFromTexts(name)
	k.Of, k.flags = of, flags
	k.Build = k.NewRequest().Build
	return k
}

// HelpText is the text of its command: what it prints, and what it needs.
func (k *Kind) HelpText() string {
	out := k.Short + "."
	if long := readTexts()[k.Name].Help; long != "" {
		out = long
	}
	if k.Needs.What != "" {
		out += "\n\nIt needs " + k.Needs.What + ":"
		for _, n := range k.Needs.Next {
			out += "\n  concord " + n
		}
	}
	return out
}

// AllKinds is every report, those that are made for each queue and dataset once.
func AllKinds() []Kind {
	return slices.Concat([]Kind{newDatasetsKind()}, KindsOfRuns(),
		[]Kind{newAnnotatorsKind(), newCalibrationsKind(), newConfidenceKind(), newAlignmentKind()}, // on any queue
		KindsOfVotes(), []Kind{newCriteriaKind(), newInspectorsKind(), newCurationKind()})
}

// CommandKinds are the reports that have a command of their own.
func CommandKinds() []Kind {
	return slices.DeleteFunc(AllKinds(), func(k Kind) bool { return k.Args != nil })
}

// WhyLacking is why a report cannot be made of a project; "" of no error, and of one that is a failure.
func WhyLacking(err error) string {
	if errors.Is(err, eval.ErrNotFound) || errors.Is(err, pairwise.ErrNoAnchor) || errors.Is(err, report.ErrNotRandom) {
		return strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error())
	}
	return ""
}

// newRubricKind is how responses are graded, criterion by criterion.
func newRubricKind() Kind {
	return newKind("rubric", OnRuns, func(a *Request) {
		var o rubric.Options
		a.addFilterFlags()
		a.AddFlag("samples", boolValue(&o.Samples), "with --json: the score of each response")
		a.AddFlag("nodes", boolValue(&o.Nodes), "the score of each node of the trees, too")
		a.AddFlag("corrected", boolValue(&o.Corrected), "judges' scores, corrected by what people say of some of the responses")
		a.AddFlag("disputed", boolValue(&o.Disputed), "the criteria with disagreements, with who wrote them")
		a.Build = func(ctx context.Context, f Facts, by report.Options) (report.Report, error) {
			of := o
			of.Options = by
			return rubric.ReportScores(ctx, f, of)
		}
	})
}

// addCriteriaAlignment adds to the alignment on a queue that of judges on criteria, and the test of both.
func addCriteriaAlignment(a *Request, q *annotate.QueueName, epsilon *float64, judge *string) {
	var from string
	var o rubric.AlignmentOptions
	*epsilon = agree.AlternativeEpsilon
	a.Flags[0].Needed, a.Flags[0].Usage = false, "the queue that people worked on (required without --from)"
	a.AddFlag("from", wordValue(&from), "criteria: how far judges grade criteria of responses as people do, in place of a queue; votes or scores: whether a judge of pairs or of open answers may take the place of a person")
	a.AddFlag("dataset", wordValue(&a.Options.Dataset), "with --from: only responses to this dataset")
	a.AddFlag("judge", wordValue(judge), "only this judge, and no rule set")
	a.AddFlag("epsilon", floatValue(epsilon), "what a person's work is dearer than a judge's, in the alternative annotator test")
	onQueue := a.Build
	a.Build = func(ctx context.Context, f Facts, by report.Options) (report.Report, error) {
		switch by.Judge = *judge; from {
		case "":
			return onQueue(ctx, f, by)
		case "votes":
			of := pairwise.AgreementOptions{Queue: *q, VoteOptions: pairwise.VoteOptions{Runs: by.Runs, Dataset: by.Dataset, Model: by.Model, Judge: *judge}}
			return pairwise.ReportReplacing(ctx, f, of, *epsilon)
		case "scores":
			return accuracy.ReportReplacing(ctx, f, by, *epsilon)
		}
		o.Options, o.Epsilon, o.Judge = by, *epsilon, *judge
		return rubric.ReportAlignment(ctx, f, o)
	}
	a.addCheck(func() error {
		switch {
		case !slices.Contains([]string{"", "criteria", "votes", "scores"}, from):
			return fmt.Errorf("unknown --from %q: want criteria, votes or scores", from)
		case from == "" && *q == "":
			return errors.New("--queue is missing, or --from criteria, votes or scores")
		case from != "" && from != "votes" && *q != "":
			return fmt.Errorf("--from %s is not about a queue: leave out --queue", from)
		case from == "" && a.Options.Dataset != "":
			return errors.New("--dataset goes with --from criteria, votes or scores")
		case !(*epsilon >= 0 && *epsilon < 1):
			return errors.New("--epsilon is a share from 0 to 1")
		}
		return nil
	})
}

// KindsOfProject is every report of a project, in the order of an index, those on queues and
// curated datasets once for each. What a project has nothing for says so when it is
// built. Only is the dataset that they are about; "" for all.
func KindsOfProject(ctx context.Context, f Facts, only eval.DatasetName) ([]Kind, error) {
	queues, err := kindsOfQueues(f, only)
	if err != nil {
		return nil, err
	}
	curated, err := kindsOfCuration(ctx, f, only)
	of := func(all ...Kind) []Kind { return eval.Map(all, func(k Kind) Kind { return limitToDataset(k, only) }) }
	return slices.Concat(of(newDatasetsKind()), of(KindsOfRuns()...), queues, of(KindsOfVotes()...), of(newCriteriaKind(), newInspectorsKind()), curated), err
}

// CommandLine is the command as somebody types it.
func (k *Kind) CommandLine() string {
	words := k.CommandWords()
	for i := 2; i < len(words); i += 2 { // values of flags
		words[i] = text.Outside(words[i]).ForShell()
	}
	return "concord report " + strings.Join(words, " ")
}

func limitToDataset(k Kind, only eval.DatasetName) Kind {
	if only != "" {
		k.Args = append(k.CommandWords(), "--dataset", string(only))
	}
	return k
}

func newLackingKind(k Kind, what string, args ...string) Kind {
	k.Args = append([]string{k.Name}, args...)
	k.Build = func(context.Context, Facts, report.Options) (report.Report, error) {
		return report.Report{}, fmt.Errorf("find %s: %w", what, eval.ErrNotFound)
	}
	return k
}

func kindsOfQueues(f Facts, only eval.DatasetName) (out []Kind, err error) {
	queues, err := f.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	none := true
	for i := range queues {
		if q := &queues[i]; only == "" || q.Rule.Dataset == only {
			out = append(out, KindsOfQueue(q)...)
			none = none && q.CheckTakesReadings() != nil
		}
	}
	if none {
		out = append(out, newLackingKind(newAlignmentKind(), "a queue of labels", "--queue", "NAME"))
	}
	return out, nil
}

// kindsOfCuration are the reports on each dataset of which experts have said anything.
func kindsOfCuration(ctx context.Context, f Facts, only eval.DatasetName) (out []Kind, err error) {
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
			k := limitToDataset(newCurationKind(), d.Name)
			k.Name, k.Title = "curation-"+text.Outside(string(d.Name)).ForFileName(), "What experts accept of "+string(d.Name)
			k.Build = func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
				return f.Curation(ctx, d.Name)
			}
			out = append(out, k)
			break
		}
	}
	if len(out) == 0 {
		out = append(out, limitToDataset(newLackingKind(newCurationKind(), "experts' verdicts (concord curate)"), only))
	}
	return out, nil
}
