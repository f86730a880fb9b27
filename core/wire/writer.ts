import { BinaryWriter } from 'cosmjs-types/binary'

// cosmjs-types 0.11 starts a new 8 KiB pool at each `finish`, so that every encoded message costs, and keeps alive,
// 8 KiB. This gives each its own bytes.
BinaryWriter.alloc = (size: number): Uint8Array => new Uint8Array(size)
