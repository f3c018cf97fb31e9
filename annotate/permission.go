package annotate

import (
	"slices"

	"concord/eval"
)

// Permission is something that a role allows. The zero value is unset, and allowed to nobody.
type Permission uint8

// The permissions.
const (
	PermissionUnset       Permission = iota
	MayLabel                         // label, vote and score in queues, and read their guidelines
	MayGuide                         // write the guidelines of queues
	MayWriteCriteria                 // write and review criteria, and samples
	MayCurate                        // give verdicts on the candidates of a pool
	MayAdjudicateCuration            // decide on those of them on which experts disagree
	MayAdjudicate                    // decide on disagreements of people and machines in a queue
	MayExclude                       // resolve what asks for a second look, and exclude items from reports
	MayFindSamples                   // find any sample, and the responses to it
	MayReadReports                   // read reports, and the responses behind their figures
	MayRun                           // see and start runs, judges and other jobs; import
	MayMakeQueues                    // make queues
	MayManagePeople                  // see who is at work, and say who takes part
)

var permissionNames = []string{
	"", "label, vote and score", "write guidelines", "write and review criteria and samples", "give verdicts in curation", "adjudicate curation",
	"adjudicate queues", "resolve and exclude", "find samples", "read reports", "run models and judges", "make queues", "manage people",
}

// String returns the words that the documentation uses.
func (p Permission) String() string { return eval.EnumName(permissionNames, p) }

// AllPermissions are all permissions, in their order.
func AllPermissions() []Permission {
	return []Permission{MayLabel, MayGuide, MayWriteCriteria, MayCurate, MayAdjudicateCuration, MayAdjudicate, MayExclude, MayFindSamples, MayReadReports, MayRun, MayMakeQueues, MayManagePeople}
}

// AllRoles are the roles that somebody may be given, the least first.
func AllRoles() []Role { return []Role{RoleAnnotator, RoleCurator, RoleAdjudicator, RoleOwner} }

// allowed is what each role may see and do: the one place where it is said. Whoever decides between
// others, in a queue or in curation, is an adjudicator; a curator gives one word among several. What
// anybody may see of one item is none of it: that follows from what they have yet to answer.
var allowed = map[Role][]Permission{
	RoleAnnotator:   {MayLabel},
	RoleCurator:     {MayLabel, MayGuide, MayWriteCriteria, MayCurate, MayExclude, MayFindSamples},
	RoleAdjudicator: {MayLabel, MayAdjudicateCuration, MayAdjudicate, MayExclude, MayFindSamples, MayReadReports},
	RoleOwner:       AllPermissions(),
}

// May reports whether the role allows something.
func (r Role) May(p Permission) bool { return slices.Contains(allowed[r], p) }
