//go:build unix

package ssh

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyWindowResize tells when the size of this process's terminal changes, until quiet is called.
func notifyWindowResize() (resized <-chan os.Signal, quiet func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}
