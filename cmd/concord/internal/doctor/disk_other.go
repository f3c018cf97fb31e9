//go:build !linux

package doctor

import "errors"

// readDiskSpace does not know the systems' other ways to tell.
func readDiskSpace(string) (disk, error) {
	return disk{}, errors.New("ask for free space: not known on this system")
}
