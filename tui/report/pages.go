package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

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
	out := slices.Concat(scorePages(), newAgreementPages(), votePages(), newQualityPages(), newPaperPages())
	for i := range kinds {
		k := &kinds[i]
		own := slices.ContainsFunc(out, func(p reportPage) bool { return p.command == k.Name })
		switch {
		case own:
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

// describeNeeds says what a report needs, and the commands that bring it.
func describeNeeds(k *catalogue.Kind) string {
	return "It needs " + k.Needs.What + ":\n  concord " + strings.Join(k.Needs.Next, "\n  concord ")
}

// newPage makes the page of a kind of the catalogue.
func newPage(k catalogue.Kind, p reportPage) reportPage {
	p.group = k.Group
	if p.command == "" {
		p.command = k.CommandWords()[0]
	}
	p.says = cmp.Or(p.says, k.Title)
	if p.build == nil {
		p.build = func(ctx context.Context, s Source, _ request, o figures.Options) (figures.Report, error) {
			return k.Build(ctx, s, o)
		}
	}
	return p
}

func scorePages() []reportPage {
	return []reportPage{
		newPage(catalogue.NewAccuracyKind(), reportPage{name: accuracyPage, more: "--rules, --judge, --by-split", empty: noRuns, bars: true, layouts: levelLayouts(true), build: buildCorrected(catalogue.NewAccuracyKind())}),
		newPage(catalogue.NewAbilitiesKind(), reportPage{name: "Abilities", more: "--strategy, --rules, --judge, --by-split, --chart", empty: noAbilities, layouts: depthLayouts()}),
		newPage(catalogue.NewCompareKind(), reportPage{name: "Compare", more: "--model, --against, --run, --detect, --rules-of", empty: noPairs, layouts: depthLayouts()}),
		newPage(catalogue.NewLeaderboardKind(), reportPage{name: "Leaderboard", more: "--run, --rules, --judge", empty: noPairs, layouts: strategyLayouts()}),
		newPage(catalogue.NewRubricKind(), reportPage{name: "Rubrics", more: "--samples, --nodes", empty: noGrades, differ: true}),
		newPage(catalogue.NewScoresKind(), reportPage{name: "Scores", more: "--corrected, --judge", empty: noScores}),
	}
}

func newAgreementPages() []reportPage {
	answered := func(what string) *hider { return &hider{what: what, done: "answered", unit: "item", queues: ownQueue} }
	return []reportPage{
		newPage(catalogue.NewAlignmentKind(), reportPage{
			name: alignmentPage, more: "--policy, --undecided, --rules", says: "How far extractors read what people read", scope: ofLabelQueues,
			empty: noLabels, bars: true, hides: answered("people, levels and items"),
			layouts: []pageLayout{
				{name: "overall", tables: func(r *figures.Report) []table.Table { return onTop(r.Tables()) }},
				{name: "every part"},
				{name: "over time", tables: alignment.MakeOverTimeTables},
				{name: "saved reports", tables: alignment.MakeSavedTables},
			},
			build: func(ctx context.Context, s Source, q request, o figures.Options) (figures.Report, error) {
				return alignment.ReportAlignment(ctx, s, alignment.Options{Queue: annotate.QueueName(q.place), Progress: o.Progress})
			},
		}),
		newPage(catalogue.NewAnnotatorsKind(), reportPage{
			name: "Annotators", more: "--policy, --undecided", scope: ofQueues,
			empty: noAnnotators, hides: answered("who agrees with whom, and the items,"),
			build: func(ctx context.Context, s Source, q request, o figures.Options) (figures.Report, error) {
				return alignment.ReportAnnotators(ctx, s, alignment.AnnotatorOptions{Queue: annotate.QueueName(q.place), Progress: o.Progress})
			},
		}),
		newPage(catalogue.NewAgreementKind(), reportPage{name: agreementPage, more: "--policy, --undecided, --judge", scope: ofPairQueues, empty: noAgreement, bars: true, hides: hideUntilVoted(ownQueue), build: buildQueueReport(pairwise.ReportAgreement)}),
		newPage(catalogue.NewPeopleKind(), reportPage{name: "People", more: "--policy", scope: ofPairQueues, empty: noPeople, hides: hideUntilVoted(ownQueue), build: buildQueueReport(pairwise.ReportPeople)}),
		newPage(catalogue.NewStepsKind(), reportPage{name: "Steps", more: "--rules, --judge, --by-split", empty: noRuns, bars: true}),
	}
}

// hideUntilVoted hides single people's votes from those who have yet to vote.
func hideUntilVoted(queues func(Source, string) ([]annotate.QueueName, error)) *hider {
	return &hider{what: "single people and pairs", done: "voted on", unit: "pair", queues: queues}
}

func votePages() []reportPage {
	return []reportPage{
		newPage(catalogue.NewVotesKind(), reportPage{name: votesPage, more: "--judge, --merge, --corrected", scope: ofContests, empty: noVotes, anchors: true, bars: true, layouts: levelLayouts(false), build: buildVotesReport(pairwise.ReportVotes)}),
		newPage(catalogue.NewBiasKind(), reportPage{name: "Bias", more: "--judge, --merge", scope: ofBallots, empty: noVotes, anchors: true, bars: true, hides: hideUntilVoted(listPairQueues), build: buildVotesReport(pairwise.ReportBias)}),
		newPage(catalogue.NewLeaderboardByVotesKind(), reportPage{name: "Strengths", more: "--from votes, --people, --judge, --cluster", scope: ofContests, empty: noVotes, hides: hideUntilVoted(listPairQueues)}),
		newPage(catalogue.NewRepeatsKind(), reportPage{name: "Repeats", more: "--judge, --merge", scope: ofContests, empty: noRepeats, anchors: true, build: buildVotesReport(pairwise.ReportRepeats)}),
		newPage(catalogue.NewRankingsKind(), reportPage{
			name: "Ranks", more: "--run, --rules, --judge", scope: ofProject, empty: noRanks, anchors: true,
			build: func(ctx context.Context, s Source, q request, _ figures.Options) (figures.Report, error) {
				return catalogue.ReportRankCorrelation(ctx, s, pairwise.RankOptions{Votes: pairwise.VoteOptions{Anchor: q.anchor}, Seed: rankSeed}, figures.Options{})
			},
		}),
	}
}

// rankSeed draws the orders of the permutation test, as the command does when
// nobody says otherwise.
const rankSeed = 1

// buildVotesReport makes a report on the votes on a dataset.
func buildVotesReport(build func(context.Context, figures.VoteFacts, pairwise.VoteOptions) (figures.Report, error)) func(context.Context, Source, request, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, q request, _ figures.Options) (figures.Report, error) {
		return build(ctx, s, pairwise.VoteOptions{Dataset: eval.DatasetName(q.place), Anchor: q.anchor})
	}
}

// buildQueueReport makes a report on a queue of pairs.
func buildQueueReport(build func(context.Context, figures.VoteFacts, pairwise.AgreementOptions) (figures.Report, error)) func(context.Context, Source, request, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, q request, _ figures.Options) (figures.Report, error) {
		return build(ctx, s, pairwise.AgreementOptions{Queue: annotate.QueueName(q.place)})
	}
}

