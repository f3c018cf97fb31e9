package annotate

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The table of roles stands in the documentation as it is, and a role allows no
// more than the owner's.
func TestTheTableOfRolesIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range AllPermissions() {
		row := "| " + p.String() + " |"
		for _, r := range AllRoles() {
			if r.May(p) {
				row += " yes |"
			} else {
				row += " no |"
			}
		}
		if !strings.Contains(string(text), row+"\n") {
			t.Errorf("ARCHITECTURE.md lacks the row\n%s", row)
		}
		if !RoleOwner.May(p) || RoleNone.May(p) || RoleUnset.May(p) {
			t.Errorf("%s: not the owner's, or somebody's without a role", p)
		}
	}
	for r := range allowed {
		if !slices.Contains(AllRoles(), r) {
			t.Errorf("the table has %s", r)
		}
	}
}
