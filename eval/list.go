package eval

import "strings"

// Map gives what of makes of each, in their order; nil of nil.
func Map[T, U any](all []T, of func(T) U) []U {
	if all == nil {
		return nil
	}
	out := make([]U, len(all))
	for i, one := range all {
		out[i] = of(one)
	}
	return out
}

// List gives what of writes of each, with a comma between two.
func List[T any](all []T, of func(T) string) string { return strings.Join(Map(all, of), ", ") }
