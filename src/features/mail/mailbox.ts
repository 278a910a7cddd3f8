import { isMailAddress } from '../../base/mail-address.ts'
import { shortened } from '../../base/shortened.ts'

/** An address, and who is there. */
export interface Mailbox {
  readonly address: string
  readonly name?: string
}

const namedPattern = /^([^<>]*)<([^<>]*)>$/

/** `ann@example.org` or `Ann Lee <ann@example.org>`; undefined for anything else. */
export function findMailbox(text: string): Mailbox | undefined {
  if (text.length > 1_000) return undefined
  const [, named = '', inside] = namedPattern.exec(text.trim()) ?? []
  const address = (inside ?? text).trim()
  if (!isMailAddress(address)) return undefined
  const name = headerText(named.replace(/^\s*"(.*)"\s*$/s, '$1'), 200)
  return name === '' ? { address } : { address, name }
}

/** A text as a header holds it: one line, without anything that is not seen, and no longer than that. */
export function headerText(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return shortened(line, max)
}
