package catalogue

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/models"
)

// OfRuns are the reports on runs, in the order in which lists show them.
func OfRuns() []Kind {
	return []Kind{
		Accuracy(), Circular(), Abilities(), abilitiesDeep(), Steps(), Positions(), TextOnly(), textOnlyByModel(),
		Compare(), Leaderboard(), Baselines(), MME(), Gain(), Leaks(), Scores(),
	}
}

// ofRuns makes a kind of a report on runs.
func ofRuns(name, title, short string, build func(context.Context, report.Facts, report.Options) (report.Report, error)) Kind {
	return Kind{Name: name, Title: title, Short: short, Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return build(ctx, f, o)
	}}
}

// Accuracy is the accuracy of runs.
func Accuracy() Kind {
	return ofRuns("accuracy", "Accuracy, vanilla and circular", "Accuracy per run: vanilla and circular, overall and per taxonomy level", accuracy.Accuracy)
}

// Circular is vanilla beside circular accuracy.
func Circular() Kind {
	return ofRuns("circular", "Vanilla beside circular accuracy", "Vanilla beside circular accuracy, with their difference", accuracy.Circular)
}

// Abilities is accuracy by level of the taxonomy.
func Abilities() Kind {
	return ofRuns("abilities", "Models by ability", "Accuracy per ability, models as rows", accuracy.Abilities)
}

func abilitiesDeep() Kind {
	k := Abilities()
	k.Name, k.Title, k.Args = "abilities-l3", "Models by the finest abilities", []string{"abilities", "--level", "l3"}
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		o.Level = 3
		return accuracy.Abilities(ctx, f, o)
	}
	return k
}

// Steps is what rules, judges and the fallback read.
func Steps() Kind {
	return ofRuns("steps", "What each step of the reading reads", "How much each step of the reading reads: rules, judge, fallback", accuracy.Steps)
}

// Positions is which labels models pick.
func Positions() Kind {
	return ofRuns("positions", "Which labels models pick", "Which letters the model picks, against the ground truth", accuracy.Positions)
}

// TextOnly is what models answer without the picture.
func TextOnly() Kind {
	return ofRuns("text-only", "What models answer without the picture", "What models answer right without the picture, and what is left without those questions", accuracy.TextOnly)
}

func textOnlyByModel() Kind {
	k := TextOnly()
	k.Name, k.Title = "text-only-models", "Models beside their language base, without the picture and with it"
	k.Args = []string{"text-only", "--by", "model"}
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		o.ByModel = true
		return accuracy.TextOnly(ctx, f, o)
	}
	return k
}

// Compare is every two runs of the same settings.
func Compare() Kind {
	return ofRuns("compare", "Every two runs of the same settings", "", func(ctx context.Context, f report.Facts, o report.Options) (report.Report, error) {
		return models.Compare(ctx, f, models.Options{Runs: o, Depth: o.Level})
	})
}

// Leaderboard is models in the order of their accuracy.
func Leaderboard() Kind {
	return ofRuns("leaderboard", "Models in their order", "", func(ctx context.Context, f report.Facts, o report.Options) (report.Report, error) {
		return models.Leaderboard(ctx, f, models.Options{Runs: o})
	})
}

// Baselines is models beside answers at random.
func Baselines() Kind {
	return ofRuns("baselines", "Models beside answers at random", "Accuracy and MME scores of every model beside the random baselines", accuracy.Baselines)
}

// MME is MME's scores.
func MME() Kind {
	return ofRuns("mme", "MME", "MME's scores: perception and cognition, every subtask, leaderboards, who follows the instruction", accuracy.MME)
}

// Gain is what pictures add, and what a model answers beyond its language base.
func Gain() Kind {
	return ofRuns("gain", "Multi-modal gain and leakage", "Multi-modal gain and leakage: with the picture, without it, and the language base", accuracy.Gains)
}

// Leaks is which samples training turns right without the picture.
func Leaks() Kind {
	return ofRuns("leaks", "Samples that training turns right without the picture",
		"Samples that training turns from wrong to right without the picture: suspected leakage", accuracy.Leaks)
}

// Scores is exact match beside the scores of judges and people.
func Scores() Kind {
	return Kind{
		Name: "scores", Title: "Open answers: exact match beside scores", Short: "Open answers: exact match beside the mean scores of judges and of people",
		Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return accuracy.Scores(ctx, f, o)
		},
	}
}
