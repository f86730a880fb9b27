// Writes what the node has to know of protobuf definitions at run time: fields, signers, amino names, REST routes.
// Run by `make descriptors`; of the Cosmos SDK's and ibc-go's definitions it makes proto/gen/cosmos.ts, of our own
// proto/gen/fornax.ts and the types and codecs beside it.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"

	_ "cosmossdk.io/api/amino"
	_ "cosmossdk.io/api/cosmos/msg/v1"
	_ "cosmossdk.io/x/evidence/types"
	_ "github.com/cosmos/cosmos-sdk/client/grpc/cmtservice"
	_ "github.com/cosmos/cosmos-sdk/client/grpc/node"
	_ "github.com/cosmos/cosmos-sdk/crypto/keys/ed25519"
	_ "github.com/cosmos/cosmos-sdk/crypto/keys/multisig"
	_ "github.com/cosmos/cosmos-sdk/crypto/keys/secp256k1"
	_ "github.com/cosmos/cosmos-sdk/types/tx"
	_ "github.com/cosmos/cosmos-sdk/x/auth/types"
	_ "github.com/cosmos/cosmos-sdk/x/bank/types"
	_ "github.com/cosmos/cosmos-sdk/x/consensus/types"
	_ "github.com/cosmos/cosmos-sdk/x/distribution/types"
	_ "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
	_ "github.com/cosmos/cosmos-sdk/x/gov/types/v1beta1"
	_ "github.com/cosmos/cosmos-sdk/x/mint/types"
	_ "github.com/cosmos/cosmos-sdk/x/params/types/proposal"
	_ "github.com/cosmos/cosmos-sdk/x/slashing/types"
	_ "github.com/cosmos/cosmos-sdk/x/staking/types"
	_ "github.com/cosmos/ibc-go/v10/modules/apps/transfer/types"
	_ "github.com/cosmos/ibc-go/v10/modules/core/02-client/types"
	_ "github.com/cosmos/ibc-go/v10/modules/core/03-connection/types"
	_ "github.com/cosmos/ibc-go/v10/modules/core/04-channel/types"
	_ "github.com/cosmos/ibc-go/v10/modules/core/04-channel/v2/types"
	_ "github.com/cosmos/ibc-go/v10/modules/light-clients/07-tendermint"

	gogoproto "github.com/cosmos/gogoproto/proto"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Field numbers of the extensions that are read from the options' wire form.
const (
	optMsgSigner     = 11110000 // cosmos.msg.v1.signer
	optScalar        = 93002    // cosmos_proto.scalar
	optAminoName     = 11110001 // amino.name
	optAminoMsgEnc   = 11110002 // amino.message_encoding
	optAminoEncoding = 11110003 // amino.encoding
	optAminoField    = 11110004 // amino.field_name
	optAminoDontOmit = 11110005 // amino.dont_omitempty
	optGogoNullable  = 65001    // gogoproto.nullable
	optGogoCustom    = 65003    // gogoproto.customtype
)

type field struct {
	Number   int    `json:"n"`
	Name     string `json:"name"`
	Type     string `json:"t"`
	Repeated bool   `json:"rep,omitempty"`
	Oneof    string `json:"oneof,omitempty"`
	Scalar   string `json:"scalar,omitempty"`
	AminoAs  string `json:"aminoName,omitempty"`
	Encoding string `json:"aminoEncoding,omitempty"`
	KeepZero bool   `json:"aminoKeep,omitempty"`
	NotNull  bool   `json:"notNull,omitempty"`
}
type message struct {
	Fields   []field  `json:"fields"`
	Signers  []string `json:"signers,omitempty"`
	Amino    string   `json:"amino,omitempty"`
	Encoding string   `json:"aminoEncoding,omitempty"`
}
type method struct {
	Input  string   `json:"in"`
	Output string   `json:"out"`
	Routes []string `json:"http,omitempty"`
	Body   string   `json:"body,omitempty"`
}
type output struct {
	Messages map[string]message           `json:"messages"`
	Enums    map[string]map[string]int    `json:"enums"`
	Services map[string]map[string]method `json:"services"`
}

