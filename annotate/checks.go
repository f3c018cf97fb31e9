package annotate

import "concord/eval/stat"

// Checks are counted in blocks of so many items with a known answer, and shown
// only when so many labels are behind the annotator: neither a change of the
// score nor its moment tells which item it was about.
const (
	checkBlock = 5
	checkPause = 10
)

// GoldChecks counts how an annotator does on the items whose answer is known. The
// first label of an item counts, whatever becomes of it: else undo and another
// answer would tell the right one.
type GoldChecks struct {
	seen  map[ItemKey]bool
	right []bool // by the order in which those with a known answer were labelled
	shown stat.Count
}

// Add takes up one of the annotator's acts.
func (c *GoldChecks) Add(a *Act, known map[ItemKey]Reading) {
	if len(known) == 0 || a.Kind != Labelled || c.seen[a.Item] {
		return
	}
	if c.seen == nil {
		c.seen = make(map[ItemKey]bool)
	}
	c.seen[a.Item] = true
	if answer, ok := known[a.Item]; ok {
		c.right = append(c.right, answer.Answer() == a.Reading.Answer())
	}
	if len(c.seen)%checkPause > 0 {
		return
	}
	c.shown = stat.Count{}
	for _, right := range c.right[:len(c.right)-len(c.right)%checkBlock] {
		c.shown.Add(right)
	}
}

// Checked is how many of the items with a known answer somebody labelled as is
// known, over those that they labelled: the first label of each counts, as in
// a session, and all do. The acts are one annotator's in one queue, in order.
// It is for who keeps the queue: of few items it tells which they are.
func Checked(acts []Act, known map[ItemKey]Reading) stat.Count {
	var c GoldChecks
	for i := range acts {
		c.Add(&acts[i], known)
	}
	var out stat.Count
	for _, right := range c.right {
		out.Add(right)
	}
	return out
}

// Shown is how many of them the annotator labelled as is known, so far as it may
// be shown: in whole blocks, after every so many labels. It is empty before the
// first block.
func (c *GoldChecks) Shown() stat.Count { return c.shown }
