package main

import "github.com/spf13/pflag"

// renamed are the flags that had another name. Scripts may go on using it.
var renamed = map[string]string{
	"hide-hits": "hide-correct",
	"picture":   "image",
	"pictures":  "image-folder",
	"settle":    "adjudicate",
	"stratum":   "sampling",
}

// flagName is the name by which a flag is known now.
func flagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if now, ok := renamed[name]; ok {
		name = now
	}
	return pflag.NormalizedName(name)
}