func wanted(pkg string) bool {
	for _, p := range []string{"cosmos.auth.v1beta1", "cosmos.bank.v1beta1", "cosmos.base.", "cosmos.consensus.v1", "cosmos.crypto.", "cosmos.distribution.v1beta1", "cosmos.evidence.v1beta1", "cosmos.gov.v1", "cosmos.mint.v1beta1", "cosmos.params.v1beta1", "cosmos.slashing.v1beta1", "cosmos.staking.v1beta1", "cosmos.tx.", "cosmos.ics23.v1", "ibc.core.", "ibc.lightclients.tendermint.", "ibc.applications.transfer.", "tendermint.", "google.protobuf"} {
		if strings.HasPrefix(pkg, p) {
			return true
		}
	}
	return false
}

// raw reads an extension from the wire form of options, since gogoproto's and the API's copies of an extension differ.
func raw(options proto.Message, number int32) (texts []string, varint uint64, found bool) {
	data, err := proto.Marshal(options)
	if err != nil {
		panic(err)
	}
	for len(data) > 0 {
		tag, n := uvarint(data)
		data = data[n:]
		switch tag & 7 {
		case 0:
			v, n := uvarint(data)
			data = data[n:]
			if int32(tag>>3) == number {
				varint, found = v, true
			}
		case 1:
			data = data[8:]
		case 5:
			data = data[4:]
		case 2:
			l, n := uvarint(data)
			data = data[n:]
			if int32(tag>>3) == number {
				texts, found = append(texts, string(data[:l])), true
			}
			data = data[l:]
		default:
			panic("wire type")
		}
	}
	return
}

func uvarint(b []byte) (v uint64, n int) {
	for i, c := range b {
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, i + 1
		}
	}
	panic("varint")
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

func typeOf(f protoreflect.FieldDescriptor) string {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return string(f.Message().FullName())
	case protoreflect.EnumKind:
		return "enum:" + string(f.Enum().FullName())
	}
	return f.Kind().String()
}

func section[T any](print func(string), name string, definitions map[string]T, end string) {
	names := make([]string, 0, len(definitions))
	for n := range definitions {
		names = append(names, n)
	}
	sort.Strings(names)
	print("\"" + name + "\": {\n")
	for i, n := range names {
		line, err := json.Marshal(definitions[n])
		if err != nil {
			panic(err)
		}
		print("\"" + n + "\": " + string(line))
		if i < len(names)-1 {
			print(",")
		}
		print("\n")
	}
	print("}" + end)
}

