package view

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report/alignment"
	"concord/annotate/session"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/tui/pairs"
	"concord/tui/samples"
)

// reveal asks for what machines made of an item that the person answered.
func (w *walk) reveal(who annotate.Annotator) {
	q := w.queues[w.r.IntN(len(w.queues))]
	s := w.sit(who, q)
	var done []annotate.ItemKey
	for k := range s.Own.State().Labels {
		done = append(done, k)
	}
	if len(done) == 0 {
		return
	}
	slices.SortFunc(done, annotate.ItemKey.Compare)
	k := done[w.r.IntN(len(done))]
	w.did = fmt.Sprintf("%s has %s of queue %s revealed", who, k, q.Name)
	e := w.eyes[who]
	if k.Against != 0 {
		look, load, err := s.PreparePairReveal(k, func() (blind.RevealedPair, error) {
			return Reveal{w.st, w.policies, who}.RevealPair(w.ctx, q.Name, k)
		})
		w.must(err)
		w.look(s, look)
		u, err := load()
		w.must(err)
		if u.Model != "" || len(u.Judges) > 0 {
			e.see(w.step, k.Key)
			e.see(w.step, eval.Key{Run: k.Against, Sample: k.Sample})
		}
		return
	}
	look, load, err := s.PrepareReveal(k, func(truth bool) (blind.Revealed, error) {
		return Reveal{w.st, w.policies, who}.Reveal(w.ctx, q.Name, k, truth)
	})
	w.must(err)
	w.look(s, look)
	u, err := load()
	w.must(err)
	if u.Model != "" || len(u.Readings) > 0 {
		e.see(w.step, k.Key)
	}
	if u.Truth != "" {
		e.learn(w.step, k.Sample)
	}
}

// look stores that something is about to be shown; of a pair that is withheld
// later none is.
func (w *walk) look(s *session.Session, a annotate.Act) {
	if a.N == 0 {
		return
	}
	w.save(s, a, false)
	for _, k := range a.Item.ResponseKeys() {
		w.eyes[a.Annotator].see(w.step, k) // it counts as shown, whatever comes
	}
}

// row is what a row of a list of samples shows: whose response it is, too.
func (w *walk) row(who annotate.Annotator, r *samples.Row) {
	if r.Text != "" || r.Said != "" || r.Reading.Status != eval.StatusUnset {
		w.eyes[who].see(w.step, r.Key)
	}
	if r.Truth != "" || r.Result == samples.Right || r.Result == samples.Wrong {
		w.eyes[who].learn(w.step, r.Key.Sample)
	}
}

func (w *walk) detail(who annotate.Annotator, run eval.RunID, o eval.Ordinal, d *samples.Detail) {
	for i := range d.Passes {
		p := &d.Passes[i]
		if d.Model != "" || p.Text != "" || len(p.Readings)+len(p.Labels) > 0 {
			w.eyes[who].see(w.step, eval.Key{Run: run, Sample: o, Pass: p.Pass})
		}
		if p.Truth != "" {
			w.eyes[who].learn(w.step, o)
		}
	}
	if d.Truth != "" {
		w.eyes[who].learn(w.step, o)
	}
}

// some takes rows of a list, in haste not all of them.
func some[R any](w *walk, rows iter.Seq2[R, error], see func(*R)) {
	left := 1 << 20
	if w.hasty {
		left = w.r.IntN(12)
	}
	for r, err := range rows {
		w.must(err)
		if left--; left < 0 {
			return
		}
		see(&r)
	}
}