func newQualityPages() []reportPage {
	return []reportPage{
		newPage(catalogue.NewDatasetsKind(), reportPage{name: "Dataset", more: "--words, --top", says: "What is in a dataset", scope: ofSamples, empty: noDatasets}),
		newPage(catalogue.NewCriteriaKind(), reportPage{name: "Criteria", more: "--quota", says: "How far the criteria are, and their rounds of review", scope: ofSamples, empty: noCriteria}),
		newPage(catalogue.NewCurationKind(), reportPage{name: "Curation", more: "--inspection, --experts, --target", scope: ofSamples, single: true, empty: noDatasets}),
		newPage(catalogue.NewInspectorsKind(), reportPage{name: "Probes", more: "--inspection, and other thresholds", says: "What models answer without the image, by sample", scope: ofSamples, empty: noInspections}),
		newPage(catalogue.NewTextOnlyKind(), reportPage{name: "Text-only", more: "--text-only RUN, which drops its right answers, --rules, --judge", empty: noText, layouts: []pageLayout{
			{}, {flags: "--by model", set: func(o *figures.Options) { o.ByModel = true }},
		}}),
		newPage(catalogue.NewLeaksKind(), reportPage{name: "Leaks", more: "--run, --shots, --grey, --rules, --judge", empty: noLeaks, layouts: strategyLayouts()}),
	}
}

