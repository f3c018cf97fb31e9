package view

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/store"
	"concord/tui"
)

// Search finds datasets and samples for the palette, by what everybody may
// know of them.
type Search struct {
	Store *store.Store
	Now   func() time.Time
}

var _ tui.Search = Search{}

// patience is how long a search for samples goes on: nobody waits longer for
// what they could type out.
const patience = 700 * time.Millisecond

// beginning is how much of a question a line can show.
const beginning = 200

// Datasets are the names of all datasets.
func (f Search) Datasets(context.Context) ([]eval.DatasetName, error) {
	all, err := f.Store.Datasets().List()
	return eval.Map(all, func(d eval.Dataset) eval.DatasetName { return d.Name }), err
}

// FindSamples are up to n samples: those with the text as their id first, then
// those whose id or question holds it.
func (f Search) FindSamples(ctx context.Context, text string, n int) (out []tui.Found, more bool, err error) {
	names, err := f.Datasets(ctx)
	if err != nil {
		return nil, false, err
	}
	text = strings.TrimSpace(text)
	for _, d := range names {
		s, err := f.Store.Datasets().SampleByID(d, eval.SampleID(text))
		switch {
		case err == nil:
			out = append(out, newFound(d, &s))
		case !errors.Is(err, eval.ErrNotFound):
			return out, false, err
		}
	}
	until, want := f.Now().Add(patience), strings.ToLower(text)
	for _, d := range names {
		for s, err := range f.Store.Datasets().Samples(ctx, d) {
			switch {
			case ctx.Err() != nil:
				return out, true, nil // something else was typed meanwhile
			case err != nil: // doctor tells of it
				continue
			case len(out) >= n || f.Now().After(until):
				return out, true, nil
			}
			if containsText(&s, want) && string(s.ID) != text {
				out = append(out, newFound(d, &s))
			}
		}
	}
	return out, false, nil
}

func containsText(s *eval.Sample, want string) bool {
	return strings.Contains(strings.ToLower(string(s.ID)), want) || strings.Contains(strings.ToLower(s.Question), want)
}

func newFound(d eval.DatasetName, s *eval.Sample) tui.Found {
	q := []rune(s.Question)
	return tui.Found{Dataset: d, Ordinal: s.Ordinal, ID: s.ID, Question: string(q[:min(len(q), beginning)])}
}

// FirstAnswers are the first answers of all runs to a sample.
func (f Search) FirstAnswers(ctx context.Context, d eval.DatasetName, o eval.Ordinal) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		all, err := f.Store.Runs().List()
		if err != nil {
			yield(eval.Key{}, err)
			return
		}
		for _, r := range all {
			k := eval.Key{Run: r.ID, Sample: o}
			if r.Config.Dataset != d {
				continue
			}
			_, err := f.Store.Runs().Prediction(k)
			if errors.Is(err, eval.ErrNotFound) {
				continue
			}
			if !yield(k, err) || err != nil || ctx.Err() != nil {
				return
			}
		}
	}
}

// ListCommands lists those of the command line that do something, as the palette
// tells of them.
func ListCommands(of *cobra.Command) []tui.Command {
	var out []tui.Command
	for _, c := range of.Commands() {
		if c.Hidden || !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.RunE != nil && !slices.Contains([]string{"demo", "review", "vote"}, c.Name()) {
			out = append(out, tui.Command{Usage: strings.TrimSuffix(c.UseLine(), " [flags]"), Short: c.Short})
		}
		out = append(out, ListCommands(c)...)
	}
	return out
}
