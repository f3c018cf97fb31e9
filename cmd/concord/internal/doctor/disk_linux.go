package doctor

import (
	"fmt"
	"syscall"
)

// networkFSNames name the network file systems by their numbers in statfs(2).
var networkFSNames = map[uint32]string{
	0x6969:     "NFS",
	0x517B:     "SMB",
	0xFF534D42: "SMB",
	0xFE534D42: "SMB",
	0x65735546: "FUSE",
	0x01021997: "9P",
	0x0BD00BD0: "Lustre",
	0x5346414F: "AFS",
	0x00C36400: "Ceph",
	0x47504653: "GPFS",
	0x19830326: "BeeGFS",
}

func readDiskSpace(dir string) (disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return disk{}, fmt.Errorf("ask for free space: %w", err)
	}
	return disk{free: s.Bavail * uint64(s.Bsize), remote: networkFSNames[uint32(s.Type)]}, nil
}
