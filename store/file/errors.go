package file

import "errors"

// Errors of OpenFile.
var (
	// ErrLocked says that another process, or another File of this one, holds
	// the file.
	ErrLocked = errors.New("project is open elsewhere")
	// ErrNotProject says that the file is something else.
	ErrNotProject = errors.New("not a concord project")
	// ErrNewerSchema says that a newer concord wrote the project.
	ErrNewerSchema = errors.New("project was written by a newer concord")
	// ErrOlderSchema says that the project must be migrated, which a file that
	// is only read cannot be.
	ErrOlderSchema = errors.New("project is of an older concord: open it for writing once")
)

// Errors of a file that is open.
var (
	ErrClosed   = errors.New("project is closed")
	ErrReadOnly = errors.New("project is open read-only")
	// ErrFull says that the disk, a quota or a limit leaves no room. What was
	// committed before is safe.
	ErrFull = errors.New("no room to write the project")
	// ErrGone says that the path does not lead to the file any more that was
	// opened, or that somebody else has written into it: what would be committed
	// now, nobody would find.
	ErrGone = errors.New("the project's file is no longer the one that was opened")
)