func newPaperPages() []reportPage {
	return []reportPage{
		newPage(catalogue.NewCircularKind(), reportPage{name: "Circular", more: "--rules, --judge, --by-split", empty: noCircular}),
		newPage(catalogue.NewMMEKind(), reportPage{name: "MME", more: "--rules, --judge, --by-split", empty: noMME}),
		newPage(catalogue.NewGainKind(), reportPage{name: "Gain", more: "--run, --shots, --grey, --split, --rules, --judge", empty: noGain, layouts: strategyLayouts()}),
		newPage(catalogue.NewPositionsKind(), reportPage{name: "Positions", more: "--rules, --judge, --by-split", empty: noRuns}),
		newPage(catalogue.NewBaselinesKind(), reportPage{name: "Baselines", more: "--rules, --judge, --by-split", empty: noRuns}),
	}
}

// buildCorrected makes a report with what people's labels make of its scores.
func buildCorrected(k catalogue.Kind) func(context.Context, Source, request, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, _ request, o figures.Options) (figures.Report, error) {
		o.Corrected = &figures.Correcting{}
		return k.Build(ctx, s, o)
	}
}

// levelLayouts are the layouts of a report whose rows have a line for each level of
// the taxonomy, in its own tables or else in the one of its rows: the whole
// alone, or all of them.
func levelLayouts(own bool) []pageLayout {
	if own {
		return []pageLayout{{name: "overall", tables: func(r *figures.Report) []table.Table { return onTop(r.Tables()) }}, {name: "every level"}}
	}
	return []pageLayout{{name: "overall"}, {name: "every level", tables: func(r *figures.Report) []table.Table { return []table.Table{r.MakeTable()} }}}
}

// onTop leaves of tables with a column of levels or parts the lines of the whole,
// those without a figure last.
func onTop(all []table.Table) []table.Table {
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
	out := []pageLayout{{}}
	for _, s := range []eval.Strategy{eval.Vanilla, eval.Circular} {
		out = append(out, pageLayout{flags: "--strategy " + s.String(), set: func(o *figures.Options) { o.Strategy = s }})
	}
	return out
}

