//go:build !unix

package ssh

import "os"

// notifyWindowResize tells nothing: there is no such signal here.
func notifyWindowResize() (resized <-chan os.Signal, quiet func()) { return nil, func() {} }
