package view

import (
	"fmt"

	"concord/annotate"
	"concord/eval"
	"concord/eval/dataset"
)

// furnish makes a dataset of choices and open questions, what three models say
// to them, and what a judge makes of that.
func (w *walk) furnish() {
	d := eval.Dataset{Name: "d", Samples: 30, Hash: "h"}
	w.must(w.st.Datasets().BeginDataset(w.ctx, d))
	var items []dataset.Item
	for i := range d.Samples {
		s := eval.Sample{Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint("s", i)), Kind: eval.KindChoice, Question: "What?", Answer: "B"}
		for _, l := range "ABCD" {
			s.Options = append(s.Options, eval.Option{Letter: eval.Choice(l), Text: fmt.Sprintf("thing %c", l+32)})
		}
		if i%5 == 0 {
			s.Kind, s.Options, s.Answer, s.Reference = eval.KindOpen, nil, "", "a reference"
		}
		w.samples, items = append(w.samples, s), append(items, dataset.Item{Sample: s})
	}
	w.must(w.st.Datasets().PutSamples(w.ctx, "d", items))
	w.must(w.st.Datasets().FinishDataset(w.ctx, d))
	for m := range 3 {
		run, err := w.st.Runs().CreateRun(w.ctx, eval.Config{
			Dataset: "d", Model: fmt.Sprint("model ", m), Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Replayed, Rules: "concord",
		})
		w.must(err)
		w.runs = append(w.runs, run)
		var said []eval.Fact
		var judged []eval.Judgment
		for i := range w.samples {
			k := eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}
			said = append(said, eval.Fact{Prediction: eval.Prediction{Key: k, Text: "The answer is C.", At: veilClock}, Reading: eval.Extraction{Status: eval.Found, Choice: "C"}, Reader: "concord@1"})
			if w.samples[i].Kind == eval.KindChoice && i%2 == 0 {
				judged = append(judged, eval.Judgment{Key: k, Judge: "judge", Extraction: eval.Extraction{Choice: "D", Status: eval.Found}, Raw: "it is D"})
			}
		}
		_, err = w.st.Runs().RecordAll(w.ctx, said)
		w.must(err)
		_, err = w.st.Judgments().Put(w.ctx, judged)
		w.must(err)
	}
	var votes []eval.Preference
	for i := range w.samples {
		votes = append(votes, eval.Preference{
			Pair: eval.Pair{Sample: eval.Ordinal(i), First: w.runs[0].ID, Second: w.runs[1].ID}, Ballot: eval.Ballot{Judge: "judge"}, Vote: eval.Answer1, Raw: "the first",
		})
	}
	_, err := w.st.Votes().Put(w.ctx, votes)
	w.must(err)
}

// queue makes one more queue over some of the same responses.
func (w *walk) queue() {
	q := annotate.Queue{
		Name: annotate.QueueName(fmt.Sprint("q", len(w.queues))), Stratum: annotate.Random, Overlap: 2 + w.r.IntN(4), Created: w.now(),
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Seed: w.r.Uint64()},
	}
	if len(w.queues)%3 == 2 {
		q.Rule.From = annotate.FromPairs
	}
	if w.r.IntN(3) == 0 {
		q.Overlap, q.Extra = 2, 1+w.r.IntN(2)
	}
	var items []annotate.QueueItem
	for _, o := range w.r.Perm(len(w.samples))[:20] {
		k := annotate.NewItemKey(eval.Key{Run: w.runs[w.r.IntN(2)].ID, Sample: eval.Ordinal(o)})
		if q.Rule.From == annotate.FromPairs {
			k.Against = k.Run + 1
		}
		items = append(items, annotate.QueueItem{Key: k, Inclusion: 1})
	}
	w.must(w.st.Queues().CreateQueue(w.ctx, q, items))
	w.queues = append(w.queues, q)
}
