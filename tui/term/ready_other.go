//go:build !unix

package term

import (
	"image"
	"time"
)

// waitReadable cannot wait for input here: what was read is taken as complete.
func waitReadable(uintptr, time.Duration) bool { return false }

// cellPixels is not known here.
func cellPixels(uintptr) image.Point { return image.Point{} }
