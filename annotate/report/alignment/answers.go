package alignment

import (
	"context"
	"fmt"
	"maps"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
)

// answerReader reads the predictions of a queue's items, and their samples: one by one, or, of a run
// that has many items, with all of its predictions, as rule sets have read them.
type answerReader struct {
	facts report.Facts
	runs  map[eval.RunID]eval.Run
	ahead map[eval.Key]answer
}

// answer is what alignment needs of a prediction and its sample.
type answer struct {
	cluster  uint64
	split    string
	taxonomy []string
	kind     eval.Kind
	failed   bool
	read     func(eval.Reader) eval.Extraction
}

func newAnswer(s *eval.Sample, p *eval.Prediction, read func(eval.Reader) eval.Extraction) answer {
	return answer{report.ClusterOf(s), s.Split, s.Taxonomy, s.Kind, p.Failure != nil, read}
}

// A run is read as a whole from so many items on, and where they are so large a share of its dataset.
const (
	manyItems = 2000
	manyOf    = 8
)

// readRunsAhead reads the runs that have many items, where facts keep what rule sets read.
func (a *answerReader) readRunsAhead(ctx context.Context, o *Options, items []annotate.QueueItem) error {
	kept, ok := a.facts.(report.Readings)
	rules := o.findKeptRules()
	if !ok || len(rules) == 0 {
		return nil
	}
	sets, err := a.facts.Datasets()
	if err != nil {
		return err
	}
	ids := eval.Map(rules, eval.ReaderID)
	samples := eval.IndexBy(sets, func(d eval.Dataset) (eval.DatasetName, int) { return d.Name, d.Samples })
	wanted := make(map[eval.RunID]map[eval.Key]bool)
	for i := range items {
		k := items[i].Key.Key
		eval.GetOrAdd(wanted, k.Run, func() map[eval.Key]bool { return make(map[eval.Key]bool) })[k] = true
	}
	for id, of := range wanted {
		run, ok := a.runs[id]
		if !ok || len(of) < max(manyItems, samples[run.Config.Dataset]/manyOf) {
			continue
		}
		read := make(map[eval.Key]answer, len(of))
		err := eval.ForEachRead(kept.Readings(ctx, run, rules...), func(q eval.Question) {
			for i := range q.Predictions {
				p := &q.Predictions[i]
				if !of[p.Key] {
					continue
				}
				known := p.Extracted
				if known == nil || !known.Bare {
					known = nil // the text goes
					for n, r := range rules {
						known = &eval.Extracted{Reader: ids[n], Extraction: eval.ReadPrediction(r, &q.Sample, p), Bare: true, Next: known}
					}
				}
				kept.AssignCluster(run.Config.Dataset, &q.Sample)
				if read[p.Key] = newAnswer(&q.Sample, p, func(r eval.Reader) eval.Extraction {
					return eval.ReadPrediction(r, nil, &eval.Prediction{Extracted: known})
				}); o.Progress != nil && len(read)%report.BatchSize == 0 {
					o.Progress(len(a.ahead)+len(read), len(items))
				}
			}
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil { // else what is damaged may be no item: each is looked up
			maps.Copy(eval.EnsureMap(&a.ahead), read)
		}
	}
	return nil
}

// findKeptRules finds the rule sets for all kinds of samples, or one of them where judges alone are wanted;
// none where what one reads is not kept: it is asked of the items alone.
func (o *Options) findKeptRules() (rules []eval.Reader) {
	for _, kind := range []eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen} {
		for _, name := range o.ruleNamesFor(kind) {
			r, err := report.FindRules(o.Reader, name)
			if err != nil || eval.IsVolatile(r) {
				return nil
			}
			if rules = append(rules, r); o.judgesOnly {
				return rules
			}
		}
	}
	return rules
}

// readAnswer reads the prediction that an item is about, and its sample.
func (a *answerReader) readAnswer(k annotate.ItemKey) (out answer, err error) {
	if out, ok := a.ahead[k.Key]; ok {
		delete(a.ahead, k.Key) // it is an item once
		return out, nil
	}
	run, ok := a.runs[k.Run]
	if !ok {
		return out, fmt.Errorf("find run of prediction %s: %w", k, eval.ErrNotFound)
	}
	p, err := a.facts.Prediction(k.Key)
	if err != nil {
		return out, fmt.Errorf("read prediction %s: %w", k, err)
	}
	s, err := a.facts.Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return out, fmt.Errorf("read sample of prediction %s: %w", k, err)
	}
	return newAnswer(&s, &p, func(r eval.Reader) eval.Extraction { return eval.ReadPrediction(r, &s, &p) }), nil
}
