package criteria

import (
	"cmp"

	"concord/annotate/criteria"
	"concord/tui/widget"
)

// actNames are what acts did, of the kinds that are told without what they are about.
var actNames = map[criteria.Kind]string{
	criteria.Drafted:          "writing a draft",
	criteria.Revised:          "the revision",
	criteria.Submitted:        "submitting",
	criteria.Commented:        "the comment",
	criteria.RequestedChanges: "the request for changes",
	criteria.Accepted:         "accepting",
	criteria.Verified:         "verifying",
	criteria.Discarded:        "discarding",
	criteria.TookBack:         "an undo",
}

// describeAct names what an act did.
func describeAct(a *criteria.Act) string {
	switch {
	case a.Kind == criteria.Replaced:
		return "the replacement by " + widget.CleanLine(string(a.Other))
	case a.Kind == criteria.TypeSet:
		return "the type " + a.Type.String()
	case a.Kind == criteria.Assigned && a.Assignee == "":
		return "taking the sample from its writer"
	case a.Kind == criteria.Assigned:
		return "assigning to " + widget.CleanLine(string(a.Assignee))
	}
	return cmp.Or(actNames[a.Kind], a.Kind.String())
}
