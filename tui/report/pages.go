package report

import (
	"cmp"
	"context"
	_ "embed" // of what empty pages say
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/pairwise"
	"concord/annotate/report/table"
	"concord/eval"
)

// The pages that others lead to.
const (
	accuracyPage  = "Accuracy"
	alignmentPage = "Alignment"
	agreementPage = "Agreement"
	votesPage     = "Votes"
)

// makePages makes all that the catalogue lists, by group: those that the app lays out in
// a way of its own, and every other report on runs or samples as it is.
func makePages(kinds []catalogue.Kind) []reportPage {
	find := func(name string) catalogue.Kind {
		return kinds[slices.IndexFunc(kinds, func(k catalogue.Kind) bool { return k.Name == name })]
	}
	out := slices.Concat(newScorePages(find), newAgreementPages(find), newVotePages(find), newQualityPages(find), newPaperPages(find))
	for i := range kinds {
		k := &kinds[i]
		own := slices.ContainsFunc(out, func(p reportPage) bool { return p.command == k.Name })
		switch {
		case own || k.Args != nil: // of a command with more arguments
		case k.Of == catalogue.OnRuns:
			out = append(out, newPage(*k, reportPage{name: pageName(k), empty: describeNeeds(k)}))
		case k.Of == catalogue.OnSamples:
			out = append(out, newPage(*k, reportPage{name: pageName(k), scope: ofSamples, empty: describeNeeds(k)}))
		}
	}
	slices.SortStableFunc(out, func(a, b reportPage) int { return cmp.Compare(a.group, b.group) })
	return out
}

// pageName is the name of a page that has no other: its command's.
func pageName(k *catalogue.Kind) string { return strings.ToUpper(k.Name[:1]) + k.Name[1:] }

// describeNeeds says what a report needs, and the keys and commands that bring it.
func describeNeeds(k *catalogue.Kind) string {
	return "It needs " + k.Needs.What + ". On the runs ({h}) {i@runs} imports files, and {n@runs} asks a model:\n  concord " + strings.Join(k.Needs.Next, "\n  concord ")
}

func newPage(k catalogue.Kind, p reportPage) reportPage {
	p.group = k.Group
	if p.command == "" {
		p.command = k.CommandWords()[0]
	}
	p.says, p.about = cmp.Or(p.says, k.Title), k.HelpText()
	if p.more == "" {
		shown := eval.Select(k.NewRequest().Flags, func(f catalogue.Flag) bool { return !f.Hidden })
		p.more = eval.JoinList(shown, func(f catalogue.Flag) string { return "--" + f.Name })
	}
	if p.build == nil {
		p.build = func(ctx context.Context, s Source, _ request, o figures.Options) (figures.Report, error) {
			return k.Build(ctx, s, o)
		}
	}
	return p
}

func newScorePages(find func(string) catalogue.Kind) []reportPage {
	return []reportPage{
		newPage(find("accuracy"), reportPage{name: accuracyPage, more: "--rules, --judge, --by-split", empty: emptyText("runs"), bars: true, layouts: levelLayouts(true), build: newCorrectedBuilder(find("accuracy"))}),
		newPage(find("abilities"), reportPage{name: "Abilities", more: "--strategy, --rules, --judge, --by-split, --chart", empty: emptyText("abilities"), layouts: depthLayouts()}),
		newPage(find("compare"), reportPage{name: "Compare", more: "--model, --against, --run, --detect, --rules-of", empty: emptyText("pairs"), layouts: depthLayouts()}),
		newPage(find("languages"), reportPage{name: "Languages", more: "--model, --run, --rules, --judge", empty: emptyText("languages"), layouts: depthLayouts()}),
		newPage(find("leaderboard"), reportPage{name: "Leaderboard", more: "--run, --rules, --judge", empty: emptyText("pairs"), layouts: strategyLayouts()}),
		newPage(find("rubric"), reportPage{name: "Rubrics", more: "--samples, --nodes", empty: emptyText("grades"), differ: true}),
		newPage(find("scores"), reportPage{name: "Scores", more: "--corrected, --judge", empty: emptyText("scores")}),
	}
}

