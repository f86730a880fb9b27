import { readFileSync } from 'node:fs'

/** The fenced blocks of a page in one language, such as `sh`, in their order. */
export const fencedBlocks = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, text]) =>
    found === language ? [text!] : [],
  )
