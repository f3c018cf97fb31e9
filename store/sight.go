package store

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/eval"
	"concord/store/record"
)

// sight is what the ledger makes of an act.
type sight struct {
	informed bool // its person had been shown something of the item
}

// marks reports whether the act is kept otherwise than it came.
func (s sight) marks(one *annotate.Act) bool { return s.informed && !one.Informed }

func (s sight) marked(one *annotate.Act) *annotate.Act {
	out := *one
	out.Informed = out.Informed || s.informed
	return &out
}

// repeats reports whether a stored act is the one that comes again, as it was
// before the ledger marked it.
func (a *Acts) repeats(stored, value []byte, one *annotate.Act) bool {
	if stored == nil {
		return false
	}
	marked, err := a.s.codec.Encode(record.FromAct(sight{informed: true}.marked(one)))
	return err == nil && !one.Informed && !bytes.Equal(marked, value) && bytes.Equal(stored, marked)
}

// sight finds out whether an act gives its item a reading after its person was
// shown something of it, and records what the act itself shows. The states are
// of the person's acts on the item without it and with it.
func (a *Acts) sight(tx *bbolt.Tx, one *annotate.Act, before, after *annotate.State) (out sight, err error) {
	switch one.Kind {
	case annotate.Looked:
		return out, a.disclose(tx, one)
	case annotate.Labelled, annotate.Ruled, annotate.TookBack:
	case annotate.ActUnset, annotate.Skipped, annotate.Flagged, annotate.Unflagged, annotate.Noted, annotate.TooLate:
		return out, nil
	}
	given, ok := newReading(one, before, after)
	if !ok {
		out.informed = before.Labels[one.Item].Informed && one.Kind == annotate.Labelled || before.Rulings[one.Item].Informed && one.Kind == annotate.Ruled
		return out, nil
	}
	queue, err := a.s.Queues().in(tx, one.Queue)
	if err != nil {
		return out, err
	}
	shown, err := a.s.Disclosures().of(tx, one.Annotator, queue.Rule.Dataset, one.Item.Sample)
	out.informed = slices.ContainsFunc(shown, func(s annotate.Disclosure) bool {
		return s.Informs(one.Item, given) && (!one.Imported || !s.At.After(one.At))
	})
	return out, err
}

// newReading reports whether an act gives a reading of its item: one that did
// not stand, and is not kept with other grounds or another cause.
func newReading(one *annotate.Act, before, after *annotate.State) (annotate.Verdict, bool) {
	for k, l := range after.Labels {
		if old, ok := before.Labels[k]; gives(one, annotate.Labelled, ok, &old.Reading, &l.Reading) {
			return l.Reading.Verdict, true
		}
	}
	for k, r := range after.Rulings {
		if old, ok := before.Rulings[k]; gives(one, annotate.Ruled, ok, &old.Reading, &r.Reading) {
			return r.Reading.Verdict, true
		}
	}
	return annotate.VerdictUnset, false
}

// gives reports whether an act gives a reading of its kind: by itself, unless
// it says that it keeps the one that stood, or by bringing another one back.
func gives(one *annotate.Act, kind annotate.ActKind, stood bool, old, now *annotate.Reading) bool {
	kept := stood && old.Same(now)
	switch one.Kind {
	case kind:
		return !kept || one.Target == 0
	case annotate.TookBack:
		return !kept
	default:
		return false
	}
}

// disclose records what a reveal shows: of a pair whose responses they are and
// what judges voted, of a response what machines made of it.
func (a *Acts) disclose(tx *bbolt.Tx, look *annotate.Act) error {
	queue, err := a.s.Queues().in(tx, look.Queue)
	if err != nil {
		return err
	}
	return a.s.Disclosures().reveal(tx, look, queue.Rule.Dataset)
}

// reveal records what a reveal of an item shows in any case.
func (d *Disclosures) reveal(tx *bbolt.Tx, look *annotate.Act, of eval.DatasetName) error {
	contents := []annotate.Content{annotate.MachineContent, annotate.JudgeContent}
	if look.Item.Against != 0 {
		contents[0] = annotate.ModelContent
	}
	for _, one := range look.Item.Disclose(of, contents...) {
		one.Person, one.At, one.Screen = look.Annotator, look.At, "queue "+string(look.Queue)
		if err := d.put(tx, &one); err != nil {
			return err
		}
	}
	return nil
}
