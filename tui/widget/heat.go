package widget

// densities are the marks of a heat, from hardly anything to nearly all.
var densities = [...]string{"░", "▒", "▓", "█"}

// Cool is the mark of what lies under the lowest step of a heat.
const Cool = "·"

// Shade is the mark of how high a value is: the shade of the highest step that
// it reaches, and Cool under the lowest. Its density says what a colour would,
// so that a matrix reads as heat without colours, too; the number stands beside
// it and not on it, so that it can be read.
func Shade(value float64, steps [4]float64) string {
	mark := Cool
	for i, from := range steps {
		if value >= from {
			mark = densities[i]
		}
	}
	return mark
}
