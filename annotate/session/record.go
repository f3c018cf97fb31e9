package session

import (
	"time"

	"concord/annotate"
	"concord/annotate/journal"
	"concord/eval/stat"
)

// Record holds what one annotator has said in one queue: their acts, and what
// counts of them.
type Record struct {
	queue        annotate.Queue
	who          annotate.Annotator
	now          func() time.Time
	adjudicating bool
	hidden       Hidden
	checks       annotate.GoldChecks

	acts   []annotate.Act
	saved  int   // acts[:saved] are committed
	failed error // why acts[saved] is not; until then state is that of acts[:saved]

	state   annotate.State
	skips   map[annotate.ItemKey]uint32 // of items put off: the N of the last time
	left    map[annotate.ItemKey]bool   // items put off or answered before, and meanwhile labelled by others
	history journal.History
}

// Queue gives the queue that the session works in.
func (o *Record) Queue() annotate.Queue { return o.queue }

// Annotator names the annotator.
func (o *Record) Annotator() annotate.Annotator { return o.who }

// State gives what counts of the annotator's acts. It must not be changed.
func (o *Record) State() annotate.State { return o.state }

// SetQueue takes the queue as it is now: it may have stopped growing.
func (o *Record) SetQueue(q annotate.Queue) { o.queue = q }

// leave keeps an item out of those put off.
func (o *Record) leave(k annotate.ItemKey) {
	o.left[k] = true
	delete(o.skips, k)
}

// fold derives everything anew from the acts that count.
func (o *Record) fold() {
	acts := o.acts
	if o.failed != nil {
		acts = acts[:o.saved]
	}
	o.state = annotate.Fold(acts)
	gone := annotate.TakenBack(acts)
	o.skips = make(map[annotate.ItemKey]uint32)
	o.history = journal.History{}
	for i := range acts {
		if o.mine(acts, &acts[i]) {
			remember(&o.history, acts, &acts[i])
		}
		if acts[i].Kind == annotate.Skipped && !o.adjudicating && !gone[acts[i].N] && o.state.Skipped[acts[i].Item] && !o.left[acts[i].Item] {
			o.skips[acts[i].Item] = acts[i].N
		}
	}
}

// add appends one act about the item k and lets it count.
func (o *Record) add(k annotate.ItemKey, a annotate.Act) annotate.Act {
	a.Queue, a.Annotator, a.Item = o.queue.Name, o.who, k
	a.N, a.At = uint32(len(o.acts)+1), o.now()
	o.acts = append(o.acts, a)
	o.checks.Add(&a, o.hidden.known)
	if a.Kind == annotate.TookBack {
		o.fold()
		return a
	}
	o.state.Apply(&a)
	if l, ok := o.state.Labels[k]; ok {
		l.Flagged, l.Note = o.state.Flagged[k], o.state.Notes[k]
		o.state.Labels[k] = l
	}
	if r, ok := o.state.Rulings[k]; ok {
		r.Note = o.state.Notes[k]
		o.state.Rulings[k] = r
	}
	switch {
	case !o.state.Skipped[k] || o.left[k]:
		delete(o.skips, k)
	case a.Kind == annotate.Skipped:
		o.skips[k] = a.N
	}
	if o.mine(o.acts, &a) {
		remember(&o.history, o.acts, &a)
	}
	return a
}

// CanUndo reports whether there is an act to take back.
func (o *Record) CanUndo() bool {
	_, ok := o.history.ToUndo()
	return ok
}

// CanRedo reports whether the last thing done was to take something back.
func (o *Record) CanRedo() bool {
	_, ok := o.history.ToRedo()
	return ok
}

// Answered reports whether the annotator has said what they make of an item,
// as a label or a ruling: what others say of it is shown from then on.
func (o *Record) Answered(k annotate.ItemKey) bool { return o.state.Answered(k) }

// Failure tells why acts are not saved; nil when none failed.
func (o *Record) Failure() error { return o.failed }

func (o *Record) fresh(k annotate.ItemKey) bool {
	if o.adjudicating {
		_, done := o.state.Rulings[k]
		return !done
	}
	_, done := o.state.Labels[k]
	return !done && !o.state.Skipped[k]
}

// Checks counts the gold items that the annotator labelled with the known
// answer, so far as it may be shown: in whole blocks, after every so many labels.
// It is empty before the first block.
func (o *Record) Checks() stat.Count { return o.checks.Shown() }

// Outdated counts the annotator's labels that were made under another
// version of the guideline than the one in force, those from files left aside.
func (o *Record) Outdated() int {
	n := 0
	for _, l := range o.state.Labels {
		if !l.Imported && o.queue.Guideline.Of(&l) != o.queue.Guideline.Version {
			n++
		}
	}
	return n
}

// Amended reports whether the annotator labelled last under another version of
// the guideline than the one in force.
func (o *Record) Amended() bool {
	for i := len(o.acts) - 1; i >= 0; i-- {
		if a := &o.acts[i]; a.Kind == annotate.Labelled && !a.Imported {
			return o.queue.Guideline.VersionAt(a.Guideline, false, a.At) != o.queue.Guideline.Version
		}
	}
	return false
}

// remember takes up the act a of acts in what can be taken back. What came
// from a file is no act of this kind.
func remember(h *journal.History, acts []annotate.Act, a *annotate.Act) {
	switch {
	case a.Imported || a.Kind == annotate.ActUnset || a.Kind == annotate.TooLate || a.Kind == annotate.Looked:
	case a.Kind != annotate.TookBack:
		h.Did(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == annotate.TooLate: // nothing stood
	case acts[a.Target-1].Kind == annotate.TookBack:
		h.Redid(a.Target, acts[a.Target-1].Target)
	default:
		h.Undid(a.N, a.Target)
	}
}

// mine reports whether an act is one that the session takes back. Rulings are
// left to a session that adjudicates, and labels to one that labels: neither
// would show what is undone.
func (o *Record) mine(acts []annotate.Act, a *annotate.Act) bool {
	for a.Kind == annotate.TookBack && a.Target > 0 && int(a.Target) <= len(acts) && a.Target < a.N {
		a = &acts[a.Target-1]
	}
	switch a.Kind {
	case annotate.Ruled:
		return o.adjudicating
	case annotate.Labelled, annotate.Skipped, annotate.Flagged, annotate.Unflagged, annotate.TooLate:
		return !o.adjudicating
	case annotate.Excluded, annotate.Included, annotate.Commented, annotate.Closed: // taken back where they are listed
		return false
	case annotate.Noted, annotate.Looked, annotate.TookBack, annotate.ActUnset:
	}
	return true
}
