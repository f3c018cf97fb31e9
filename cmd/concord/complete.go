package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/annotate/audit"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
)

// complete has the shell complete what people type most: names that the
// project and the configuration hold, and the words that a flag takes.
func complete(a *app, c *cobra.Command) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if do := completerOf(a, f); do != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, do) // it fails for a second one only
		}
	})
	switch c.CommandPath() {
	case "concord export dataset":
		c.ValidArgsFunction = onlyFirst(fromProject(a, datasetNames))
	case "concord queue guideline":
		c.ValidArgsFunction = onlyFirst(fromProject(a, queueNames))
	case "concord people key", "concord people remove":
		c.ValidArgsFunction = onlyFirst(fromProject(a, memberNames))
	case "concord people role":
		c.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return memberThenRole(a, cmd, args, typed)
		}
	}
	for _, sub := range c.Commands() {
		complete(a, sub)
	}
}

// roles are what people are given, the least first.
var roles = []string{"annotator", "curator", "adjudicator", "owner"}

// words are what flags take, by their names; a flag takes those of them that
// its help names.
var words = map[string][]string{
	"format":    append([]string{"table", "markdown", "latex", "html"}, dataset.Formats()...),
	"policy":    {"unanimous", "majority", "plurality", "adjudicated", "mllm-bench"},
	"undecided": {"dropped", "none", "own", "tie"},
	"strategy":  {"vanilla", "circular"},
	"modality":  {"image", "text", "grey", "base"},
	"from":      {"unparsable", "disagreements", "pairs", "all"},
	"stratum":   {"random", "priority"},
	"level":     {"l1", "l2", "l3", "nominal", "ordinal", "interval", "ratio"},
	"kind":      append([]string{"choice", "yesno"}, kindWords()...),
	"layout":    {"kit", "submission", "kit-results", "kit-acc", "kit-score"},
	"language":  {"en", "zh"},
	"by":        {"run", "model"},
	"role":      roles,
	"theme":     {"auto", "dark", "light", "none"},
	"images":    {"auto", "kitty", "iterm2", "sixel", "blocks", "ascii", "off"},
}

// kindWords are the kinds of what concord log tells.
func kindWords() []string {
	var out []string
	for _, k := range audit.Kinds() {
		out = append(out, string(k))
	}
	return out
}

func completerOf(a *app, f *pflag.Flag) cobra.CompletionFunc {
	switch f.Name {
	case "dataset":
		return fromProject(a, datasetNames)
	case "queue":
		return fromProject(a, queueNames)
	case "run":
		return fromProject(a, runNames)
	case "model", "anchor":
		return completeModels(a, true)
	case "judge":
		return completeModels(a, false)
	case "rules":
		return fixed(ruleSets())
	case "project":
		return cobra.FixedCompletions([]string{"db"}, cobra.ShellCompDirectiveFilterFileExt)
	}
	var of []string
	for _, w := range words[f.Name] {
		if strings.Contains(f.Usage, "found out by itself") && slices.Contains(dataset.Formats(), w) || names(f.Usage, w) {
			of = append(of, w)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return fixed(of)
}

// names reports whether a text holds a word.
func names(text, word string) bool {
	return regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(word) + `($|[^\w-])`).MatchString(text)
}

func fixed(of []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp)
}

// onlyFirst completes the first argument only.
func onlyFirst(do cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return do(cmd, args, typed)
	}
}

// memberThenRole completes somebody's name, and then a role.
func memberThenRole(a *app, cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return fromProject(a, memberNames)(cmd, args, typed)
	}
	return begun(slices.Clone(roles), typed), cobra.ShellCompDirectiveNoFileComp
}

func ruleSets() []string {
	var out []string
	for _, k := range []eval.Kind{eval.KindChoice, eval.KindYesNo} {
		out = append(out, extract.Names(k)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fromProject completes names that the project holds. A project that cannot be
// read has none: nobody wants an error in the middle of a line.
func fromProject(a *app, list func(*store.Store) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return begun(listNames(cmd.Context(), a, list), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// begun are the names that go on from what was typed.
func begun(all []string, typed string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, typed) })
}

// listNames reads names from the project, or has the process that holds it read
// them.
func listNames(ctx context.Context, a *app, list func(*store.Store) ([]string, error)) (out []string) {
	if ctx == nil {
		ctx = context.Background()
	}
	take := func(st *store.Store) (err error) {
		out, err = list(st)
		return err
	}
	var answer bytes.Buffer
	quiet := *a
	quiet.out, quiet.err, quiet.isTerm = &answer, io.Discard, false
	if err := quiet.read(ctx, take); err != nil {
		return nil
	}
	if answer.Len() == 0 {
		return out
	}
	// The holder has completed the same line, and ended with the directive.
	for line := range strings.Lines(answer.String()) {
		if strings.HasPrefix(line, ":") {
			break
		}
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

func datasetNames(st *store.Store) ([]string, error) {
	all, err := st.Datasets().List()
	var out []string
	for _, d := range all {
		out = append(out, captioned(string(d.Name), count(d.Samples, "sample")))
	}
	return out, err
}

func queueNames(st *store.Store) ([]string, error) {
	all, err := st.Queues().List()
	var out []string
	for _, q := range all {
		out = append(out, captioned(string(q.Name), q.Rule.From.String()+" of "+string(q.Rule.Dataset)))
	}
	return out, err
}

func runNames(st *store.Store) ([]string, error) {
	all, err := st.Runs().List()
	var out []string
	for _, r := range all {
		c := &r.Config
		out = append(out, captioned(fmt.Sprint(r.ID), c.Model+" on "+string(c.Dataset)+", "+c.Strategy.String()+", "+c.Modality.String()))
	}
	return out, err
}

// captioned is a name with what the shell may say beside it. Both are of one line.
func captioned(name, about string) string {
	return visible(name) + "\t" + visible(about)
}

// completeModels completes those of the configuration, and those that runs are of.
func completeModels(a *app, ran bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if c, err := a.config(); err == nil {
			for _, m := range c.Models() {
				out = append(out, visible(m.Name))
			}
		}
		if ran {
			out = append(out, listNames(cmd.Context(), a, runModels)...)
		}
		slices.Sort(out)
		return begun(slices.Compact(out), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

func runModels(st *store.Store) ([]string, error) {
	all, err := st.Runs().List()
	var out []string
	for _, r := range all {
		out = append(out, visible(r.Config.Model))
	}
	return out, errors.Join(err)
}
