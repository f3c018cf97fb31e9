package queue

import (
	"concord/cmd/concord/internal/project"
	"concord/store"
)

func packetNames(st *store.Store) ([]string, error) {
	all, err := st.Packets().List()
	var out []string
	for _, p := range all {
		out = append(out, project.Captioned(p.ID, "queue "+string(p.Queue)+", for "+string(p.Who)))
	}
	return out, err
}
