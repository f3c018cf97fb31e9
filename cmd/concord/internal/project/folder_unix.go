//go:build unix

package project

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// checkOwnFolder refuses a folder that somebody else made in a shared place.
func checkOwnFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("check socket folder: %w", err)
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || ok && int(sys.Uid) != os.Getuid() {
		return errors.New("check socket folder: " + dir + " is not private to this user")
	}
	return nil
}
