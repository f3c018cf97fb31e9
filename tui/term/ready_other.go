//go:build !unix

package term

import "time"

// canWait is whether ready can wait.
const canWait = false

// ready cannot wait for input here: what was read is taken as complete.
func ready(uintptr, time.Duration) bool { return false }
