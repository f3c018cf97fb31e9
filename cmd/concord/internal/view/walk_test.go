package view

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/session"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// walkEnv is how many steps the walk takes; unset: as many as a commit is to
// wait for.
const walkEnv = "CONCORD_WALK_STEPS"

// A label is blind when its person had been shown nothing of it, by any queue or
// screen, and informed when they had. People of all roles walk at random over
// queues that overlap and over screens; what each was shown is known from what
// the screens were handed, and not from the ledger.
func TestNoLabelIsBlindOfWhatItsPersonHadSeen(t *testing.T) {
	steps := 1200
	if n, err := strconv.Atoi(os.Getenv(walkEnv)); err == nil {
		steps = n
	} else {
		t.Logf("a short walk: %s=10000 takes the long one", walkEnv)
	}
	const each = 400 // steps in one project: later all has been seen
	blinds, informs := 0, 0
	for seed := range uint64(steps / each) {
		w := newWalk(t, seed)
		for w.step = 1; w.step <= each; w.step++ {
			w.walk()
			if w.step%40 == 0 || w.step == each {
				blinds, informs = 0, 0
				w.check(&blinds, &informs)
			}
			if t.Failed() {
				t.Fatalf("world %d, step %d: %s", seed, w.step, w.did)
			}
		}
		if blinds == 0 || informs == 0 {
			t.Errorf("world %d: %d blind labels and %d informed ones tell little", seed, blinds, informs)
		}
	}
	t.Logf("%d steps; in the last world %d labels are blind and %d informed", steps, blinds, informs)
}

// eyes are what one person was shown, each with the step at which it was first.
type eyes struct {
	truths, references map[eval.Ordinal]int
	responses          map[eval.Key]int
}

func (e *eyes) see(step int, k eval.Key) {
	if _, seen := e.responses[k]; !seen && k.Run != 0 {
		e.responses[k] = step
	}
}

func (e *eyes) learn(step int, o eval.Ordinal) {
	if _, seen := e.truths[o]; !seen {
		e.truths[o] = step
	}
}

// before reports whether anything of an item was seen before a step.
func (e *eyes) before(step int, it annotate.ItemKey, v annotate.ReadingKind) bool {
	early := func(at int, seen bool) bool { return seen && at < step }
	first, seen := e.truths[it.Sample]
	out := early(first, seen)
	if first, seen = e.references[it.Sample]; v != annotate.Scored {
		out = out || early(first, seen)
	}
	for _, run := range []eval.RunID{it.Run, it.Against} {
		first, seen = e.responses[eval.Key{Run: run, Sample: it.Sample, Pass: it.Pass}]
		out = out || early(first, seen)
	}
	return out
}

// chair is a person at a queue, and answered an item before them.
type (
	chair struct {
		queue annotate.QueueName
		who   annotate.Annotator
	}
	answered struct {
		chair
		item  annotate.ItemKey
		ruled bool
	}
)

type walk struct {
	t        *testing.T
	ctx      context.Context
	r        *rand.Rand
	st       *store.Store
	policies *blind.Policies
	people   map[annotate.Annotator]annotate.Role
	names    []annotate.Annotator
	eyes     map[annotate.Annotator]*eyes
	given    map[answered]int            // the step at which the reading that stands was given, or brought back
	steps    map[answered]map[uint32]int // the same of each act that gave one
	chairs   map[chair]*session.Session
	queues   []annotate.Queue
	runs     []eval.Run
	samples  []eval.Sample
	clock    time.Time
	step     int
	hasty    bool // lists are left before their end: more is recorded than was seen
	did      string
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("step %d, %s: %v", w.step, w.did, err)
	}
}

func (w *walk) now() time.Time {
	w.clock = w.clock.Add(time.Second)
	return w.clock
}

func newWalk(t *testing.T, seed uint64) *walk {
	w := &walk{
		t: t, ctx: t.Context(), r: rand.New(rand.NewPCG(seed, 7)), hasty: seed%2 == 1, clock: veilClock,
		people: map[annotate.Annotator]annotate.Role{
			"ada": annotate.RoleAnnotator, "bob": annotate.RoleAnnotator, "cy": annotate.RoleCurator, "di": annotate.RoleAdjudicator, "eve": annotate.RoleOwner,
		},
		eyes: make(map[annotate.Annotator]*eyes), given: make(map[answered]int), steps: make(map[answered]map[uint32]int), chairs: make(map[chair]*session.Session),
	}
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"), store.Options{Now: w.now, NoSync: true, InitialMmapSize: 1 << 24})
	w.must(err)
	t.Cleanup(func() { _ = st.Close() })
	w.st, w.policies = st, NewPolicies(st)
	w.names = slices.Sorted(maps.Keys(w.people))
	for _, who := range append([]annotate.Annotator{""}, w.names...) {
		w.eyes[who] = &eyes{truths: make(map[eval.Ordinal]int), references: make(map[eval.Ordinal]int), responses: make(map[eval.Key]int)}
	}
	w.furnish()
	for range 3 {
		w.queue()
	}
	return w
}

