package annotation

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// steps is how many degrees of being sure the digits tell apart.
const steps = 5

// Because is what a screen offers whose labels may have rationale: a reason, and
// how sure one is.
func Because[M worker](at keymap.Place) Table[M] {
	return Table[M]{
		On(ActsGroup, workingModes(), At(Unranked, at.Join("confidence 1 (low) to 5 (high)", "confidence")), NoWork[M]((*Work).NoFront), ByNotes[M]((*Notes).StartSure)),
		Recording(On(ActsGroup, []Mode{Weighing}, At(First, widget.Bind("1-5", "unsure to sure", "1", "2", "3", "4", "5")), nil, ByNotes[M]((*Notes).Sure))),
		On(ActsGroup, workingModes(), At(Unranked, at.Join("comment; 80% before it gives your confidence", "reason")), NoWork[M]((*Work).NoFront), ByNotes[M]((*Notes).StartWhy)),
		Recording(On(ActsGroup, []Mode{Explaining}, At(First, widget.Bind("enter", "keep it", "enter")), nil, ByNotes[M]((*Notes).EndWhy))),
	}
}

// because is what stands in the status line of rationale; "" without any.
func because(g annotate.Rationale) string {
	var parts []string
	if g.Confidence > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% sure", 100*g.Confidence))
	}
	if g.Reason != "" {
		parts = append(parts, "because "+widget.Line(g.Reason))
	}
	return strings.Join(parts, ", ")
}
