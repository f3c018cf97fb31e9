package project

import (
	"time"
)

// RetryWaits are those between the retries of a call that failed transiently; zero
// ones are the constants below. How many retries there are is configured.
type RetryWaits struct{ Base, Most time.Duration }
