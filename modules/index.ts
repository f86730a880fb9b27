import type { Module } from '../core/module.ts'
import { auth } from './auth/index.ts'
import { bank } from './bank/index.ts'
import { consensus } from './consensus/index.ts'
import { gov } from './gov/index.ts'
import { staking } from './staking/index.ts'

/** Genesis, begin block and end block all run in this order. */
export const modules: readonly Module[] = [consensus, auth, bank, gov, staking]
