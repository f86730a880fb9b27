// The baseline of bench/store: cosmos/iavl over goleveldb, fast nodes off. Prints one JSON object.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"cosmossdk.io/log"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/iavl"
	idb "github.com/cosmos/iavl/db"
)

// keyOf spreads n over 20 bytes the same way as run.ts does.
func keyOf(n uint32) []byte {
	key := make([]byte, 20)
	x := n
	for i := 0; i < 5; i++ {
		x = x*2654435761 + 0x9e3779b9
		x ^= x >> 15
		binary.BigEndian.PutUint32(key[i*4:], x)
	}
	return key
}

func valueOf(n, round uint32) []byte {
	value := make([]byte, 40)
	for i := 0; i < 10; i++ {
		binary.BigEndian.PutUint32(value[i*4:], n*31+round*17+uint32(i))
	}
	return value
}

// commit sets the values of round, ascending by key as the SDK's cache store does, and persists them. Milliseconds.
func commit(tree *iavl.MutableTree, numbers []uint32, round uint32) float64 {
	type write struct{ key, value []byte }
	writes := make([]write, 0, len(numbers))
	for _, n := range numbers {
		writes = append(writes, write{keyOf(n), valueOf(n, round)})
	}
	slices.SortFunc(writes, func(a, b write) int { return bytes.Compare(a.key, b.key) })
	writes = slices.CompactFunc(writes, func(a, b write) bool { return bytes.Equal(a.key, b.key) })
	start := time.Now()
	for _, w := range writes {
		_, err := tree.Set(w.key, w.value)
		must(err)
	}
	_, _, err := tree.SaveVersion()
	must(err)
	return float64(time.Since(start).Microseconds()) / 1000
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	dir := os.Args[1]
	leaves, err := strconv.Atoi(os.Args[2])
	must(err)
	updates, err := strconv.Atoi(os.Args[3])
	must(err)
	rounds, err := strconv.Atoi(os.Args[4])
	must(err)
	db, err := dbm.NewGoLevelDB("bench", dir, nil)
	must(err)
	// 781,250 nodes is the SDK's default iavl-cache-size.
	tree := iavl.NewMutableTree(idb.NewWrapper(db), 781_250, true, log.NewNopLogger(), iavl.SyncOption(true))
	for from := 0; from < leaves; from += 100_000 {
		numbers := []uint32{}
		for n := from; n < leaves && n < from+100_000; n++ {
			numbers = append(numbers, uint32(n))
		}
		commit(tree, numbers, 0)
	}
	seed := uint32(1)
	times := []float64{}
	for round := 1; round <= rounds; round++ {
		numbers := []uint32{}
		for i := 0; i < updates; i++ {
			seed = seed*1664525 + 1013904223
			numbers = append(numbers, uint32((uint64(seed)*uint64(leaves))>>32))
		}
		times = append(times, commit(tree, numbers, uint32(round)))
	}
	hash := tree.Hash()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"commitMs": times, "root": fmt.Sprintf("%x", hash), "residentBytes": mem.Sys,
	}))
	must(db.Close())
}