func newAgreementPages(find func(string) catalogue.Kind) []reportPage {
	answered := func(what string) *hider { return &hider{what: what, done: "answered", unit: "item", queues: ownQueue} }
	return []reportPage{
		newPage(find("alignment"), reportPage{
			name: alignmentPage, more: "--policy, --undecided, --rules", says: "How far extractors read what people read", scope: ofLabelQueues,
			empty: emptyText("labels"), bars: true, hides: answered("people, levels and items"),
			layouts: []pageLayout{
				{name: "overall", tables: func(r *figures.Report) []table.Table { return keepWholeLines(r.Tables()) }},
				{name: "every part"},
				{name: "over time", tables: alignment.MakeOverTimeTables},
				{name: "saved reports", tables: alignment.MakeSavedTables},
			},
			build: func(ctx context.Context, s Source, q request, o figures.Options) (figures.Report, error) {
				return alignment.ReportAlignment(ctx, s, alignment.Options{Queue: annotate.QueueName(q.place), Progress: o.Progress})
			},
		}),
		newPage(find("annotators"), reportPage{
			name: "Annotators", more: "--policy, --undecided", scope: ofQueues,
			empty: emptyText("annotators"), hides: answered("who agrees with whom, and the items,"),
			build: func(ctx context.Context, s Source, q request, o figures.Options) (figures.Report, error) {
				return alignment.ReportAnnotators(ctx, s, alignment.AnnotatorOptions{Queue: annotate.QueueName(q.place), Progress: o.Progress})
			},
		}),
		newPage(find("agreement"), reportPage{name: agreementPage, more: "--policy, --undecided, --judge", scope: ofPairQueues, empty: emptyText("agreement"), bars: true, hides: newVoteHider(ownQueue), build: buildQueueReport(pairwise.ReportAgreement)}),
		newPage(find("people"), reportPage{name: "People", more: "--policy", scope: ofPairQueues, empty: emptyText("people"), hides: newVoteHider(ownQueue), build: buildQueueReport(pairwise.ReportPeople)}),
		newPage(find("steps"), reportPage{name: "Steps", more: "--rules, --judge, --by-split", empty: emptyText("runs"), bars: true}),
	}
}

// newVoteHider hides single people's votes from those who have yet to vote.
func newVoteHider(queues func(Source, string) ([]annotate.QueueName, error)) *hider {
	return &hider{what: "single people and pairs", done: "voted on", unit: "pair", queues: queues}
}

func newVotePages(find func(string) catalogue.Kind) []reportPage {
	return []reportPage{
		newPage(find("votes"), reportPage{name: votesPage, more: "--judge, --merge, --corrected", scope: ofContests, empty: emptyText("votes"), anchors: true, bars: true, layouts: levelLayouts(false), build: buildVotesReport(pairwise.ReportVotes)}),
		newPage(find("bias"), reportPage{name: "Bias", more: "--judge, --merge", scope: ofBallots, empty: emptyText("votes"), anchors: true, bars: true, hides: newVoteHider(listPairQueues), build: buildVotesReport(pairwise.ReportBias)}),
		newPage(find("leaderboard-votes"), reportPage{name: "Strengths", more: "--from votes, --people, --judge, --cluster", scope: ofContests, empty: emptyText("votes"), hides: newVoteHider(listPairQueues)}),
		newPage(find("repeats"), reportPage{name: "Repeats", more: "--judge, --merge", scope: ofContests, empty: emptyText("repeats"), anchors: true, build: buildVotesReport(pairwise.ReportRepeats)}),
		newPage(find("ranks"), reportPage{
			name: "Ranks", more: "--run, --rules, --judge", scope: ofProject, empty: emptyText("ranks"), anchors: true,
			build: func(ctx context.Context, s Source, q request, _ figures.Options) (figures.Report, error) {
				return catalogue.ReportRankCorrelation(ctx, s, pairwise.RankOptions{Votes: pairwise.VoteOptions{Anchor: q.anchor}, Seed: rankSeed}, figures.Options{})
			},
		}),
	}
}

// rankSeed draws the orders of the permutation test, as the command does when nobody says otherwise.
const rankSeed = 1

func buildVotesReport(build func(context.Context, figures.VoteFacts, pairwise.VoteOptions) (figures.Report, error)) func(context.Context, Source, request, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, q request, _ figures.Options) (figures.Report, error) {
		return build(ctx, s, pairwise.VoteOptions{Dataset: eval.DatasetName(q.place), Anchor: q.anchor})
	}
}

func buildQueueReport(build func(context.Context, figures.VoteFacts, pairwise.AgreementOptions) (figures.Report, error)) func(context.Context, Source, request, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, q request, _ figures.Options) (figures.Report, error) {
		return build(ctx, s, pairwise.AgreementOptions{Queue: annotate.QueueName(q.place)})
	}
}

