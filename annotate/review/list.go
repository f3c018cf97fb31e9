package review

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// ListEntries gives the entries of a queue, by time: acts are everybody's, each
// person's in their order, and known the answers of its gold items.
func ListEntries(q *annotate.Queue, acts map[annotate.Annotator][]annotate.Act, known map[annotate.ItemKey]annotate.Reading) []Entry {
	l := lister{queue: q, known: known, states: annotate.FoldStates(acts), closed: make(map[entryName]Closing), said: make(map[annotate.ItemKey][]labelWord)}
	for _, who := range slices.Sorted(maps.Keys(acts)) {
		l.addEntriesOfPerson(acts[who])
	}
	for _, x := range annotate.ListExclusions(l.states) {
		l.addEntry(annotate.ExclusionMatter, &annotate.Act{Annotator: x.By, N: x.N, Item: x.Item, At: x.At}, x.Reason)
	}
	for _, words := range l.said {
		l.addDisagreement(words)
	}
	for i := range l.out {
		e := &l.out[i]
		if c, ok := l.closed[entryName{e.Matter, e.Of}]; ok {
			e.Closed = &c
		}
	}
	slices.SortFunc(l.out, func(a, b Entry) int {
		return cmp.Or(a.At.Compare(b.At), a.Item.Compare(b.Item), cmp.Compare(a.Matter, b.Matter), cmp.Compare(a.Of.Who, b.Of.Who))
	})
	return l.out
}

type entryName struct {
	kind annotate.Matter
	of   annotate.ActRef
}

type labelWord struct {
	act    annotate.Act
	answer string
}

type lister struct {
	queue  *annotate.Queue
	known  map[annotate.ItemKey]annotate.Reading
	states map[annotate.Annotator]annotate.State
	closed map[entryName]Closing
	said   map[annotate.ItemKey][]labelWord
	out    []Entry
}

func (l *lister) addEntry(kind annotate.Matter, a *annotate.Act, text string) {
	l.out = append(l.out, Entry{Dataset: l.queue.Rule.Dataset, Queue: l.queue.Name, Item: a.Item, Matter: kind, Of: a.Ref(), Text: text, At: a.At})
}

// addEntriesOfPerson takes up what stands of one person's acts: of labels, flags and notes the last act on an item.
func (l *lister) addEntriesOfPerson(acts []annotate.Act) {
	type last struct {
		item annotate.ItemKey
		kind annotate.ActKind
	}
	seen := make(map[last]bool)
	gone := annotate.FindTakenBack(acts)
	for i := range slices.Backward(acts) {
		a := &acts[i]
		if gone[a.N] {
			continue
		}
		kind := eval.Either(a.Kind == annotate.Unflagged, annotate.Flagged, a.Kind)
		at := last{a.Item, kind}
		first := !seen[at]
		seen[at] = true
		switch {
		case a.Kind == annotate.Commented:
			l.addEntry(annotate.CommentMatter, a, a.Text)
		case a.Kind == annotate.Closed:
			if of, ok := a.TargetAct(); ok {
				l.closed[entryName{a.Matter, of}] = Closing{By: a.Ref(), Text: a.Text, At: a.At}
			}
		case !first:
		case a.Kind == annotate.Flagged:
			l.addEntry(annotate.FlagMatter, a, "")
		case a.Kind == annotate.Noted && a.Text != "":
			l.addEntry(annotate.NoteMatter, a, a.Text)
		case a.Kind == annotate.Labelled:
			l.addLabel(a)
		}
	}
}

// addLabel takes up a label that stands; a decoy is nobody's word.
func (l *lister) addLabel(a *annotate.Act) {
	stands, ok := l.states[a.Annotator].Labels[a.Item]
	if !ok {
		return
	}
	answer := stands.Reading.AnswerName()
	if want, known := l.known[a.Item]; known {
		if want.AnswerName() != answer {
			l.addEntry(annotate.GoldMatter, a, stands.Reading.Word()+", known answer "+want.Word())
		}
		return
	}
	if !stands.Excluded {
		l.said[a.Item] = append(l.said[a.Item], labelWord{*a, answer})
	}
}

