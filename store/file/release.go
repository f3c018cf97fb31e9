package file

import (
	"reflect"
	"sync"
	"unsafe"

	"go.etcd.io/bbolt"
)

// bbolt takes its locks before it looks at the file's pages, and a fault there
// (the file was cut off) leaves by a panic with the locks held: whoever comes next,
// and Close, would wait for ever. bbolt v1.5.0, db.go: beginTx has metalock and
// mmaplock, beginRWTx has rwlock, and so has a transaction whose rollback fails.

// release gives the locks back that a transaction left held which began with a
// panic or ended with one. tx is nil when it never began. It reports whether what
// bbolt knows of the file can still be relied on for writing.
func release(db *bbolt.DB, tx *bbolt.Tx, writing bool) (sound bool) {
	switch {
	case tx != nil && tx.DB() == nil: // rolled back in good order
		return true
	case writing:
		lockOf[sync.Mutex](db, "rwlock").Unlock()
		return false
	case tx == nil:
		lockOf[sync.RWMutex](db, "mmaplock").RUnlock()
		lockOf[sync.Mutex](db, "metalock").Unlock()
	}
	return true
}

// lockOf is a lock of bbolt's own, by its name. TestLocksOfBbolt fails when an
// update of bbolt renames one.
func lockOf[L any](db *bbolt.DB, name string) *L {
	return (*L)(unsafe.Pointer(reflect.ValueOf(db).Elem().FieldByName(name).UnsafeAddr())) //nolint:gosec // there is no other way to it
}
