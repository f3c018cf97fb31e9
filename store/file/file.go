package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"concord/store/record"

	"go.etcd.io/bbolt"
)

// Options say how a project is opened. The zero value opens it for writing.
type Options struct {
	// ReadOnly opens an existing file under a shared lock and writes nothing.
	ReadOnly bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// InitialMmapSize is how much address space the file gets before it has to be mapped anew,
	// which waits for readers and holds up new ones. 0 is 16 GiB where the system allows it.
	InitialMmapSize int
	// LockWait is how long to wait for another process to let go of the file; 0 is DefaultLockWait.
	LockWait time.Duration
	// Logger gets what is unusual: slow commits, migrations. nil drops it.
	Logger *slog.Logger
	// NoSync leaves commits to the system's leisure. For tests only: what is
	// acknowledged is then not durable.
	NoSync bool

	// Cache is a folder of the user's for what is derived from the project, and
	// may be dropped; "" keeps nothing of it.
	Cache string

	MaxSize int // of the file, to have it full in tests

	// Damaged is told what is damaged, which is left out then. It goes with
	// ReadOnly; without it, damage is an error where it is met.
	Damaged func(error)
	// Old opens a project of an earlier schema as it is. It goes with ReadOnly.
	Old bool
	// Copy says that the file is a copy itself: none is kept of it when it is
	// taken along from an earlier schema.
	Copy bool
	// Accept takes a project as it stands although one of its meta pages is
	// damaged, and the last commit with it, if that was the newer one.
	Accept bool
}

// DefaultLockWait is long enough for a process that is just closing.
const DefaultLockWait = 150 * time.Millisecond

// File is an open project file. Its methods may be called from several goroutines.
type File struct {
	db     *bbolt.DB
	writer *writer // nil: reading only
	now    func() time.Time
	log    *slog.Logger
	path   string
	src    *os.File // what bbolt has open
	page   int      // bytes of a page

	sealed  bool // every value that is written gets an envelope, and groups have sums
	bare    bool // there may be values without an envelope
	schema  uint64
	damaged func(error)

	freelist error         // what is wrong with it, if anything is
	identity *fileIdentity // nil: reading only
	broken   atomic.Bool   // a write was thrown out in a way that nothing can be built on

	closing sync.Once
	closed  error
}

// Exists reports whether there is a file at path.
func Exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Open opens the file at path, and creates it, readable for its owner only, when there is none
// and it may write. It makes a new file a project, and takes an old one along by the steps that
// it has not had. It gives ErrLocked soon when the file is held elsewhere, and ErrNotProject,
// ErrNewerSchema, ErrOlderSchema or ErrCorrupt for a file that it leaves as it is.
func Open(path string, o Options, steps []Migration) (*File, error) {
	f := &File{now: o.Now, log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), path: path}
	if o.ReadOnly && o.Damaged != nil {
		f.damaged = newOnceReporter(o.Damaged)
	}
	if f.now == nil {
		f.now = time.Now
	}
	fresh := !Exists(path)
	if !fresh && !o.ReadOnly {
		if err := checkBeforeOpen(path, o); err != nil {
			return nil, err
		}
	}
	if err := f.openWhenCurrent(path, o); err != nil {
		return nil, err
	}
	err := f.checkAfterOpen(o, steps)
	if err == nil && !o.ReadOnly {
		f.identity, err = newIdentity(path, f.src, f.db.Info().PageSize)
	}
	if err != nil {
		return nil, errors.Join(err, explainError(f.db.Close()))
	}
	if !o.ReadOnly {
		f.writer = newWriter(f.runWrite)
	}
	if fresh {
		syncFolder(filepath.Dir(path))
	}
	return f, nil
}

// openWhenCurrent opens the file that stands at path once it is locked: while this
// process waited for the lock, another one may have put a compacted file there.
func (f *File) openWhenCurrent(path string, o Options) error {
	for tries := 0; ; tries++ {
		if err := f.openFile(path, o); err != nil {
			return err
		}
		have, err := f.src.Stat()
		if err != nil {
			return errors.Join(err, explainError(f.db.Close()))
		}
		there, err := os.Stat(path)
		if moved := err == nil && !os.SameFile(have, there); !moved || tries == 3 {
			return nil // moved: by a file system that numbers files anew each time
		}
		if err := f.db.Close(); err != nil {
			return explainError(err)
		}
	}
}

// FreelistError is what is wrong with the freelist of a file that is only read: no reader needs it.
func (f *File) FreelistError() error { return f.freelist }

// Schema is the schema number of the project.
func (f *File) Schema() int { return int(f.schema) }