// What a page says that has no figures: what to do in the app to get some, and
// then what a shell can do.
const (
	noRuns     = "No runs yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions:\n" + makeRuns + "\nOr look at a ready project:\n  concord demo"
	makeRuns   = "  concord import predictions FILE --dataset N --model M\n  concord eval --dataset N --model M"
	noCircular = "No run under CircularEval yet. On the runs ({h}) {n@runs} asks one, and {i@runs} imports a file in the circular layout:\n" +
		"  concord eval --dataset N --model M --strategy circular\n  concord import predictions FILE --dataset N --model M"
	noPairs     = "It takes two runs of the same settings on a dataset. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions:\n" + makeRuns
	noAbilities = "No run on questions with a taxonomy yet. {h}, then {i@runs} imports the benchmark's own file, with its category columns, and {n@runs} asks a model:\n" +
		"  concord import dataset FILE\n  concord eval --dataset N --model M"
	noMME  = "No run on MME yet. {h}, then {i@runs} imports a file of the kit; its folder comes by\n  concord import predictions FOLDER --dataset mme --model M"
	noText = "No run without the image yet. On the runs ({h}) {n@runs} asks one (given: text), and {i@runs} imports one:\n" +
		"  concord eval --dataset N --model M --modality text\n  concord import predictions FILE --dataset N --model M --modality text"
	noGain = "No run with the image yet. Gain and leakage take one with it, one without, and one of the language base. On the runs ({h}) {n@runs} asks each (given: image, text, base), and {i@runs} imports it:\n" +
		"  concord eval --dataset N --model M\n  concord eval --dataset N --model M --modality text\n  concord eval --dataset N --model BASE --modality base"
	noLeaks = "No text-only run of a model whose language base the configuration names yet ([models.NAME] language_base = ...). On the runs ({h}) {n@runs} asks both (given: text, base):\n" +
		"  concord eval --dataset N --model M --modality text\n  concord eval --dataset N --model BASE --modality base"
	noInspections = "No inspection yet. It takes runs without the image, which {n@runs} on the runs ({h}) asks (given: text), and then, in a shell, what of the pool they answer:\n" +
		"  concord eval --dataset N --model M --modality text\n  concord inspect POOL --dataset N --model M1,M2"
	noDatasets = "No dataset yet. {h}, then {i@runs} imports one:\n  concord import dataset FILE"
	noCriteria = "Nobody has written criteria yet. {b} goes to where they are written:\n" +
		"  concord criteria --dataset N"
	noScores = "No open answers with a reference yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports answers; {v}, then {l@queues} has people score them from 1 to 5. A judge does so in a shell:\n" +
		"  concord import predictions FILE --dataset N --model M\n" +
		"  concord judge scores --dataset N --judge J"
	noGrades = "No verdicts on criteria of responses yet. {b} goes to where criteria are written; verdicts come in a shell:\n" +
		"  concord import rubrics FOLDER --name N\n" +
		"  concord import grades FILE --dataset N"
	noVotes = "No votes yet. On the runs ({h}) {V@runs} has a judge vote on pairs; {v}, then {c@queues} makes a queue of them for people.\nVotes given elsewhere come by\n" +
		"  concord import votes FILE --dataset N"
	noRepeats = "No votes yet. On the runs ({h}) {V@runs} has a judge vote several times on the same pairs (repeats):\n" +
		"  concord judge votes --dataset N --model M --anchor A --judge J --repeats 3"
	noRanks = "No two rankings of models yet. On the runs ({h}) {n@runs} asks several models on a dataset, which makes one, and {V@runs} has a judge vote on their answers, which makes another:\n" +
		"  concord import votes FILE --dataset N\n" +
		"  concord import predictions FILE --dataset N --model M"
	noAgreement = "No judge has voted on pairs that people vote on. {v}, then {c@queues} makes a queue of pairs for people; on the runs ({h}) {V@runs} has a judge vote:\n" +
		"  concord import votes FILE --dataset N"
	noPeople = "No two people have voted on the same pairs. {v}, then {c@queues} makes a queue of pairs for people to vote on, and {v} goes to it:\n" +
		"  concord import votes FILE --dataset N"
	noAnnotators = "Nobody has answered anything in a queue yet. {v} goes to the queues, and {l@queues} makes one there:\n" +
		"  concord queue create NAME --dataset N --from unparsed\n" +
		"  concord review --queue NAME"
	noLabels = "No labels yet. {v}, then {l@queues} makes a queue of what the rules could not read; people label it,\nand this page says how far extracted answers agree with them:\n" +
		"  concord queue create NAME --dataset N --from unparsed\n" +
		"  concord review --queue NAME"

	noAnchor = "The models of this dataset are compared with several others. {c} chooses the one that they are set against."
)
