package bound

import "fmt"

// Error says that something is over its budget.
type Error struct {
	What  string // "a cell", "the reply"
	Most  int64
	Unit  string // what Most counts; "": bytes
	Found int64  // how much there is; 0: only that it is more
}

// Error is the message, with the budget and what was found.
func (e *Error) Error() string {
	if e.Found > 0 {
		return fmt.Sprintf("%s: %s, over the limit of %s", e.What, amount(e.Found, e.Unit), amount(e.Most, e.Unit))
	}
	return fmt.Sprintf("%s is over the limit of %s", e.What, amount(e.Most, e.Unit))
}

// amount writes bytes in the largest unit that leaves a whole number.
func amount(n int64, unit string) string {
	if unit != "" {
		return fmt.Sprintf("%d %s", n, unit)
	}
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if n >= u.size {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Check refuses what is over a budget in bytes.
func Check(what string, found, most int64) error {
	if found > most {
		return &Error{What: what, Most: most, Found: found}
	}
	return nil
}