// list reads a list of samples: those of a run with a verdict, or some that a
// figure counts.
func (w *walk) list(who annotate.Annotator, run eval.RunID) {
	w.did = fmt.Sprintf("%s reads a list of run %d", who, run)
	var first []eval.Key
	for _, o := range w.r.Perm(len(w.samples))[:5] {
		first = append(first, eval.Key{Run: run, Sample: eval.Ordinal(o)})
	}
	keys := func(yield func(eval.Key, error) bool) {
		for _, k := range first {
			if !yield(k, nil) {
				return
			}
		}
	}
	rows := w.shown().RowsOfKeys(w.ctx, samples.Ask{Who: who, Tells: w.r.IntN(2) == 0}, keys)
	if w.r.IntN(6) == 0 {
		rows = w.shown().RowsOfRun(w.ctx, who, run, func(r *samples.Row) bool { return r.Result == samples.Wrong && r.Key.Sample%8 == 0 })
	}
	some(w, rows, func(r *samples.Row) { w.row(who, r) })
}

func (w *walk) pairs(who annotate.Annotator) {
	w.did = string(who) + " reads a list of pairs"
	b := Pairs{w.shown()}
	var all []eval.Pair
	for _, o := range w.r.Perm(len(w.samples))[:5] {
		all = append(all, eval.Pair{Sample: eval.Ordinal(o), First: w.runs[0].ID, Second: w.runs[1].ID})
	}
	see := func(p eval.Pair) {
		w.eyes[who].see(w.step, eval.Key{Run: p.First, Sample: p.Sample})
		w.eyes[who].see(w.step, eval.Key{Run: p.Second, Sample: p.Sample})
	}
	some(w, b.RowsOfPairs(w.ctx, pairs.Ask{Who: who, Ballot: &eval.Ballot{Judge: "judge"}}, slices.Values(all)), func(r *pairs.Row) {
		if r.Models[0] != "" || r.Outcome != "" || len(r.People) > 0 {
			see(r.Pair)
		}
	})
	d, err := b.Detail(w.ctx, who, all[0])
	w.must(err)
	if d.Models[0] != "" || len(d.Ballots)+len(d.People) > 0 {
		see(all[0])
	}
}

func (w *walk) disagreements() Disagreements { return Disagreements{w.shown()} }

func (w *walk) compare(who annotate.Annotator, q annotate.Queue) {
	if q.Rule.From == annotate.FromPairs {
		return
	}
	w.did = fmt.Sprintf("%s compares queue %s", who, q.Name)
	legible, err := w.disagreements().LegiblePredictions(w.ctx, who, q.Name)
	w.must(err)
	all, err := alignment.CompareQueue(w.ctx, w.disagreements(), who, legible, alignment.Options{Queue: q.Name, Rules: []string{"concord"}})
	w.must(err)
	w.must(w.disagreements().RecordCompared(w.ctx, who, all))
	for i := range all.Items {
		if it := &all.Items[i]; it.Model != "" || len(it.Labels)+len(it.Rulings)+len(it.Compared) > 0 {
			w.eyes[who].see(w.step, it.Key.Key)
		}
	}
}

// rule settles an item as its adjudicator, and looks at what everybody made of
// it.
func (w *walk) rule(who annotate.Annotator, q annotate.Queue) {
	if q.Rule.From == annotate.FromPairs {
		return
	}
	delete(w.chairs, chair{q.Name, who}) // two sessions would number their acts alike
	o, err := w.desk(who).Open(w.ctx, q.Name, who)
	w.must(err)
	o.Adjudicating, o.Queue.Growing = true, false
	s, err := session.New(o)
	w.must(err)
	s.Walk.ShowPosition(w.r.IntN(max(1, s.Walk.Len())))
	at, k, ok := s.Walk.Current()
	if !ok {
		return
	}
	w.did = fmt.Sprintf("%s rules on %s of queue %s", who, k, q.Name)
	it, err := w.desk(who).Item(w.ctx, q.Name, at)
	w.must(err)
	if _, seen := w.eyes[who].references[k.Sample]; it.Reference != "" && !seen {
		w.eyes[who].references[k.Sample] = w.step
	}
	if a, ok := s.Adjudicate(w.reading(&it), annotate.CauseUnset, time.Second); ok {
		w.save(s, a, a.Target != 0)
	}
	if w.r.IntN(2) == 0 {
		return
	}
	w.step++ // what follows is seen after the ruling
	look, err := s.RecordLookAtOthers(k)
	w.must(err)
	w.look(s, look)
	x, err := w.disagreements().LoadExhibit(w.ctx, who, k)
	if errors.Is(err, annotate.ErrBlind) {
		return
	}
	w.must(err)
	if x.Model != "" || len(x.Labels)+len(x.Rulings)+len(x.Readings) > 0 {
		w.eyes[who].see(w.step, k.Key)
	}
	for _, p := range x.Passes {
		if p.Text != "" || p.Reading.Status != eval.StatusUnset {
			w.eyes[who].see(w.step, eval.Key{Run: k.Run, Sample: k.Sample, Pass: p.Pass})
		}
		if p.Truth != "" {
			w.eyes[who].learn(w.step, k.Sample)
		}
	}
	if x.Truth != "" {
		w.eyes[who].learn(w.step, k.Sample)
	}
}