// walk has somebody do something that their role allows.
func (w *walk) walk() {
	who := w.names[w.r.IntN(len(w.names))]
	role := w.people[who]
	finds, reads := role.May(annotate.MayFindSamples), role.May(annotate.MayReadReports)
	run, o := w.runs[w.r.IntN(len(w.runs))].ID, eval.Ordinal(w.r.IntN(len(w.samples)))
	viewer := who
	if role == annotate.RoleOwner && w.r.IntN(4) == 0 {
		viewer = "" // at the machine itself, before they give their name
	}
	switch n := w.r.IntN(100); {
	case n < 50:
		w.work(who, w.queues[w.r.IntN(len(w.queues))])
	case n < 56:
		w.undo(who)
	case n < 76:
		w.reveal(who)
	case n < 78 && finds:
		w.did = fmt.Sprintf("%s opens sample %d of run %d", viewer, o, run)
		d, err := w.shown().DetailInRun(w.ctx, viewer, run, o)
		w.must(err)
		w.detail(viewer, run, o, &d)
	case n < 79 && finds:
		w.did = fmt.Sprintf("%s opens sample %d", viewer, o)
		d, err := w.shown().SampleDetail(w.ctx, viewer, "d", o)
		w.must(err)
		w.detail(viewer, 0, o, &d)
	case n < 80 && reads:
		w.list(viewer, run)
	case n < 81 && reads:
		w.pairs(viewer)
	case n < 82 && role.May(annotate.MayAdjudicate):
		w.compare(who, w.queues[w.r.IntN(len(w.queues))])
	case n < 88 && role.May(annotate.MayAdjudicate):
		w.rule(who, w.queues[w.r.IntN(len(w.queues))])
	case n == 88 && w.r.IntN(6) == 0 && role.May(annotate.MayCurate):
		w.curate(who)
	case n == 89:
		w.did = "the process ends"
		clear(w.chairs)
		w.policies = NewPolicies(w.st)
	case n == 90 && w.r.IntN(3) == 0:
		w.queue()
	case n == 92 && role.May(annotate.MayRun):
		w.latest(viewer, run)
	case n == 93:
		w.second(who, role)
	case n == 91 && role == annotate.RoleOwner:
		w.name(who)
	default:
		w.work(who, w.queues[w.r.IntN(len(w.queues))])
	}
}

func (w *walk) shown() Samples {
	return Samples{facts.NewSource(w.st), w.policies, w.now, curating.Settings{}}
}

// sit opens a person's session at a queue, as it would be after a while.
func (w *walk) sit(who annotate.Annotator, q annotate.Queue) *session.Session {
	c := chair{q.Name, who}
	if s := w.chairs[c]; s != nil && w.r.IntN(8) > 0 {
		return s
	}
	o, err := w.desk(who).Open(w.ctx, q.Name, who)
	w.must(err)
	s, err := session.New(o)
	w.must(err)
	w.chairs[c] = s
	return s
}

func (w *walk) desk(who annotate.Annotator) Queue {
	return Queue{Store: w.st, Who: who, Policy: w.policies, Sync: func(context.Context, annotate.QueueName, annotate.Annotator) error { return nil }}
}

// save stores an act, and notes when the reading that stands was given.
func (w *walk) save(s *session.Session, a annotate.Act, kept bool) {
	before := w.standing(&a)
	err := w.st.Acts().Append(w.ctx, []annotate.Act{a})
	var taken *annotate.TakenError
	if errors.As(err, &taken) {
		a.Kind = annotate.TooLate
		w.must(w.st.Acts().Append(w.ctx, []annotate.Act{a}))
		s.MarkTooLate([]annotate.Act{a})
		return
	}
	w.must(err)
	after := w.standing(&a)
	for i, k := range []answered{{chair{a.Queue, a.Annotator}, a.Item, false}, {chair{a.Queue, a.Annotator}, a.Item, true}} {
		kind := []annotate.ActKind{annotate.Labelled, annotate.Ruled}[i]
		switch {
		case after[i] == "":
		case a.Kind == kind && !kept, a.Kind == annotate.TookBack && after[i] != before[i]:
			w.given[k] = w.step
		case a.Kind == annotate.TookBack:
			w.given[k] = w.steps[k][w.last(&a, kind)] // the same words, as they were given then
		}
		if w.steps[k] == nil {
			w.steps[k] = make(map[uint32]int)
		}
		if after[i] != "" {
			w.steps[k][w.last(&a, kind)] = w.given[k]
		}
	}
}

