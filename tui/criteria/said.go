package criteria

import (
	"concord/annotate/criteria"
	"concord/tui/widget"
)

// describeAct names what an act did.
func describeAct(a *criteria.Act) string {
	switch a.Kind {
	case criteria.Drafted:
		return "writing a draft"
	case criteria.Revised:
		return "the revision"
	case criteria.Submitted:
		return "submitting"
	case criteria.Commented:
		return "the comment"
	case criteria.RequestedChanges:
		return "the request for changes"
	case criteria.Accepted:
		return "accepting"
	case criteria.Verified:
		return "verifying"
	case criteria.Discarded:
		return "discarding"
	case criteria.Replaced:
		return "the replacement by " + widget.CleanLine(string(a.Other))
	case criteria.TypeSet:
		return "the type " + a.Type.String()
	case criteria.Assigned:
		if a.Assignee == "" {
			return "taking the sample from its writer"
		}
		return "assigning to " + widget.CleanLine(string(a.Assignee))
	case criteria.TookBack:
		return "an undo"
	case criteria.KindUnset:
	}
	return a.Kind.String()
}
