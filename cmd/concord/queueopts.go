package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

// ordered reads in which order items come, and whose readings are compared.
func (f *queueFlags) ordered(r *annotate.Rule) (err error) {
	if f.order != "" {
		if r.Order, err = annotate.ParseOrder(f.order); err != nil {
			return err
		}
	}
	if r.Order == annotate.ByDisagreement && r.From == annotate.FromPairs {
		return fmt.Errorf("--order disagreement is for predictions: pairs have no readings that could differ")
	}
	if r.Order == annotate.ByDisagreement && r.Whole {
		return fmt.Errorf("--order disagreement takes predictions one by one, and --whole all of a question: give one")
	}
	if r.Among = f.among; len(f.among) > 0 && r.Order != annotate.ByDisagreement && r.From != annotate.FromDisagreements {
		return fmt.Errorf("--among names the rule sets that are compared: give --order disagreement or --from disagreements with it")
	}
	return nil
}

// stratumOf is what the labels may be used for. Whoever names the stratum says
// how a list, or a filter for interest, came about; the order by disagreement
// leaves nothing to say.
func (f *queueFlags) stratumOf(r *annotate.Rule) (annotate.Stratum, error) {
	learns := r.Order == annotate.ByDisagreement
	s := annotate.Random
	if learns || f.ids != "" || r.From == annotate.FromDisagreements {
		s = annotate.Priority
	}
	if f.stratum == "" {
		return s, nil
	}
	s, err := annotate.ParseStratum(f.stratum)
	if err == nil && learns && s == annotate.Random {
		return s, fmt.Errorf("--stratum random: what extractors differ on comes first, so its labels say nothing about the others and feed no rate; --order disagreement is of the priority stratum")
	}
	return s, err
}

// strew puts known answers among what was drawn, where they are asked for.
func (f *queueFlags) strew(ctx context.Context, st *store.Store, q *annotate.Queue, drawn []annotate.QueueItem) ([]annotate.QueueItem, []annotate.Gold, error) {
	if f.gold == "" {
		return drawn, nil, nil
	}
	if q.Growing {
		return nil, nil, errors.New("--gold: a queue that grows takes no known answers, since their share of it is not known yet; draw from whole runs")
	}
	m, err := mine(ctx, st, q, f.gold, cmp.Or(f.goldFile, f.gold))
	if err != nil {
		return nil, nil, err
	}
	items, golds := annotate.InsertGold(drawn, m.golds, f.rate, q.Rule.Seed)
	return items, golds, nil
}

// learns reads what watches over labels while they are given: people who are
// asked where others differ, and items whose answer is known.
func (f *queueFlags) learns(q *annotate.Queue) (err error) {
	if q.Extra = f.extra; f.extra < 0 || f.extra > 0 && f.overlap < 2 {
		return fmt.Errorf("--extra %d: one more person is asked where those of --overlap differ, which takes at least two", f.extra)
	}
	if f.gold == "" {
		if f.goldRate != "" {
			return fmt.Errorf("--gold-rate %s: give the known answers with --gold", f.goldRate)
		}
		return nil
	}
	if f.from == annotate.FromPairs.String() {
		return fmt.Errorf("--gold is for labels: a vote is an opinion, and no answer of it is known")
	}
	f.rate = goldShare
	if f.goldRate != "" {
		share, err := strconv.ParseFloat(strings.TrimSuffix(f.goldRate, "%"), 64)
		if f.rate = share / 100; err != nil || !strings.HasSuffix(f.goldRate, "%") || share <= 0 || share > 50 {
			return fmt.Errorf("--gold-rate %q: want a rate above 0%% and up to 50%%", f.goldRate)
		}
	}
	return nil
}

// match finds the runs that the flags ask to compare.
func (f *queueFlags) match(ctx context.Context, st *store.Store, d eval.DatasetName) (*matchup, error) {
	on, err := newField(st, d, f.runs)
	if err != nil {
		return nil, err
	}
	m := &matchup{}
	named := f.models
	switch {
	case f.anchor != "":
		m.anchor, err = on.run(f.anchor)
	default:
		m.anchor, err = on.shared(ctx, st, named)
	}
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		named = on.models()
	}
	for _, name := range named {
		run, err := on.run(name)
		if err != nil {
			return nil, err
		}
		if run.ID != m.anchor.ID && !slices.ContainsFunc(m.models, func(r eval.Run) bool { return r.ID == run.ID }) {
			m.models = append(m.models, run)
		}
	}
	switch n := len(m.models); {
	case m.anchor.ID != 0 && n > 0:
	case m.anchor.ID == 0 && n == 2:
		m.models, m.anchor, m.each = m.models[:1], m.models[1], true
	case m.anchor.ID == 0 && n > 2:
		return nil, asUsage(fmt.Errorf("%s are to be compared, and no votes tell with which: name that one with --anchor (models: %s)", count(n, "model"), few(modelsOf(m.models))))
	default:
		return nil, asUsage(fmt.Errorf("a pair needs two models: name another one with --model or --anchor (models on dataset %s: %s)", d, few((&field{runs: on.runs}).models())))
	}
	return m, nil
}

