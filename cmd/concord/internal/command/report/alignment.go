package report

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

// saves are the flags with which an alignment is kept in the project.
func saves(k *asking, cmd *cobra.Command) {
	var save bool
	var by string
	cmd.Flags().BoolVar(&save, "save", false, "save this report in the project")
	cmd.Flags().StringVar(&by, "as", project.UserName(), "annotator who saves it")
	k.write = func() bool { return save }
	// It is made once more, so that what is printed holds the saved one too.
	k.after = func(ctx context.Context, st *store.Store, r report.Report) (bool, error) {
		if !save {
			return false, nil
		}
		saved, err := alignment.SavedReport(&r, annotate.Annotator(by), k.a.Now())
		if err != nil {
			return false, err
		}
		id, err := st.Reports().SaveReport(ctx, saved)
		if err == nil {
			_, _ = fmt.Fprintf(k.a.Err, "saved as report %d\n%s", id, headLine(saved.Heads))
		}
		return true, err
	}
}

// headLine is the heads that a saved report names, for people; "" without any.
func headLine(heads []annotate.Head) string {
	out := make([]string, len(heads))
	for i, h := range heads {
		out[i] = fmt.Sprintf("%s %.*s", cli.Visible(string(h.Person)), chain.ShortSize, h.Hash)
	}
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf("heads of the chains of acts: %s (see: concord log --verify)\n", cli.Few(out))
}