// last is the number of the act of a kind that stands last on an act's item.
func (w *walk) last(of *annotate.Act, kind annotate.ActKind) (n uint32) {
	acts, err := w.st.Acts().Acts(of.Queue, of.Annotator)
	w.must(err)
	gone := annotate.FindTakenBack(acts)
	for i := range acts {
		if a := &acts[i]; a.Kind == kind && a.Item == of.Item && !gone[a.N] {
			n = a.N
		}
	}
	return n
}

// standing is the label and the ruling of an act's person on its item, in words.
func (w *walk) standing(a *annotate.Act) (out [2]string) {
	acts, err := w.st.Acts().Acts(a.Queue, a.Annotator)
	w.must(err)
	st := annotate.FoldActs(acts)
	if l, ok := st.Labels[a.Item]; ok {
		out[0] = l.Reading.Word() + l.Reading.Vote.String() + strconv.FormatBool(l.Reading.Swapped)
	}
	if r, ok := st.Rulings[a.Item]; ok {
		out[1] = r.Reading.Word()
	}
	return out
}

// work labels, votes or scores an item, puts it off, or says why it was labelled
// so.
func (w *walk) work(who annotate.Annotator, q annotate.Queue) {
	s := w.sit(who, q)
	if s.Walk.Len() == 0 {
		return
	}
	if w.r.IntN(3) == 0 {
		s.Walk.ShowPosition(w.r.IntN(s.Walk.Len()))
	}
	at, k, ok := s.Walk.Current()
	if !ok {
		return
	}
	w.did = fmt.Sprintf("%s works on %s of queue %s", who, k, q.Name)
	it, err := w.desk(who).Item(w.ctx, q.Name, at)
	w.must(err)
	if _, seen := w.eyes[who].references[k.Sample]; it.Reference != "" && !seen {
		w.eyes[who].references[k.Sample] = w.step
	}
	switch w.r.IntN(12) {
	case 0:
		if a, ok := s.SkipAndAdvance(0); ok {
			w.save(s, a, false)
		}
	case 1:
		if a, ok := s.SetRationale(annotate.Rationale{Reason: fmt.Sprint(w.step)}); ok {
			w.save(s, a, true)
		}
	default:
		if a, ok := s.LabelAndAdvance(w.reading(&it), time.Second); ok {
			w.save(s, a, false)
		}
	}
}

func (w *walk) reading(it *annotate.Item) annotate.Reading {
	switch {
	case it.Key.Against != 0:
		return annotate.Reading{Kind: annotate.Voted, Vote: []eval.Vote{eval.Answer1, eval.Answer2}[w.r.IntN(2)]}
	case it.Reference != "":
		return annotate.Reading{Kind: annotate.Scored, Score: 1 + w.r.IntN(5)}
	case w.r.IntN(5) == 0:
		return annotate.Reading{Kind: annotate.SaidNone}
	}
	return annotate.Reading{Kind: annotate.PickedOption, Choice: []eval.Choice{"A", "B"}[w.r.IntN(2)]}
}

func (w *walk) undo(who annotate.Annotator) {
	s := w.sit(who, w.queues[w.r.IntN(len(w.queues))])
	w.did = fmt.Sprintf("%s takes back or does again in queue %s", who, s.Own.Queue().Name)
	do := s.Undo
	if w.r.IntN(2) == 0 {
		do = s.Redo
	}
	if a, _, ok := do(); ok {
		w.save(s, a, false)
	}
}

// check compares every label and ruling that stands with what its person had
// seen when they gave it.
func (w *walk) check(blinds, informs *int) {
	w.t.Helper()
	for _, q := range w.queues {
		for _, who := range w.names {
			acts, err := w.st.Acts().Acts(q.Name, who)
			w.must(err)
			st := annotate.FoldActs(acts)
			one := func(k annotate.ItemKey, ruled, informed bool, v annotate.ReadingKind) {
				at := w.given[answered{chair{q.Name, who}, k, ruled}]
				seen := w.eyes[who].before(at, k, v)
				switch {
				case seen && !informed:
					w.t.Errorf("%s's label on %s of queue %s (step %d) is blind, and they had seen something of it", who, k, q.Name, at)
				case informed && !seen && !w.hasty:
					w.t.Errorf("%s's label on %s of queue %s (step %d) is informed, and they had seen nothing of it", who, k, q.Name, at)
				case informed:
					*informs++
				default:
					*blinds++
				}
			}
			for k, l := range st.Labels {
				one(k, false, l.Informed, l.Reading.Kind)
			}
			for k, r := range st.Rulings {
				one(k, true, r.Informed, r.Reading.Kind)
			}
		}
	}
}
