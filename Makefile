# `make` lists the targets; the variables they take are named in the list.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help localnet localnet-clean localnet-logs build install uninstall test lint format bench fuzz evm-vectors crash-test simulate soak peers descriptors model model-report model-search

VALIDATORS ?=
SLOT ?=
SUITE ?= all
PREFIX ?= $(HOME)/.local
# As in bin/fornaxd.
TELL_HANGUP = hangup=ignored; trap hangup=taken HUP; kill -s HUP $$$$; trap - HUP; export FORNAX_HANGUP=$$hangup

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile

localnet: ## start a local network: VALIDATORS=4 SLOT=5s; Ctrl-C stops it, the next start resumes
	@$(TELL_HANGUP); localnet/setup.sh go && exec node dist/localnet/main.js start --validators "$(VALIDATORS)" --slot "$(SLOT)"

localnet-clean: ## delete the local network's state and keys (.localnet)
	@localnet/setup.sh && exec node dist/localnet/main.js clean

localnet-logs: ## follow the logs of all nodes of the local network
	@tail -n 20 -F .localnet/*/node.log

build: ## install the locked dependencies and compile to dist/
	@localnet/setup.sh

install: ## put fornaxd on the PATH: PREFIX=~/.local, for PREFIX/bin/fornaxd
	@localnet/setup.sh && exec bin/install.sh install "$(PREFIX)"

uninstall: ## remove that again: PREFIX=~/.local
	@exec bin/install.sh uninstall "$(PREFIX)"

test: ## run every test, with a line per file: FILES=keyring for those whose path contains it
	@localnet/setup.sh go && localnet/peers/build.sh simd && node dist/localnet/main.js comet && exec node --enable-source-maps dist/test/kit/run/main.js $(FILES)

lint: ## format, lint, floors and unused-code checks, changing nothing
	@localnet/setup.sh && node_modules/.bin/biome check --error-on-warnings . && node_modules/.bin/knip && node dist/test/kit/floors/main.js

format: ## format every file and apply the safe fixes
	@localnet/setup.sh && node_modules/.bin/biome check --write .

bench: ## measure: SUITE=abci|agents|evm-precompiles|evm-worst|flood|hostile|staking|store|transfers, or all (default); builds simd where it is the baseline
	@localnet/setup.sh go && { [ "$(findstring $(SUITE),all flood staking transfers)" = "" ] || localnet/peers/build.sh simd; } && exec node --enable-source-maps dist/bench/main.js $(SUITE)

fuzz: ## a million mutated inputs against everything that parses, half a million against JSON-RPC: FUZZ_SEED=1
	@localnet/setup.sh && FUZZ=1000000 exec node --enable-source-maps dist/test/kit/run/main.js fuzz

evm-vectors: ## every Ethereum state test on the chain's own state, the long loops too
	@localnet/setup.sh && EVM_VECTORS=all exec node --enable-source-maps dist/test/kit/run/main.js vectors/evm-state-tests

crash-test: ## 300 kills at random moments under load: CRASH_SEED=1
	@localnet/setup.sh go && CRASHES=300 exec node --enable-source-maps dist/test/kit/run/main.js crash

simulate: ## random operations against all invariants: SIMULATION_SEED=1,2 SIMULATION_BLOCKS=1000
	@localnet/setup.sh && exec node --enable-source-maps dist/test/kit/run/main.js property/random-operations

soak: ## a day of a chain of mixed validators and 20,000 adversaries: SOAK_SEED=1 SOAK_BLOCKS=17280 ADVERSARY_SEED=1 ADVERSARIES=20000
	@localnet/setup.sh && SOAK_BLOCKS=$${SOAK_BLOCKS:-17280} ADVERSARIES=$${ADVERSARIES:-20000} exec node --enable-source-maps dist/test/kit/run/main.js mixed-validators adversaries-below-a-third

peers: ## build the third-party binaries that tests and benchmarks compare with, into .cache/bin
	@localnet/setup.sh go && exec localnet/peers/build.sh simd

descriptors: ## regenerate proto/gen from the SDK's definitions and our own
	@localnet/setup.sh go generate && cd proto/descriptors && CGO_ENABLED=0 go run .

MODEL_PYTHON := .cache/model-venv/bin/python
.cache/model-venv/ready: model/requirements.txt
	@rm -rf .cache/model-venv && python3.11 -m venv .cache/model-venv && $(MODEL_PYTHON) -m pip install --quiet --disable-pip-version-check --requirement model/requirements.txt && touch $@

model: .cache/model-venv/ready ## train the classifier again, to the same bytes (model/README.md); needs Python 3.11
	@PYTHONPATH=model exec $(MODEL_PYTHON) -B -m fornax_model.train model

model-report: .cache/model-venv/ready ## measure the committed model on held-out networks: model/CARD.md and its plots
	@PYTHONPATH=model exec $(MODEL_PYTHON) -B -m fornax_model.report model

model-search: .cache/model-venv/ready ## search for gangs below a third that frame an honest validator, SEED=n: adds to gangs.json
	@PYTHONPATH=model exec $(MODEL_PYTHON) -B -m fornax_model.search model $(or $(SEED),1)
