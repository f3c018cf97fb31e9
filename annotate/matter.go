package annotate

import "concord/eval"

// Matter is what kind of thing on an item asks for a second look. The zero
// value is unset.
type Matter uint8

// The matters.
const (
	MatterUnset        Matter = iota
	FlagMatter                // somebody flagged the item
	NoteMatter                // somebody wrote a note
	CommentMatter             // somebody wrote a comment
	DisagreementMatter        // people's labels differ, and nobody has adjudicated them
	GoldMatter                // somebody's label is not the known answer
	ExclusionMatter           // somebody excluded the item from figures
	ChangesMatter             // a reviewer asked for changes to criteria
)

var matterNames = []string{"", "flag", "note", "comment", "disagreement", "gold", "exclusion", "changes"}

// String returns the name that commands use.
func (m Matter) String() string { return eval.NameOf(matterNames, m) }

// ParseMatter reads what String writes.
func ParseMatter(s string) (Matter, error) {
	return eval.ParseName[Matter](matterNames, s, "kind")
}

// Matters are all matters, in the order in which they are shown.
func Matters() []Matter {
	return []Matter{FlagMatter, NoteMatter, CommentMatter, DisagreementMatter, GoldMatter, ExclusionMatter, ChangesMatter}
}
