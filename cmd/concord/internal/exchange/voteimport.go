package exchange

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"concord/annotate"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
)

// voteImporter is the votes of a file that go into one queue of pairs.
//
//	row -> cast -> item of the queue -> act of its annotator
type voteImporter struct {
	in    *peopleImporter
	queue annotate.Queue
	made  bool
	items []annotate.QueueItem // of a queue that is made
	holds map[annotate.ItemKey]bool
	taken map[annotate.ItemKey]annotate.Crowd
	hands *actStreams
	casts []castVote
}

// readOrPlanQueue reads the queue, or makes it of the pairs in the file. It is written by commit.
func (b *voteImporter) readOrPlanQueue(ctx context.Context) error {
	q, err := b.in.st.Queues().Queue(b.queue.Name)
	switch {
	case errors.Is(err, eval.ErrNotFound):
		return b.planNewQueue(ctx)
	case err != nil:
		return err
	case q.Rule.From != annotate.FromPairs:
		return fmt.Errorf("queue %s is of %s predictions, and votes go into one of pairs: name another one with --queue", q.Name, q.Rule.From)
	case q.Rule.Dataset != b.in.o.Dataset:
		return fmt.Errorf("queue %s is of dataset %s", q.Name, q.Rule.Dataset)
	}
	if d := &b.in.o.Design; d.IsDeclared() && (!q.Design.IsDeclared() || !q.Design.IsSame(d)) {
		return fmt.Errorf("queue %s is there already and was drawn otherwise: %w; name another one with --queue", q.Name, annotate.ErrQueueExists)
	}
	b.queue = q
	if b.holds, err = eval.IndexRead(b.in.st.Queues().QueueItems(ctx, q.Name), func(it annotate.QueueItem) (annotate.ItemKey, bool) { return it.Key, true }); err != nil {
		return err
	}
	b.taken, err = b.in.st.Acts().Crowds(q.Name)
	return err
}

// planNewQueue plans a queue of the pairs that were voted on, in the order of the file. It
// shows criteria if most of the votes were given with them. The samples were chosen by whoever
// made the file, so it feeds no rates of the dataset.
func (b *voteImporter) planNewQueue(ctx context.Context) error {
	anchor, err := b.findSharedRun(ctx)
	if err != nil {
		return err
	}
	b.made, b.holds, b.taken = true, make(map[annotate.ItemKey]bool), make(map[annotate.ItemKey]annotate.Crowd)
	rule := annotate.Rule{Dataset: b.in.o.Dataset, From: annotate.FromPairs, Anchor: anchor}
	people := make(map[string]bool)
	s := drawnPairs{design: &b.in.o.Design, who: make(map[PersonItem]int), on: make(map[annotate.ItemKey]int)}
	with := 0
	for i := range b.casts {
		c := &b.casts[i]
		people[c.row.Annotator] = true
		if c.row.Criteria {
			with++
		}
		k := annotate.ItemKey{Key: eval.Key{Run: min(c.pair.First, c.pair.Second), Sample: c.pair.Sample}, Against: max(c.pair.First, c.pair.Second)}
		if k.Run == anchor {
			k.Run, k.Against = k.Against, k.Run
		}
		chance, err := s.checkDrawnVote(c, k)
		if err != nil {
			return fmt.Errorf("%s:%d: %w (%w)", filepath.Base(b.in.Path), c.row.Line, err, ErrNoSample)
		}
		if b.holds[k] {
			continue
		}
		b.holds[k] = true
		b.items = append(b.items, annotate.QueueItem{Index: len(b.items), Key: k, Inclusion: chance})
		for _, id := range []eval.RunID{k.Run, k.Against} {
			if id != anchor && !slices.Contains(rule.Runs, id) {
				rule.Runs = append(rule.Runs, id)
			}
		}
		rule.IDs = append(rule.IDs, c.row.Sample)
	}
	slices.Sort(rule.Runs)
	slices.Sort(rule.IDs)
	rule.IDs = slices.Compact(rule.IDs)
	b.queue = annotate.Queue{
		Name: b.queue.Name, Rule: rule, Stratum: annotate.Priority, Overlap: max(b.in.o.Overlap, len(people)), Criteria: 2*with > len(b.casts),
		Population: len(b.items), Items: len(b.items), By: b.in.o.By, Created: b.in.Project.Now(),
	}
	b.queue.Synthetic = slices.ContainsFunc(b.in.field.Runs, func(r eval.Run) bool { return r.Config.Synthetic })
	if s.design.IsDeclared() {
		return b.makeRandomSample(ctx, &s)
	}
	return nil
}

// drawnPairs are the votes of a sample that was drawn elsewhere.
type drawnPairs struct {
	design *annotate.Design
	who    map[PersonItem]int // the line of each vote
	on     map[annotate.ItemKey]int
}

