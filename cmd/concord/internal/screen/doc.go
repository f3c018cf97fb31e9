// Package screen decides how a command shows the app on its own terminal: colours,
// keys, images, and prompts instead of a screen. Flags come before the environment,
// and the environment before the configuration.
//
// It knows no screen of the app and draws nothing itself. Its invariant: nothing is
// written to the terminal before RequireTerminal has found one.
package screen