func (out output) addFile(fd protoreflect.FileDescriptor) {
	addEnum := func(e protoreflect.EnumDescriptor) {
		values := map[string]int{}
		for i := 0; i < e.Values().Len(); i++ {
			values[string(e.Values().Get(i).Name())] = int(e.Values().Get(i).Number())
		}
		out.Enums[string(e.FullName())] = values
	}
	var addMessage func(m protoreflect.MessageDescriptor)
	addMessage = func(m protoreflect.MessageDescriptor) {
		signers, _, _ := raw(m.Options(), optMsgSigner)
		amino, _, _ := raw(m.Options(), optAminoName)
		enc, _, _ := raw(m.Options(), optAminoMsgEnc)
		msg := message{Fields: []field{}, Signers: signers, Amino: first(amino), Encoding: first(enc)}
		for i := 0; i < m.Fields().Len(); i++ {
			f := m.Fields().Get(i)
			scalar, _, _ := raw(f.Options(), optScalar)
			if custom, _, _ := raw(f.Options(), optGogoCustom); len(custom) == 0 && (first(scalar) == "cosmos.Dec" || first(scalar) == "cosmos.Int") {
				scalar = nil // a plain text for the SDK too, as in cosmos.gov.v1
			}
			name, _, _ := raw(f.Options(), optAminoField)
			encoding, _, _ := raw(f.Options(), optAminoEncoding)
			_, keep, _ := raw(f.Options(), optAminoDontOmit)
			_, nullable, hasNullable := raw(f.Options(), optGogoNullable)
			fd := field{Number: int(f.Number()), Name: string(f.Name()), Type: typeOf(f), Repeated: f.IsList() || f.IsMap(), Scalar: first(scalar), AminoAs: first(name), Encoding: first(encoding), KeepZero: keep == 1, NotNull: hasNullable && nullable == 0}
			if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
				fd.Oneof = string(o.Name())
			}
			msg.Fields = append(msg.Fields, fd)
		}
		sort.Slice(msg.Fields, func(i, j int) bool { return msg.Fields[i].Number < msg.Fields[j].Number })
		out.Messages[string(m.FullName())] = msg
		for i := 0; i < m.Messages().Len(); i++ {
			addMessage(m.Messages().Get(i))
		}
		for i := 0; i < m.Enums().Len(); i++ {
			addEnum(m.Enums().Get(i))
		}
	}
	for i := 0; i < fd.Messages().Len(); i++ {
		addMessage(fd.Messages().Get(i))
	}
	for i := 0; i < fd.Enums().Len(); i++ {
		addEnum(fd.Enums().Get(i))
	}
	for i := 0; i < fd.Services().Len(); i++ {
		s := fd.Services().Get(i)
		methods := map[string]method{}
		for j := 0; j < s.Methods().Len(); j++ {
			m := s.Methods().Get(j)
			entry := method{Input: string(m.Input().FullName()), Output: string(m.Output().FullName())}
			data, _, found := raw(m.Options(), 72295728) // google.api.http
			if found {
				rule := &annotations.HttpRule{}
				if err := proto.Unmarshal([]byte(first(data)), rule); err != nil {
					panic(err)
				}
				for _, r := range append([]*annotations.HttpRule{rule}, rule.AdditionalBindings...) {
					if g := r.GetGet(); g != "" {
						entry.Routes = append(entry.Routes, "GET "+g)
					}
					if p := r.GetPost(); p != "" {
						entry.Routes = append(entry.Routes, "POST "+p)
						entry.Body = r.Body
					}
				}
			}
			methods[string(m.Name())] = entry
		}
		out.Services[string(s.FullName())] = methods
	}
}

func newOutput() output {
	return output{map[string]message{}, map[string]map[string]int{}, map[string]map[string]method{}}
}

func (out output) write(path, origin, constant string) {
	text := &strings.Builder{}
	print := func(s string) { text.WriteString(s) }
	print("// Generated by `make descriptors` from " + origin + ". Do not edit.\n\n")
	print("/** JSON of core/wire/descriptors.ts `Descriptors`, one definition a line. */\nexport const " + constant + " = `{\n")
	section(print, "messages", out.Messages, ",\n")
	section(print, "enums", out.Enums, ",\n")
	section(print, "services", out.Services, "\n")
	print("}`\n")
	writeFile(path, text.String())
}

func writeFile(path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		panic(err)
	}
}

func main() {
	files, err := gogoproto.MergedRegistry()
	if err != nil {
		panic(err)
	}
	cosmos := newOutput()
	files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		if !wanted(string(fd.Package())) || (strings.HasPrefix(string(fd.Package()), "google.protobuf") && !strings.Contains("google/protobuf/any.proto google/protobuf/duration.proto google/protobuf/timestamp.proto google/protobuf/wrappers.proto", fd.Path())) {
			return true
		}
		cosmos.addFile(fd)
		return true
	})
	cosmos.write("../gen/cosmos.ts", "the Cosmos SDK's and ibc-go's definitions", "cosmosDescriptors")
	routes, err := sdkRoutes()
	if err != nil {
		panic(err)
	}
	writeRoutes("../gen/sdk-routes.ts", routes)
	own, err := compileOwn("..", files)
	if err != nil {
		panic(err)
	}
	fornax := newOutput()
	for _, fd := range own {
		fornax.addFile(fd)
		writeFile("../gen/"+strings.TrimSuffix(fd.Path(), ".proto")+".ts", typeScriptFile(fd))
	}
	fornax.write("../gen/fornax.ts", "proto/fornax and proto/cosmos", "fornaxDescriptors")
}