// latest reads the last responses of a run, on its page.
func (w *walk) latest(who annotate.Annotator, run eval.RunID) {
	w.did = fmt.Sprintf("%s looks at run %d", who, run)
	last, err := Overview{Store: w.st, Policy: w.policies}.LatestAnswers(w.ctx, who, run, 4)
	w.must(err)
	for i := range last {
		if last[i].Text != "" || last[i].Reading.Status != eval.StatusUnset {
			w.eyes[who].see(w.step, last[i].Key)
		}
	}
}

// second reads what asks for a second look.
func (w *walk) second(who annotate.Annotator, role annotate.Role) {
	w.did = string(who) + " has a second look"
	look := Review{SecondLook: SecondLook{Store: w.st, Now: w.now}, Policy: w.policies, Decides: role.May(annotate.MayExclude), Writes: true}
	list, err := look.ListVisibleEntries(w.ctx, who)
	w.must(err)
	for i := range list.Rows {
		r := &list.Rows[i]
		if r.Queue == "" || r.IsOwn(who) {
			continue
		}
		for _, k := range r.Item.ResponseKeys() {
			w.eyes[who].see(w.step, k)
		}
	}
}

// open reports whether a person has yet to answer an item on a sample that still
// wants a label.
func (w *walk) open(who annotate.Annotator, o eval.Ordinal) bool {
	for _, q := range w.queues {
		keys, err := w.st.Queues().ItemsOfSample(q.Name, o)
		w.must(err)
		acts, err := w.st.Acts().Acts(q.Name, who)
		w.must(err)
		crowds, err := w.st.Acts().Crowds(q.Name)
		w.must(err)
		st := annotate.FoldActs(acts)
		for _, k := range keys {
			if !st.HasAnswered(k) && crowds[k].People < q.WantedLabelsIfAgreed() {
				return true
			}
		}
	}
	return false
}

func (w *walk) curate(who annotate.Annotator) {
	w.did = string(who) + " opens the curation"
	o, err := Curation{facts.NewSource(w.st), curating.Settings{Conf: new(config.Config)}, w.policies}.Open(w.ctx, "d", who)
	w.must(err)
	for i := range o.Cards {
		if s := &o.Cards[i].Sample; s.Answer != "" || s.Reference != "" {
			if w.open(who, s.Ordinal) {
				w.t.Errorf("step %d: %s sees the answer to sample %d, on which an item is open to them", w.step, who, s.Ordinal)
			}
			w.eyes[who].learn(w.step, s.Ordinal)
		}
	}
}

// name gives what was seen before a name was given to who gives it.
func (w *walk) name(who annotate.Annotator) {
	w.did = string(who) + " gives their name"
	w.must(w.st.Disclosures().AssignName(w.ctx, who))
	mine, nobody := w.eyes[who], w.eyes[""]
	for k, at := range nobody.responses {
		mine.see(w.step, k)
		mine.responses[k] = min(mine.responses[k], max(at, w.step))
	}
	for o := range nobody.truths {
		mine.learn(w.step, o)
	}
	clear(nobody.responses)
	clear(nobody.truths)
}
