package main

import (
	"time"
)

// waits are those between the retries of a call that failed transiently; zero
// ones are the constants below. How many retries there are is configured.
type waits struct{ base, most time.Duration }
