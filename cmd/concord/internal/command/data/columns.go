package data

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/eval/dataset"
)

// columnFlags are what a command says of a file's columns.
type columnFlags struct {
	roles   string
	ignore  []string
	profile string
}

func (c *columnFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.roles, "map", "", "what columns are: `ROLE=COLUMN,...`, such as options=choices,answer=index0:answer,image=image_*")
	f.StringArrayVar(&c.ignore, "ignore", nil, "a `column` that may be left out, also one with images, lists or answers (repeatable)")
	f.StringVar(&c.profile, "profile", "", "`file` of layouts of your own (TOML)")
}

func (c *columnFlags) wish() (out dataset.Wish, err error) {
	out.Ignore = c.ignore
	if c.roles != "" {
		if out.Map, err = dataset.ParseMap(c.roles); err != nil {
			return out, cli.Usage(fmt.Errorf("--map: %w", err))
		}
	}
	if c.profile != "" {
		if out.Table, err = dataset.ReadTable(c.profile); err != nil {
			return out, fmt.Errorf("--profile: %w", err)
		}
	}
	return out, nil
}
