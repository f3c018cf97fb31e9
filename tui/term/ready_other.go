//go:build !unix

package term

import "time"

// ready cannot wait for input here: what was read is taken as complete.
func ready(uintptr, time.Duration) bool { return false }
