package jobs

import (
	"context"
	"fmt"

	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/prompt"
	"concord/store"
)

// Templates reads prompt templates, and stores those that a run was set up with.
type Templates struct {
	Conf  *config.Config
	Store *store.Store
}

// Current gives the built-in templates with those that files replace.
func (t *Templates) Current() (*prompt.Set, error) {
	files := t.Conf.Prompts()
	overrides := make(map[string]string)
	for name, path := range files {
		if err := t.Conf.MayRead(name); err != nil {
			return nil, err
		}
		text, err := ReadPrompt(path)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w (the path is relative to the config file)", name, err)
		}
		if _, err := prompt.Load(map[string]string{name: text}); err != nil {
			return nil, fmt.Errorf("prompt %s, %s: %w (concord's own to begin with: concord config prompt)", name, path, err)
		}
		overrides[name] = text
	}
	return prompt.Load(overrides)
}

// of gives the templates that a run or a judge was set up with, as they were then.
func (t *Templates) of(refs []eval.PromptRef) (*prompt.Set, error) {
	overrides := make(map[string]string, len(refs))
	for _, r := range refs {
		text, err := t.Store.Texts().Text(r.Hash)
		if err != nil {
			return nil, fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, err)
		}
		overrides[r.Name+"/"+r.Language] = string(text)
	}
	return prompt.Load(overrides)
}

// keep stores the texts behind the references.
func (t *Templates) keep(ctx context.Context, set *prompt.Set, refs []eval.PromptRef) error {
	for _, r := range refs {
		text, ok := set.Text(r.Name, r.Language)
		if !ok {
			return fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, eval.ErrNotFound)
		}
		if _, err := t.Store.Texts().Put(ctx, text.Text); err != nil {
			return fmt.Errorf("keep prompt %s: %w", r.Name, err)
		}
	}
	return nil
}

// ReadPrompt reads a prompt's file, up to the length that a prompt may have.
func ReadPrompt(path string) (string, error) {
	text, err := bound.ReadFile(path, bound.Text)
	if err != nil {
		return "", fmt.Errorf("read prompt: %w", err)
	}
	return string(text), nil
}