// addDisagreement lists an item on which people differ, by the label that came last,
// unless adjudicators decided on it.
func (l *lister) addDisagreement(words []labelWord) {
	newest, differ := 0, false
	var text []string
	for i := range words {
		if words[i].act.At.After(words[newest].act.At) {
			newest = i
		}
		differ = differ || words[i].answer != words[0].answer
		text = append(text, string(words[i].act.Annotator)+": "+words[i].answer)
	}
	if !differ {
		return
	}
	var rulings []annotate.Ruling
	for _, st := range l.states {
		if r, ok := st.Rulings[words[0].act.Item]; ok {
			rulings = append(rulings, r)
		}
	}
	if _, settled := annotate.StandingRuling(rulings); !settled {
		l.addEntry(annotate.DisagreementMatter, &words[newest].act, strings.Join(text, ", "))
	}
}

// Entry is one thing that asks for a second look.
type Entry struct {
	Dataset eval.DatasetName
	Queue   annotate.QueueName // "": changes to criteria, which belong to no queue
	Item    annotate.ItemKey   // of changes to criteria, the sample alone
	Matter  annotate.Matter
	Of      annotate.ActRef // the act that raised it
	Text    string
	At      time.Time
	Closed  *Closing // nil while it is open
}

// Closing tells who closed an entry.
type Closing struct {
	By   annotate.ActRef
	Text string
	At   time.Time
}

// IsOwn reports whether the entry holds nothing but a person's own words.
func (e *Entry) IsOwn(who annotate.Annotator) bool {
	switch e.Matter {
	case annotate.FlagMatter, annotate.NoteMatter, annotate.CommentMatter, annotate.ExclusionMatter:
		return who != "" && e.Of.Who == who
	case annotate.MatterUnset, annotate.DisagreementMatter, annotate.GoldMatter, annotate.ChangesMatter:
	}
	return false
}

// Filter keeps the entries that are asked for. The zero value keeps all that are open.
type Filter struct {
	Queue   annotate.QueueName
	Matters []annotate.Matter // empty: all
	By      annotate.Annotator
	Closed  bool // those that are closed, too
}

// Keeps reports whether the filter keeps an entry.
func (f *Filter) Keeps(e *Entry) bool {
	return (f.Queue == "" || f.Queue == e.Queue) && (len(f.Matters) == 0 || slices.Contains(f.Matters, e.Matter)) &&
		(f.By == "" || f.By == e.Of.Who) && (f.Closed || e.Closed == nil)
}

// WhyNotResolvable tells why an entry cannot be closed by an act in its queue; "" when it can.
func (e *Entry) WhyNotResolvable() string {
	switch {
	case e.Closed != nil:
		return "it is resolved already"
	case e.Matter == annotate.ChangesMatter:
		return "the author resolves it by submitting the criteria again"
	case e.Matter == annotate.ExclusionMatter:
		return "an exclusion ends when the item is included again"
	}
	return ""
}

// NewClosingAct gives the act that closes the entry.
func (e *Entry) NewClosingAct(text string) annotate.Act {
	return annotate.Act{Queue: e.Queue, Item: e.Item, Kind: annotate.Closed, Matter: e.Matter, Whose: e.Of.Who, Target: e.Of.N, Text: strings.TrimSpace(text)}
}

// NewIncludeAct gives the act that ends an exclusion.
func (e *Entry) NewIncludeAct() annotate.Act {
	return annotate.Act{Queue: e.Queue, Item: e.Item, Kind: annotate.Included, Whose: e.Of.Who, Target: e.Of.N}
}

// NewExcludeAct gives the act that takes the entry's item out of figures.
func (e *Entry) NewExcludeAct(reason string) annotate.Act {
	return annotate.Act{Queue: e.Queue, Item: e.Item, Kind: annotate.Excluded, Text: strings.TrimSpace(reason)}
}

// ListChangeRequests lists the open requests of reviewers on a sample's criteria.
func ListChangeRequests(s *criteria.Set) []Entry {
	return eval.Map(s.Requests, func(r criteria.Request) Entry {
		return Entry{
			Dataset: s.Dataset, Item: annotate.ItemKey{Key: eval.Key{Sample: s.Sample}}, Matter: annotate.ChangesMatter,
			Of: annotate.ActRef{Who: r.Who, N: r.N}, Text: r.Text, At: r.At,
		}
	})
}
