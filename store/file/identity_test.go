package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"concord/store/record"
)

// openTest makes a project with some pages.
func openTest(t *testing.T) (*File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.db")
	f, err := Open(path, Options{}, []Migration{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	for n := range 40 {
		if err := put(t, f, fmt.Sprintf("before %d", n)); err != nil {
			t.Fatal(err)
		}
	}
	return f, path
}

// put stores something of a page's size.
func put(t *testing.T, f *File, key string) error {
	t.Helper()
	return f.Apply(t.Context(), 4096, func(tx *Tx) error {
		return tx.Table(record.TableTexts).Put([]byte(key), make([]byte, 3000))
	})
}

// within fails when something takes longer than anybody should wait.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s hangs", what)
	}
}

// Whatever becomes of the file under an open project: no commit is called done
// that is not at its path, and nothing waits for ever.
func TestNothingIsCommittedIntoAFileThatIsGone(t *testing.T) {
	t.Parallel()
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, harm := range map[string]func(t *testing.T, path string){
		"cut to nothing":     func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) },
		"cut to a page":      func(t *testing.T, path string) { must(t, os.Truncate(path, int64(os.Getpagesize()))) },
		"cut behind metas":   func(t *testing.T, path string) { must(t, os.Truncate(path, 3*int64(os.Getpagesize()))) },
		"removed":            func(t *testing.T, path string) { must(t, os.Remove(path)) },
		"renamed":            func(t *testing.T, path string) { must(t, os.Rename(path, path+".old")) },
		"its folder renamed": func(t *testing.T, path string) { must(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+".old")) },
		"replaced by a copy": func(t *testing.T, path string) {
			whole, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path+".new", whole, 0o600))
			must(t, os.Rename(path+".new", path))
		},
		"overwritten in place": func(t *testing.T, path string) {
			whole, err := os.ReadFile(path)
			must(t, err)
			other, _ := openTest(t)
			must(t, put(t, other, "one more"))
			must(t, other.Close())
			text, err := os.ReadFile(other.Path())
			must(t, err)
			at, err := os.OpenFile(path, os.O_WRONLY, 0)
			must(t, err)
			_, err = at.Write(append(text, make([]byte, max(0, len(whole)-len(text)))...))
			must(t, err)
			must(t, at.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := openTest(t)
			harm(t, path)
			within(t, "commit", func() {
				for n := range 3 {
					if err := put(t, f, fmt.Sprint("after ", n)); !errors.Is(err, ErrGone) {
						t.Errorf("commit: %v", err)
					}
				}
			})
			within(t, "read", func() {
				for range 3 {
					_, _ = f.Get(record.TableTexts, []byte("before 1"))
				}
			})
			within(t, "close", func() { _ = f.Close() })
		})
	}
}

// A fault within bbolt leaves no lock behind, wherever it comes: before, within or
// at the end of a transaction, and whoever else waits for it goes on.
func TestAFaultLeavesNoLock(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, int64(os.Getpagesize()), 3 * int64(os.Getpagesize())} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			f, path := openTest(t)
			f.identity = nil // nobody notices it before
			var all sync.WaitGroup
			for n := range 8 {
				all.Go(func() {
					for range 20 {
						_, _ = f.Get(record.TableTexts, fmt.Appendf(nil, "before %d", n))
					}
				})
			}
			err := f.Apply(t.Context(), 1, func(tx *Tx) error {
				if err := os.Truncate(path, size); err != nil {
					return err
				}
				return tx.Table(record.TableTexts).Put([]byte("within"), make([]byte, 3000))
			})
			t.Log(err)
			within(t, "commit", func() {
				for range 3 {
					if err := put(t, f, "after"); err == nil && size < int64(os.Getpagesize()) {
						t.Error("committed into nothing")
					}
				}
			})
			within(t, "read", all.Wait)
			within(t, "close", func() { _ = f.Close() })
		})
	}
}

// A file that is moved away and back is the same one.
func TestAFileThatComesBackIsWrittenAgain(t *testing.T) {
	t.Parallel()
	f, path := openTest(t)
	for _, step := range []struct {
		from, to string
		want     error
	}{{path, path + ".old", ErrGone}, {path + ".old", path, nil}} {
		if err := os.Rename(step.from, step.to); err != nil {
			t.Fatal(err)
		}
		if err := put(t, f, "then"); !errors.Is(err, step.want) {
			t.Errorf("%v, want %v", err, step.want)
		}
	}
	now := time.Now()
	if err := os.Chtimes(path, now, now); err != nil {
		t.Fatal(err)
	}
	if err := put(t, f, "touched"); err != nil {
		t.Error(err)
	}
}

// TestLocksOfBbolt: release relies on names and types within bbolt.
func TestLocksOfBbolt(t *testing.T) {
	t.Parallel()
	f, _ := openTest(t)
	if l := boltLock[sync.Mutex](f.db, "metalock"); !l.TryLock() {
		t.Error("metalock is held")
	} else {
		l.Unlock()
	}
	if l := boltLock[sync.Mutex](f.db, "rwlock"); !l.TryLock() {
		t.Error("rwlock is held")
	} else {
		l.Unlock()
	}
	err := f.View(func(*Tx) error {
		if boltLock[sync.RWMutex](f.db, "mmaplock").TryLock() {
			t.Error("a read transaction holds no mmaplock")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
