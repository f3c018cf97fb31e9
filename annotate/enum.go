package annotate

import (
	"fmt"
	"slices"
	"strings"
)

// name is the name of an enumeration's value i.
func name(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("invalid(%d)", i)
	}
	return names[i]
}

// parse finds the value with a name; the first, unset, has none.
func parse(names []string, s, what string) (int, error) {
	if i := slices.Index(names, s); i > 0 {
		return i, nil
	}
	return 0, fmt.Errorf("unknown %s %q: want one of %s", what, s, strings.Join(names[1:], ", "))
}
