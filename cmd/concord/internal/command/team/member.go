package team

import (
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/roster"
)

// memberLine is a member as scripts read it.
type memberLine struct {
	Name   annotate.Annotator  `json:"name"`
	Role   *string             `json:"role"` // null: works here without having been added
	Since  *time.Time          `json:"since"`
	By     *annotate.Annotator `json:"by"` // who gave them the role
	Keys   []string            `json:"keys"`
	Labels int                 `json:"labels"`
	Votes  int                 `json:"votes"`
}

func lineOfMember(m *roster.Member) memberLine {
	line := memberLine{Name: m.Name, Keys: append([]string{}, m.Fingerprints...), Labels: m.Labels, Votes: m.Votes}
	if m.Role != annotate.RoleUnset {
		role := m.Role.String()
		line.Role, line.Since, line.By = &role, &m.Since, &m.GaveRole
	}
	return line
}
