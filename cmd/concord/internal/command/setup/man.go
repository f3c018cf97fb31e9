package setup

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
)

// NewManCmd makes the command man.
func NewManCmd(a *project.Project) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man --dir FOLDER",
		Short: "Write the manual: a page for each command",
		RunE:  func(cmd *cobra.Command, _ []string) error { return writeManual(a, cmd.Root(), dir) },
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `folder` to write into; it is made if it is not there")
	_ = cmd.MarkFlagRequired("dir")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func writeManual(a *project.Project, root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	root.DisableAutoGenTag = true
	when := time.Unix(0, 0).UTC() // the same pages whenever they are written
	head := doc.GenManHeader{Title: "CONCORD", Section: "1", Source: "concord", Manual: "concord", Date: &when}
	if err := doc.GenManTree(root, &head, dir); err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	return a.Print(map[string]any{"folder": dir, "pages": len(pages)}, "wrote the manual to %s: man -l %s/concord.1\n", cli.EscapeControls(dir), cli.EscapeControls(dir))
}
