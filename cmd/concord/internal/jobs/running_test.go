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
	l.logAndShowError(full) // no screen yet
	var shown []error
	l.SetErrorDisplay(func(err error) { shown = append(shown, err) })
	l.logAndShowError(full)
	l.logAndShowError(nil)
	if !slices.Equal(shown, []error{full, nil}) || strings.Count(log.String(), "disk full") != 2 {
		t.Errorf("shown %v, logged %s", shown, &log)
	}
}
