package doctor

import (
	"fmt"
	"syscall"
)

// networkFSName names the network file systems of statfs(2).
func networkFSName(number uint32) string {
	switch number {
	case 0x6969:
		return "NFS"
	case 0x517B, 0xFF534D42, 0xFE534D42:
		return "SMB"
	case 0x65735546:
		return "FUSE"
	case 0x01021997:
		return "9P"
	case 0x0BD00BD0:
		return "Lustre"
	case 0x5346414F:
		return "AFS"
	case 0x00C36400:
		return "Ceph"
	case 0x47504653:
		return "GPFS"
	case 0x19830326:
		return "BeeGFS"
	}
	return ""
}

func diskOf(dir string) (disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return disk{}, fmt.Errorf("ask for free space: %w", err)
	}
	return disk{free: s.Bavail * uint64(s.Bsize), remote: networkFSName(uint32(s.Type))}, nil
}
