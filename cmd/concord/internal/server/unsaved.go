package server

import (
	"fmt"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/unsaved"
)

// keepUnsaved keeps what the session's writers could not store, once they have
// ended, and says where; nil when all is stored.
func (v *Connection) keepUnsaved() error {
	left := unsaved.Acts{Queues: v.Saved.Journal.Waiting(), Criteria: v.Saved.Criteria.Waiting(), Curation: v.Saved.Curation.Waiting()}
	if left.Len() == 0 {
		return nil
	}
	a := v.hall.app
	further, err := cli.StateFolder()
	if err != nil {
		further = ""
	}
	path, err := unsaved.Write(a.Path, further, &left, a.Now())
	if err != nil {
		return err
	}
	a.Log.Warn("acts not saved", "acts", left.Len(), "kept", path)
	return keptError{left.Len(), path}
}

// keptError says where acts are that were not saved.
type keptError struct {
	acts int
	path string
}

func (e keptError) Error() string {
	return fmt.Sprintf("%s not saved, and kept in %s: concord import unsaved %s takes them in once the project is there again",
		cli.Counted(e.acts, "act was", "acts were"), e.path, cli.ShellWord(e.path))
}
