//go:build unix

package term

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// ready waits until fd can be read, at most so long.
func ready(fd uintptr, wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, int(wait.Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && n > 0
	}
}
