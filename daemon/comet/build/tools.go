//go:build tools

// Package comet pins the CometBFT that fornaxd runs. Nothing of it is compiled: `go mod tidy` needs the import.
package comet

import _ "github.com/cometbft/cometbft/cmd/cometbft"
