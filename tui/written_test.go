package tui

import (
	"context"

	"concord/annotate"
	authored "concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/authoring"
	"concord/tui/keymap"
)

// written is a sample that somebody else wrote.
type written struct{}

func (written) Rows(context.Context, eval.DatasetName) ([]authoring.Row, error) {
	return []authoring.Row{{Set: written{}.set()}}, nil
}

func (written) set() authored.Set {
	return authored.FoldActs([]authored.Act{{Dataset: "mine", Sample: 1, N: 1, Kind: criteria.Submitted, Who: "bob", At: clock, Text: "Question: What is it?\nA: a cat\nB: a dog\nAnswer: B"}})
}

func (written) Append(_ context.Context, a authored.Act) (authored.Set, error) {
	return written{}.set().WithAct(a)
}
func (written) Picture(eval.PictureHash) ([]byte, error) { return nil, eval.ErrNotFound }

// author is the page of that sample.
func author() Page {
	return Page{
		Message: authoring.Open{}, Key: keymap.Runs.BindAction("write_samples"), Tab: TabCriteria, May: annotate.MayWriteCriteria, Whose: "curators and owners", Name: "Write samples",
		New: func(ctx context.Context, v Opening) Screen {
			return authoring.New(ctx, authoring.Deps{Theme: v.Theme, Source: written{}, Who: v.Who, Now: v.Now})
		},
	}
}
