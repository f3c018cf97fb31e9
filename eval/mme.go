package eval

import "strings"

// The abilities that MME sums its subtasks up to (MME, Sec. 2).
const (
	Perception = "perception"
	Cognition  = "cognition"
)

// MMEAbilityOf is the ability that a subtask of MME belongs to, of its ten of
// perception and four of cognition (MME, Sec. 2.3). Names are compared without
// case, spaces and underscores. "" for what is no subtask of MME.
func MMEAbilityOf(subtask string) string {
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(subtask)), " ", "_") {
	case "existence", "count", "position", "color", "posters", "celebrity", "scene", "landmark", "artwork", "ocr":
		return Perception
	case "commonsense_reasoning", "numerical_calculation", "text_translation", "code_reasoning":
		return Cognition
	}
	return ""
}

// CountMMESubtasks counts how many subtasks of an ability MME has.
func CountMMESubtasks(ability string) int {
	switch ability {
	case Perception:
		return 10
	case Cognition:
		return 4
	}
	return 0
}
