package report

import (
	"context"
	"fmt"

	"concord/eval"
)

// DistinguishJudges says of each comparison in which settings its judge was asked
// otherwise than in another comparison of the same kind. All votes of one have the
// same settings.
func DistinguishJudges(ctx context.Context, facts VoteFacts, runs map[eval.RunID]eval.Run, all []eval.Comparison) ([]string, error) {
	type kind struct {
		on eval.DatasetName
		eval.Ballot
	}
	out := make([]string, len(all))
	alike, texts := make(map[kind][]int), make(map[kind][][]byte)
	for i, c := range all {
		setup := ""
		for v, err := range facts.Votes(ctx, c) {
			if err != nil {
				return nil, fmt.Errorf("read votes: %w", err)
			}
			if setup = v.Setup; v.HasReply() {
				break
			}
		}
		text, err := facts.SettingText(setup)
		if err != nil {
			return nil, fmt.Errorf("read the settings of judge %s: %w", c.Judge, err)
		}
		k := kind{runs[c.A].Config.Dataset, c.Ballot}
		k.Repeat = 0
		alike[k], texts[k] = append(alike[k], i), append(texts[k], text)
	}
	for k, of := range alike {
		for n, said := range eval.DistinguishTexts(texts[k]) {
			out[of[n]] = said
		}
	}
	return out, nil
}

// NameJudge is a judge's name, with the settings in which its votes differ.
func NameJudge(judge, asked string) string {
	return eval.Either(asked == "", judge, judge+" ["+asked+"]")
}
