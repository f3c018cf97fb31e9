package eval

import (
	"fmt"
	"slices"
	"strings"
)

// NameOf is the name of an enumeration's value, out of all names in their order.
func NameOf[T ~uint8](names []string, v T) string {
	if int(v) >= len(names) {
		return fmt.Sprintf("invalid(%d)", v)
	}
	return names[v]
}

// ParseName finds the value with a name. What is the enumeration, for the error; a
// value whose name is "" has none.
func ParseName[T ~uint8](names []string, s, what string) (T, error) {
	if i := slices.Index(names, s); i >= 0 && s != "" {
		return T(i), nil
	}
	known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	return 0, fmt.Errorf("unknown %s %.40q: want one of %s", what, s, strings.Join(known, ", "))
}
