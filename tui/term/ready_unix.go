//go:build unix

package term

import (
	"errors"
	"image"
	"time"

	"golang.org/x/sys/unix"
)

// waitReadable waits until fd can be read, at most so long.
func waitReadable(fd uintptr, wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, int(wait.Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && n > 0
	}
}

// cellPixels is the size of a terminal's cells; zero where it does not say.
func cellPixels(fd uintptr) image.Point {
	w, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil || w.Col == 0 || w.Row == 0 {
		return image.Point{}
	}
	return image.Pt(int(w.Xpixel/w.Col), int(w.Ypixel/w.Row))
}
