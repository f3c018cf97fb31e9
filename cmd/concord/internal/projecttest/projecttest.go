// Package projecttest makes projects for the tests of the packages below a
// command. It holds no data: a test stores what it needs.
package projecttest

import (
	"path/filepath"
	"testing"

	"concord/store"
)

// New makes an empty project, closed when the test ends.
func New(tb testing.TB) *store.Store {
	tb.Helper()
	st, err := store.Open(filepath.Join(tb.TempDir(), "p.db"), store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = st.Close() })
	return st
}
