import { NO_BYTES } from '../../core/bytes.ts'

/** A bit for each of the last 512 heights, at the place of its height; no bytes where none is set. */
export type BitWindow = Uint8Array

export const WINDOW = 512

/** Place of a height in a window. */
export const placeOf = (height: bigint): number => Number(BigInt.asUintN(9, height))

export const isSet = (window: BitWindow, place: number): boolean =>
  window.length > 0 && (window[place >> 3]! & (1 << (place & 7))) !== 0

/** A window of the heights before `left` as it is at `height`: bits between are not set, and pushes out what is older. */
export function passedOver(window: BitWindow, left: bigint, height: bigint): BitWindow {
  if (height - left >= BigInt(WINDOW)) return NO_BYTES
  let passed = window
  for (let h = left; h <= height && passed.length > 0; h++) passed = withBit(passed, h, false)
  return passed
}

/** The window with the bit of `height` in place of that of 512 heights before. */
export function withBit(window: BitWindow, height: bigint, bit: boolean): BitWindow {
  const place = placeOf(height)
  if (isSet(window, place) === bit) return window
  const next = window.length > 0 ? window.slice() : new Uint8Array(WINDOW >> 3)
  next[place >> 3]! ^= 1 << (place & 7)
  return bit || next.some((byte) => byte !== 0) ? next : NO_BYTES
}
