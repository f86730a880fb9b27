import type { Frame } from '../frame.ts'

/** Runs on a frame whose counter stands behind it and whose gas has paid its constant part. */
export type Instruction = (frame: Frame) => void

/** 32-byte words in so many bytes, rounded up. */
export const wordsIn = (bytes: number): number => Math.floor((bytes + 31) / 32)