// queueFlags are the flags of queue create, as typed.
type queueFlags struct {
	dataset, from, sample, per, ids, rules, stratum, anchor, guideline, by string
	models, among                                                          []string
	order, gold, goldFile, goldRate                                        string  // goldFile: where gold lies; "": where it says
	rate                                                                   float64 // of goldRate
	extra                                                                  int
	runs                                                                   []uint
	overlap                                                                int
	seed                                                                   uint64
	criteria, whole                                                        bool
}

// files are those that the draw reads by itself.
func (f *queueFlags) files() []string {
	if f.gold == "" {
		return nil
	}
	return []string{f.gold}
}

// queue reads the flags into a queue that is not drawn yet.
func (f *queueFlags) queue(name string, now time.Time, read opener) (annotate.Queue, error) {
	if err := namable("queue", name); err != nil {
		return annotate.Queue{}, err
	}
	q := annotate.Queue{Name: annotate.QueueName(name), Overlap: f.overlap, By: annotate.Annotator(f.by), Stratum: annotate.Random}
	q.Rule = annotate.Rule{Dataset: eval.DatasetName(f.dataset), Rules: f.rules, Seed: f.seed, Whole: f.whole}
	for _, r := range f.runs {
		q.Rule.Runs = append(q.Rule.Runs, eval.RunID(r))
	}
	if err := f.learns(&q); err != nil {
		return q, err
	}
	if f.overlap < 1 {
		return q, fmt.Errorf("--overlap %d: at least one person labels each item", f.overlap)
	}
	var err error
	if q.Rule.From, err = annotate.ParseFrom(f.from); err != nil {
		return q, err
	}
	switch pairs := q.Rule.From == annotate.FromPairs; {
	case pairs && f.whole:
		return q, fmt.Errorf("--whole is for predictions: of a drawn sample all pairs are taken anyway")
	case pairs:
		q.Rule.Rules, q.Criteria = "", f.criteria
	case f.criteria || f.anchor != "":
		return q, fmt.Errorf("--criteria and --anchor are for pairs of answers: give --from pairs with them")
	}
	if err := f.size(&q.Rule); err != nil {
		return q, err
	}
	if f.ids != "" {
		if q.Rule.IDs, err = readIDs(f.ids, read); err != nil {
			return q, err
		}
	}
	if err := f.ordered(&q.Rule); err != nil {
		return q, err
	}
	if q.Stratum, err = f.stratumOf(&q.Rule); err != nil {
		return q, err
	}
	if f.guideline != "" {
		text, err := readGuideline(f.guideline, read)
		if err != nil {
			return q, err
		}
		if q.Guideline, err = q.Guideline.Next(text, q.By, now); err != nil {
			return q, fmt.Errorf("read guideline %s: %w", f.guideline, err)
		}
	}
	return q, nil
}

func (f *queueFlags) size(r *annotate.Rule) (err error) {
	if f.sample != "" && f.per != "" {
		return fmt.Errorf("--sample and --per both say how many: give one")
	}
	if f.per != "" {
		r.Level, r.PerLevel, err = annotate.ParseLevel(f.per)
		return err
	}
	if f.sample == "" {
		return nil
	}
	if share, ok := strings.CutSuffix(f.sample, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || p <= 0 || p > 100 {
			return fmt.Errorf("--sample %q: want a rate above 0%% and up to 100%%", f.sample)
		}
		r.Rate = p / 100
		return nil
	}
	if r.Number, err = strconv.Atoi(f.sample); err != nil || r.Number < 1 {
		return fmt.Errorf("--sample %q: want a rate like 10%% or a number like 200", f.sample)
	}
	return nil
}

func readIDs(path string, read opener) ([]eval.SampleID, error) {
	text, err := read(path, longestSource)
	if err != nil {
		return nil, fmt.Errorf("read ids: %w", err)
	}
	var ids []eval.SampleID
	for line := range strings.Lines(string(text)) {
		if id := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); id != "" {
			ids = append(ids, eval.SampleID(id))
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("read ids: %s has none", path)
	}
	return ids, nil
}

// longestGuideline bounds the file; people read it beside their work.
const longestGuideline = 1 << 20

// readGuideline reads a guideline from a file.
func readGuideline(path string, read opener) (string, error) {
	text, err := read(path, longestGuideline)
	switch {
	case err != nil:
		return "", fmt.Errorf("read guideline: %w", err)
	case !utf8.Valid(text):
		return "", fmt.Errorf("read guideline: %s is no UTF-8 text", path)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}
