package jobs

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

func TestTroubleIsLoggedAndShown(t *testing.T) {
	var log strings.Builder
	l := NewRunningJobs(slog.New(slog.NewTextHandler(&log, nil)))
	full := errors.New("disk full")
	l.notifyError(full) // no screen yet
	var shown []error
	l.OnTrouble(func(err error) { shown = append(shown, err) })
	l.notifyError(full)
	l.notifyError(nil)
	if !slices.Equal(shown, []error{full, nil}) || strings.Count(log.String(), "disk full") != 2 {
		t.Errorf("shown %v, logged %s", shown, &log)
	}
}