// PersonItem is an item of which a file says once what a person says.
type PersonItem struct {
	Who  string
	Item annotate.ItemKey
}

// checkDrawnVote judges a vote of a sample, and gives the probability of its pair; 1 of what is no sample.
func (s *drawnPairs) checkDrawnVote(c *castVote, k annotate.ItemKey) (float64, error) {
	if !s.design.IsDeclared() {
		return 1, nil
	}
	v := PersonItem{c.row.Annotator, k}
	if line, twice := s.who[v]; twice {
		return 0, fmt.Errorf("%s has voted on sample %s with %s and %s in line %d already: one person gives a pair one vote", c.row.Annotator, c.row.Sample, c.row.Models[0], c.row.Models[1], line)
	}
	s.who[v] = c.row.Line
	s.on[k]++
	if !s.design.IsUneven() {
		return 0, nil
	}
	chance, err := s.design.ParseInclusionProbability(c.row.Drawn)
	if err != nil {
		err = fmt.Errorf("sample %s with %s and %s %w", c.row.Sample, c.row.Models[0], c.row.Models[1], err)
	}
	return chance, err
}

// makeRandomSample makes the queue one of a random sample of all pairs of answers of its models.
func (b *voteImporter) makeRandomSample(ctx context.Context, s *drawnPairs) error {
	q := &b.queue
	q.Design, q.Rule.Seed, q.Rule.IDs, q.Stratum, q.Overlap, q.Population = *s.design, s.design.Seed, nil, annotate.Random, 0, 0
	if q.Rule.Anchor == 0 {
		return errors.New("a sample of pairs is of models set against one anchor, which the pairs of the file do not share")
	}
	for _, n := range s.on {
		q.Overlap = max(q.Overlap, n)
	}
	answers := make(map[eval.Ordinal]int) // of the anchor's opponents
	for _, id := range append(slices.Clone(q.Rule.Runs), q.Rule.Anchor) {
		run := b.in.field.Runs[slices.IndexFunc(b.in.field.Runs, func(r eval.Run) bool { return r.ID == id })]
		for question, err := range facts.ReadQuestionsOfRun(ctx, b.in.st, run) {
			switch o := question.Sample.Ordinal; {
			case err != nil:
				return err
			case !slices.ContainsFunc(question.Predictions, func(p eval.Prediction) bool { return p.Pass == 0 && p.Failure == nil }):
			case id == q.Rule.Anchor:
				q.Population += answers[o]
			default:
				answers[o]++
			}
		}
	}
	for i := range b.items {
		if !s.design.IsUneven() {
			b.items[i].Inclusion = float64(q.Items) / float64(q.Population)
		}
	}
	return nil
}

// findSharedRun finds the run that all pairs of the file share: of two, the one that the
// judges' votes share too, else the older one; 0 when there is none.
func (b *voteImporter) findSharedRun(ctx context.Context) (eval.RunID, error) {
	shared := []eval.RunID{b.casts[0].pair.First, b.casts[0].pair.Second}
	for i := range b.casts {
		p := &b.casts[i].pair
		shared = slices.DeleteFunc(shared, func(id eval.RunID) bool { return id != p.First && id != p.Second })
	}
	if len(shared) < 2 {
		return append(shared, 0)[0], nil
	}
	judged, err := b.in.field.FindJudgesAnchor(ctx, b.in.st, nil)
	if err != nil || slices.Contains(shared, judged.ID) {
		return judged.ID, err
	}
	return min(shared[0], shared[1]), nil
}

// addActsOfVotes turns each vote into acts, or reports why not.
func (b *voteImporter) addActsOfVotes() error {
	for i := range b.casts {
		c := &b.casts[i]
		if err := b.importVote(c); err != nil {
			if err := b.in.skipRowUnlessStrict(c.row.Line, err); err != nil {
				return err
			}
		}
	}
	b.in.sum.Queues = append(b.in.sum.Queues, peopleQueue{
		Queue: b.queue.Name, Made: b.made, Items: len(b.holds), Overlap: b.queue.WantedLabelsIfAgreed(), Criteria: b.queue.Criteria,
	})
	return nil
}

// findItem finds the queue's item that a pair is, and whether the pair was shown the other way round.
func (b *voteImporter) findItem(p eval.Pair) (k annotate.ItemKey, swapped, ok bool) {
	k = annotate.ItemKey{Key: eval.Key{Run: p.First, Sample: p.Sample}, Against: p.Second}
	if b.holds[k] {
		return k, false, true
	}
	k.Run, k.Against = p.Second, p.First
	return k, true, b.holds[k]
}

