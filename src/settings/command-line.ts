import { parseArgs } from 'node:util'
import type { KnownSetting } from './known-settings.ts'

/** One flag as it was typed; `value` is undefined when nothing stood behind it. */
export interface GivenFlag {
  readonly flag: string
  readonly typed: string
  readonly value: string | undefined
}

export interface CommandLine {
  readonly flags: readonly GivenFlag[]
  readonly operands: readonly string[]
}

/** Takes arguments apart into flags and operands. Which flags exist only matters for whether the next word is their value. */
export function splitCommandLine(known: readonly KnownSetting[], argv: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(known.map(asOption)), property: { type: 'string' } },
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  })
  return {
    flags: tokens.filter((token) => token.kind === 'option').map(asGivenFlag),
    operands: tokens.filter((token) => token.kind === 'positional').map((token) => token.value),
  }
}

function asOption({ flag, declaration }: KnownSetting): [string, { type: 'boolean' | 'string' }] {
  return [flag, { type: declaration.type === 'boolean' ? 'boolean' : 'string' }]
}

function asGivenFlag(token: { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined }) {
  const isNegated = token.rawName !== `--${token.name}` && token.rawName.startsWith('--no-')
  // `--data --port 80`: the second flag is not the folder's name; it was forgotten.
  const isNextFlag = token.inlineValue === false && token.value?.startsWith('--')
  const value = isNegated ? 'false' : isNextFlag ? undefined : token.value
  return { flag: token.name, typed: token.rawName, value }
}