func newQualityPages(find func(string) catalogue.Kind) []reportPage {
	return []reportPage{
		newPage(find("dataset"), reportPage{name: "Dataset", more: "--words, --top", says: "What is in a dataset", scope: ofSamples, empty: emptyText("datasets")}),
		newPage(find("criteria"), reportPage{name: "Criteria", more: "--quota", says: "How far the criteria are, and their rounds of review", scope: ofSamples, empty: emptyText("criteria")}),
		newPage(find("curation"), reportPage{name: "Curation", more: "--inspection, --experts, --target", scope: ofSamples, single: true, empty: emptyText("datasets")}),
		newPage(find("inspectors"), reportPage{name: "Probes", more: "--inspection, and other thresholds", says: "What models answer without the image, by sample", scope: ofSamples, empty: emptyText("inspections")}),
		newPage(find("text-only"), reportPage{name: "Text-only", more: "--text-only RUN, which drops its right answers, --rules, --judge", empty: emptyText("text"), layouts: []pageLayout{
			{}, {flags: "--by model", set: func(o *figures.Options) { o.ByModel = true }},
		}}),
		newPage(find("leaks"), reportPage{name: "Leaks", more: "--run, --shots, --grey, --rules, --judge", empty: emptyText("leaks"), layouts: strategyLayouts()}),
	}
}

func newPaperPages(find func(string) catalogue.Kind) []reportPage {
	return []reportPage{
		newPage(find("circular"), reportPage{name: "Circular", more: "--rules, --judge, --by-split", empty: emptyText("circular")}),
		newPage(find("mme"), reportPage{name: "MME", more: "--rules, --judge, --by-split", empty: emptyText("mme")}),
		newPage(find("gain"), reportPage{name: "Gain", more: "--run, --shots, --grey, --split, --rules, --judge", empty: emptyText("gain"), layouts: strategyLayouts()}),
		newPage(find("positions"), reportPage{name: "Positions", more: "--rules, --judge, --by-split", empty: emptyText("runs")}),
		newPage(find("baselines"), reportPage{name: "Baselines", more: "--rules, --judge, --by-split", empty: emptyText("runs")}),
	}
}

// newCorrectedBuilder makes a report with what people's labels make of its scores.
func newCorrectedBuilder(k catalogue.Kind) func(context.Context, Source, request, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, _ request, o figures.Options) (figures.Report, error) {
		o.Corrected = &figures.Correcting{}
		return k.Build(ctx, s, o)
	}
}

// levelLayouts are the layouts of a report whose rows have a line for each level of the taxonomy, in
// its own tables or else in the one of its rows: the whole alone, or all of them.
func levelLayouts(own bool) []pageLayout {
	if own {
		return []pageLayout{{name: "overall", tables: func(r *figures.Report) []table.Table { return keepWholeLines(r.Tables()) }}, {name: "every level"}}
	}
	return []pageLayout{{name: "overall"}, {name: "every level", tables: func(r *figures.Report) []table.Table { return []table.Table{r.MakeRowTable()} }}}
}

// keepWholeLines leaves of tables with levels or parts the lines of the whole, those without a figure last.
func keepWholeLines(all []table.Table) []table.Table {
	for i := range all {
		t := &all[i]
		at := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == "level" || c.Name == "part" })
		if at < 0 {
			continue
		}
		t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(line []table.Cell) bool {
			name := line[at].String()
			return name != "all" && !strings.HasPrefix(name, "adjudicated")
		})
		slices.SortStableFunc(t.Rows, func(a, b []table.Cell) int {
			return figures.CompareBools(a[at+1].WhyUndefined() != "", b[at+1].WhyUndefined() != "")
		})
	}
	return all
}

// depthLayouts are how deep in the taxonomy a report goes.
func depthLayouts() []pageLayout {
	out := []pageLayout{{}}
	for n := 1; n <= 3; n++ {
		out = append(out, pageLayout{flags: fmt.Sprintf("--level l%d", n), set: func(o *figures.Options) { o.Level = n }})
	}
	return out
}

func strategyLayouts() []pageLayout {
	return append([]pageLayout{{}}, eval.Map([]eval.Strategy{eval.Vanilla, eval.Circular}, func(s eval.Strategy) pageLayout {
		return pageLayout{flags: "--strategy " + s.String(), set: func(o *figures.Options) { o.Strategy = s }}
	})...)
}

//go:embed empty.toml
var emptyFile []byte

var readEmptyTexts = sync.OnceValue(func() (all map[string]string) {
	if err := toml.Unmarshal(emptyFile, &all); err != nil {
		panic(err)
	}
	return all
})

// emptyText is what a page says that has no figures, by its name in empty.toml.
func emptyText(name string) string {
	text, ok := readEmptyTexts()[name]
	if !ok {
		panic("empty.toml has no text " + name)
	}
	return text
}
