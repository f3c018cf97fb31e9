//go:build !unix

package ssh

import "os"

// notifyResize tells nothing: there is no such signal here.
func notifyResize() (resized <-chan os.Signal, quiet func()) { return nil, func() {} }
