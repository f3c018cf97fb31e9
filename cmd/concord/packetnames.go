package main

import (
	"concord/store"
)

func packetNames(st *store.Store) ([]string, error) {
	all, err := st.Packets().List()
	var out []string
	for _, p := range all {
		out = append(out, captioned(p.ID, "queue "+string(p.Queue)+", for "+string(p.Who)))
	}
	return out, err
}
