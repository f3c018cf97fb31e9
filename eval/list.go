package eval

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Map gives what of makes of each, in their order; nil of nil.
func Map[T, U any](all []T, of func(T) U) []U {
	return MapIndexed(all, func(_ int, one T) U { return of(one) })
}

// MapIndexed is Map by the place of each, too.
func MapIndexed[T, U any](all []T, of func(int, T) U) []U {
	if all == nil {
		return nil
	}
	out := make([]U, len(all))
	for i, one := range all {
		out[i] = of(i, one)
	}
	return out
}

// JoinList gives what of writes of each, with a comma between two.
func JoinList[T any](all []T, of func(T) string) string { return strings.Join(Map(all, of), ", ") }

// IndexBy gives what of says of each by its key; of one key the last one.
func IndexBy[T any, K comparable, V any](all []T, of func(T) (K, V)) map[K]V {
	out := make(map[K]V, len(all))
	for _, one := range all {
		k, v := of(one)
		out[k] = v
	}
	return out
}

// Filter yields what is wanted, and every error.
func Filter[T any](all iter.Seq2[T, error], wanted func(*T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for one, err := range all {
			if (err != nil || wanted(&one)) && !yield(one, err) {
				return
			}
		}
	}
}

// MapSeq yields what of makes of each, and every error: that of reading, or its own.
func MapSeq[T, U any](all iter.Seq2[T, error], of func(T) (U, error)) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for one, err := range all {
			var made U
			if err == nil {
				made, err = of(one)
			}
			if !yield(made, err) {
				return
			}
		}
	}
}

// InParallel does n things on all processors, several at once, and returns once all are done.
func InParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	workers := min(n, runtime.GOMAXPROCS(0))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}

// WithNilErrors yields what is there already, which is no error.
func WithNilErrors[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// EnsureMap makes a map where there is none yet, and gives it to be written to.
func EnsureMap[M ~map[K]V, K comparable, V any](m *M) M {
	if *m == nil {
		*m = make(M)
	}
	return *m
}

// GetOrAdd gives what a map holds under a key; where it holds nothing yet, what add makes is put there.
func GetOrAdd[K comparable, V any](m map[K]V, k K, add func() V) V {
	v, ok := m[k]
	if !ok {
		v = add()
		m[k] = v
	}
	return v
}

// GetOrRead is GetOrAdd with what may fail to be read: an error leaves the map as it is.
func GetOrRead[K comparable, V any](m map[K]V, k K, read func() (V, error)) (V, error) {
	v, ok := m[k]
	if ok {
		return v, nil
	}
	v, err := read()
	if err == nil {
		m[k] = v
	}
	return v, err
}

// Select gives those that are wanted, in their order; nil where none is.
func Select[T any](all []T, wanted func(T) bool) []T {
	var out []T
	for _, one := range all {
		if wanted(one) {
			out = append(out, one)
		}
	}
	return out
}

// FilterMap gives what of makes of each of which it makes something, in their order; nil where it makes nothing.
func FilterMap[T, U any](all []T, of func(T) (U, bool)) []U {
	var out []U
	for _, one := range all {
		if made, ok := of(one); ok {
			out = append(out, made)
		}
	}
	return out
}

// FlatMap puts the lists together that of makes of each, in their order.
func FlatMap[T, U any](all []T, of func(T) []U) []U { return slices.Concat(Map(all, of)...) }

// Find gives the place of the first one that is wanted; nil where there is none.
func Find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// FindOrAdd is Find in a list to which what add makes is added where there is none.
func FindOrAdd[T any](all *[]T, wanted func(*T) bool, add func() T) *T {
	if have := Find(*all, wanted); have != nil {
		return have
	}
	*all = append(*all, add())
	return &(*all)[len(*all)-1]
}

// FirstWanted gives the first one that is wanted; false where there is none.
func FirstWanted[T any](all []T, wanted func(T) bool) (one T, ok bool) {
	i := slices.IndexFunc(all, wanted)
	if i < 0 {
		return one, false
	}
	return all[i], true
}

// AppendUnique adds those to the ones that are there that are not among them.
func AppendUnique[T comparable](all []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// Count says how many are wanted.
func Count[T any](all []T, wanted func(T) bool) int { return len(Select(all, wanted)) }

// Sum adds up what of says of each.
func Sum[T any, N int | float64](all []T, of func(T) N) (sum N) {
	for _, one := range all {
		sum += of(one)
	}
	return sum
}

// MaxOf gives the most of what of says of each; 0 of none.
func MaxOf[T any, N int | float64](all []T, of func(T) N) (most N) {
	for _, one := range all {
		most = max(most, of(one))
	}
	return most
}

// Each does something with one after another, up to the first error.
func Each[T any](all []T, do func(T) error) error {
	for _, one := range all {
		if err := do(one); err != nil {
			return err
		}
	}
	return nil
}

// EachRead is Each of what is read: an error of reading is the first one, too.
func EachRead[T any](all iter.Seq2[T, error], do func(T) error) error {
	for one, err := range all {
		if err == nil {
			err = do(one)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ForEachRead gives one after another of what is read to take, up to the first error.
func ForEachRead[T any](all iter.Seq2[T, error], take func(T)) error {
	return EachRead(all, func(one T) error { take(one); return nil })
}

// IndexRead is IndexBy of what is read, or the first error.
func IndexRead[T any, K comparable, V any](all iter.Seq2[T, error], of func(T) (K, V)) (map[K]V, error) {
	out := make(map[K]V)
	err := ForEachRead(all, func(one T) {
		k, v := of(one)
		out[k] = v
	})
	return out, err
}

// Collect gives all that is yielded, or the first error.
func Collect[T any](all iter.Seq2[T, error]) (out []T, err error) {
	err = ForEachRead(all, func(one T) { out = append(out, one) })
	return out, err
}

// DidYouMean is the hint that names the nearest of the known words; "" when none is near.
func DidYouMean(word string, known []string) string {
	best, at := "", max(2, len(word)/3)+1
	for _, k := range known {
		if d := EditDistance(strings.ToLower(word), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	if word == "" || best == "" || best == word {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// EditDistance is Levenshtein's, in bytes. A word that begins with the other is
// one step away: "prompt" and "price" are short for one of several keys.
func EditDistance(a, b string) int {
	if len(a) > 2 && strings.HasPrefix(b, a) || len(b) > 2 && strings.HasPrefix(a, b) {
		return 1
	}
	return CountEdits([]byte(a), []byte(b))
}

// CountEdits counts the edits that make one list another: Levenshtein's distance.
func CountEdits[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := Either(a[i] == b[j], 0, 1)
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// Errors of facts and lookups.
var (
	ErrNotFound = errors.New("not found")
	ErrRecorded = errors.New("already recorded")
)

// NewNotFoundError gives an ErrNotFound in words that say so by themselves.
func NewNotFoundError(format string, args ...any) error { return missing(fmt.Sprintf(format, args...)) }

// NewUnknownError gives an ErrNotFound of a name, with the nearest of those that there are.
func NewUnknownError(kind, name string, known []string) error {
	return NewNotFoundError("%s %q: %v%s", kind, name, ErrNotFound, DidYouMean(name, known))
}

// WrapError says before an error, with a colon, what was done; nil of none.
func WrapError(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

type missing string

func (m missing) Error() string     { return string(m) }
func (m missing) Is(err error) bool { return err == ErrNotFound }

// Either is yes where ok holds, and no elsewhere. Both are computed.
func Either[T any](ok bool, yes, no T) T {
	if ok {
		return yes
	}
	return no
}
