package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// dirtyPages is how many pages of a file are in memory only.
func dirtyPages(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	var stat unix.Cachestat_t
	if err := unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{}, &stat, 0); err != nil {
		return 0, err
	}
	return stat.Dirty + stat.Writeback, nil
}