// openFile has bbolt open the file, with as much address space as it gets.
func (f *File) openFile(path string, o Options) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%w: a folder", ErrNotProject)
	} else if err == nil && !info.Mode().IsRegular() { // opening a pipe waits for ever
		return fmt.Errorf("%w: a pipe or a device", ErrNotProject)
	} else if o.ReadOnly && err == nil && info.Size() == 0 {
		return fmt.Errorf("%w: an empty file", ErrNotProject)
	}
	var last error
	for _, size := range mapSizesToTry(o.InitialMmapSize) {
		db, src, err := openMapped(path, o, size)
		if err == nil {
			// The file grows by this much at a time, each time with a sync
			// of its own; a small project should stay a small file.
			db.AllocSize = 4 << 20
			f.db, f.src, f.page = db, src, db.Info().PageSize
			return nil
		}
		last = explainError(err)
		if errors.Is(last, ErrLocked) || errors.Is(last, ErrNotProject) || errors.Is(last, record.ErrCorrupt) ||
			errors.Is(last, fs.ErrPermission) || errors.Is(last, fs.ErrNotExist) {
			break
		}
	}
	return last
}

func openMapped(path string, o Options, size int) (db *bbolt.DB, opened *os.File, err error) {
	err = recoverPanic(func() error {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{
			Timeout: cmp.Or(max(o.LockWait, 0), DefaultLockWait), ReadOnly: o.ReadOnly, InitialMmapSize: size,
			FreelistType: bbolt.FreelistMapType, NoSync: o.NoSync, MaxSize: o.MaxSize,
			OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
				f, err := os.OpenFile(name, flag, mode)
				if opened == nil { // a copy is read by a handle of its own
					opened = f
				}
				return f, err
			},
		})
		return err
	})
	if err != nil && opened != nil {
		// bbolt has closed it, unless a damaged page threw it out of Open.
		_ = opened.Close()
	}
	return db, opened, err
}

// MapSpace is the address space that a project gets: more than it will use.
const MapSpace int64 = 16 << 30

// mapSizesToTry are the sizes of the map to try, the last one being none at all.
// A 32-bit system has no such space, and Windows would grow the file itself.
func mapSizesToTry(wanted int) []int {
	if strconv.IntSize < 64 || runtime.GOOS == "windows" {
		return []int{max(wanted, 0)}
	}
	space := MapSpace // a variable: the constant would not compile where int has 32 bits
	if wanted <= 0 {
		wanted = int(space)
	}
	sizes := []int{wanted}
	for n := min(int64(wanted)/4, space); n >= 64<<20; n /= 4 {
		sizes = append(sizes, int(n))
	}
	return append(sizes, 0)
}

// syncFolder makes a new file's name durable. Not every system can do it, and
// none needs it for what the file holds.
func syncFolder(folder string) {
	f, err := os.Open(folder)
	if err != nil {
		return
	}
	_ = f.Sync()
	_ = f.Close()
}

// DB is the open file itself, for tests and measurements. All that a project keeps is written by Do.
func (f *File) DB() *bbolt.DB { return f.db }

// newOnceReporter tells each damage one time.
func newOnceReporter(tell func(error)) func(error) {
	var mu sync.Mutex
	told := make(map[string]bool)
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if text := err.Error(); !told[text] {
			told[text] = true
			tell(err)
		}
	}
}

// Path is the file, as Open was given it.
func (f *File) Path() string { return f.path }

// Close takes no further writes, commits those that wait, and closes the
// file. Reads under way finish first; scans end with ErrClosed.
func (f *File) Close() error {
	f.closing.Do(func() {
		if f.writer != nil {
			f.writer.close()
		}
		if err := f.db.Close(); err != nil {
			f.closed = fmt.Errorf("close project: %w", explainError(err))
		}
	})
	return f.closed
}

// slowCommit is when a commit is worth a line in the log.
const slowCommit = time.Second

// runWrite runs one write transaction and notes when it was slow. It is done once
// what it wrote stands at the project's path.
func (f *File) runWrite(fn func(*Tx) error) error {
	if err := f.checkWritable(); err != nil {
		return err
	}
	start := f.now()
	var began *bbolt.Tx
	commit := 0
	defer func() {
		if p := recover(); p != nil {
			f.broken.Store(!releaseTransactionLocks(f.db, began, true))
			panic(p)
		}
	}()
	err := f.db.Update(func(btx *bbolt.Tx) error {
		began, commit = btx, btx.ID()
		tx := f.newTx(btx, 1)
		if err := fn(tx); err != nil {
			return err
		}
		return tx.writeSums()
	})
	if err == nil && f.identity != nil {
		err = f.identity.checkUnchanged(uint64(commit)) //nolint:gosec // it counts from 1
	}
	if took := f.now().Sub(start); took > slowCommit {
		f.log.Warn("slow commit", "took", took)
	}
	return err
}

// Apply has the writer apply a change.
func (f *File) Apply(ctx context.Context, size int, apply func(*Tx) error) error {
	if f.writer == nil {
		return ErrReadOnly
	}
	return f.writer.applyAndWait(ctx, &writeJob{size: size, apply: apply})
}
