package server

import (
	"cmp"
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
	a := v.shared.app
	further, err := cli.StateFolder()
	if err != nil {
		further = ""
	}
	path, err := unsaved.Write(a.Path, further, &left, a.Now())
	if err != nil {
		return err
	}
	a.Log.Warn("acts not saved", "acts", left.Len(), "kept", path)
	kept := keptError{left.Len(), path}
	if v.guest != nil {
		v.shared.missed(fmt.Errorf("of %s, who has left, %w", cmp.Or(v.worker(), "somebody without a name"), kept))
	}
	return kept
}

// missed is told of a guest's acts that were not saved: whoever ends the process
// learns of them, or whoever serves, at once. The guest may be gone already.
func (h *State) missed(err error) {
	if h.warn != nil {
		h.warn(err.Error())
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = append(h.kept, err)
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
