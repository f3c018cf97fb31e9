package eval

// MapAll gives what a function makes of each of a list, in its order; of an empty
// list an empty one.
func MapAll[T, U any](all []T, of func(T) U) []U {
	out := make([]U, len(all))
	for i, one := range all {
		out[i] = of(one)
	}
	return out
}