func (b *voteImporter) importVote(c *castVote) error {
	k, swapped, ok := b.findItem(c.pair)
	if !ok {
		return fmt.Errorf("sample %s with %s and %s is not in queue %s, which is frozen", c.row.Sample, c.row.Models[0], c.row.Models[1], b.queue.Name)
	}
	hash, err := b.hashShownCriteria(c)
	if err != nil {
		return err
	}
	who := annotate.Annotator(c.row.Annotator)
	h, err := b.actsOfVoter(who)
	if err != nil {
		return err
	}
	r := annotate.Reading{Kind: annotate.Voted, Vote: c.row.Vote, Swapped: swapped, Criteria: hash}
	if old, ok := h.state.Labels[k]; ok {
		return b.importRepeatedVote(c, old.Reading, r)
	}
	crowd := b.taken[k]
	if crowd.People >= b.queue.LabelsWantedOfItem(crowd.Differs(), false) {
		return fmt.Errorf("sample %s: %w (overlap %d)", c.row.Sample, annotate.ErrTaken, b.queue.WantedLabelsIfAgreed())
	}
	crowd.AddLabel(r)
	b.taken[k] = crowd
	b.addVoteAct(h, who, k, c, r)
	b.in.sum.Read++
	b.in.sum.Added++
	return nil
}

// importRepeatedVote is a vote of somebody on a pair that they have voted on. The first one
// stays: a pair is one item, in whichever order it was shown.
func (b *voteImporter) importRepeatedVote(c *castVote, old, r annotate.Reading) error {
	same := old.Vote == r.Vote
	if old.Swapped != r.Swapped {
		b.in.sum.OtherOrder++
		says := "says the same"
		if same = old.Vote == r.Vote.Swapped(); !same {
			says = "contradicts it"
			b.in.sum.Contradictions++
		}
		return fmt.Errorf("%s has voted on this pair in the other order already: that vote is kept, and this one %s", c.row.Annotator, says)
	}
	switch {
	case !same:
		b.in.sum.Contradictions++
		return fmt.Errorf("%s has voted %s on this pair already: that vote is kept, and this one (%s) contradicts it", c.row.Annotator, old.Vote, r.Vote)
	case c.row.Stated && c.row.Criteria != (old.Criteria != "") || c.row.Hash != "" && old.Criteria != r.Criteria:
		return fmt.Errorf("%s has voted so on this pair already, with other criteria before them: that vote is kept (--queue takes this one into another queue)", c.row.Annotator)
	}
	b.in.sum.Read++
	b.in.sum.Unchanged++
	return nil
}

// hashShownCriteria is the hash of what was shown beside the answers: as the file names
// it, else of the criteria that stand.
func (b *voteImporter) hashShownCriteria(c *castVote) (string, error) {
	shown := eval.Either(c.row.Stated, c.row.Criteria, b.queue.Criteria)
	if !shown || c.row.Hash != "" {
		return c.row.Hash, nil
	}
	set, err := b.in.st.Criteria().Set(b.in.o.Dataset, c.pair.Sample)
	if err != nil {
		return "", projectError{err}
	}
	if r, ok := set.CurrentRevision(); ok && r.Hash != "" {
		return r.Hash, nil
	}
	if !c.row.Stated {
		return "", nil // the queue shows what there is
	}
	return "", fmt.Errorf("the vote was given with criteria, and sample %s has none in this project: import them first (concord import criteria)", c.row.Sample)
}

func (b *voteImporter) addVoteAct(h *actStream, who annotate.Annotator, k annotate.ItemKey, c *castVote, r annotate.Reading) {
	at := b.in.TimeOrNow(c.row.At)
	do := func(a annotate.Act) {
		a.Item, a.At = k, at
		b.hands.addImportedAct(h, who, a)
	}
	do(annotate.Act{
		Kind: annotate.Labelled, Reading: r, Reason: c.row.Reason, Confidence: c.row.Confidence,
		Informed: c.row.Informed, Guideline: c.row.Guideline, Spent: c.row.Spent,
	})
	if c.row.Note != "" {
		do(annotate.Act{Kind: annotate.Noted, Text: c.row.Note})
	}
	if c.row.Flagged {
		do(annotate.Act{Kind: annotate.Flagged})
	}
	h.state.Labels[k] = annotate.Label{Reading: r}
}

func (b *voteImporter) actsOfVoter(who annotate.Annotator) (*actStream, error) {
	h, err := b.hands.actsOfPerson(who)
	if err != nil {
		return nil, projectError{err}
	}
	b.in.sum.Annotators = eval.AppendUnique(b.in.sum.Annotators, who)
	return h, nil
}

func (b *voteImporter) storeQueueAndActs(ctx context.Context) error {
	if b.made {
		if err := b.in.st.Queues().CreateQueue(ctx, b.queue, b.items); err != nil {
			return err
		}
	}
	return b.hands.storeNewActs(ctx)
}
