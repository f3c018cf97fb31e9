package review

import (
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

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

// Own reports whether the entry holds nothing but a person's own words.
func (e *Entry) Own(who annotate.Annotator) bool {
	switch e.Matter {
	case annotate.FlagMatter, annotate.NoteMatter, annotate.CommentMatter, annotate.ExclusionMatter:
		return who != "" && e.Of.Who == who
	case annotate.MatterUnset, annotate.DisagreementMatter, annotate.GoldMatter, annotate.ChangesMatter:
	}
	return false
}

// Filter keeps the entries that are asked for. The zero value keeps all that are
// open.
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

// Resolvable tells why an entry cannot be closed by an act in its queue; "" when
// it can.
func (e *Entry) Resolvable() string {
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

// Close is the act that closes the entry.
func (e *Entry) Close(text string) annotate.Act {
	return annotate.Act{Queue: e.Queue, Item: e.Item, Kind: annotate.Closed, Matter: e.Matter, Whose: e.Of.Who, Target: e.Of.N, Text: strings.TrimSpace(text)}
}

// Include is the act that ends an exclusion.
func (e *Entry) Include() annotate.Act {
	return annotate.Act{Queue: e.Queue, Item: e.Item, Kind: annotate.Included, Whose: e.Of.Who, Target: e.Of.N}
}

// Exclude is the act that takes the entry's item out of figures.
func (e *Entry) Exclude(reason string) annotate.Act {
	return annotate.Act{Queue: e.Queue, Item: e.Item, Kind: annotate.Excluded, Text: strings.TrimSpace(reason)}
}

// Changes lists the open requests of reviewers on a sample's criteria.
func Changes(s *criteria.Set) []Entry {
	var out []Entry
	for _, r := range s.Requests {
		out = append(out, Entry{
			Dataset: s.Dataset, Item: annotate.ItemKey{Key: eval.Key{Sample: s.Sample}}, Matter: annotate.ChangesMatter,
			Of: annotate.ActRef{Who: r.Who, N: r.N}, Text: r.Text, At: r.At,
		})
	}
	return out
}
