import { createYieldPoint } from './event-loop.ts'
import { stringifyJson } from './json.ts'

// Pages of this many entries take a few milliseconds at most.
const fewEntries = 100

/**
 * JSON text of a body. A long list of entries is written a piece at a time, and others have their turn in between: twenty megabytes
 * at once took a quarter of a second. `note` is told how long each piece is, and may throw.
 */
export function stringifyInSlices(body: unknown, note: (length: number) => void): string | Promise<string> {
  const entries = entriesOf(body)
  if (entries === undefined || entries.length <= fewEntries) {
    const text = stringifyJson(body)
    note(text.length)
    return text
  }
  return joinEntries(body as object, entries, note)
}

async function joinEntries(body: object, entries: readonly unknown[], note: (length: number) => void): Promise<string> {
  const yieldPoint = createYieldPoint()
  const texts: string[] = []
  for (const entry of entries) {
    // As JSON.stringify has it in a list.
    const text = stringifyJson(entry) ?? 'null'
    note(text.length + 1)
    texts.push(text)
    const resting = yieldPoint()
    if (resting !== undefined) await resting
  }
  // Fields keep their order: the place of the list is where its name stands first.
  const [before, after] = splitAt(body)
  return `${before}[${texts.join(',')}]${after}`
}

const placeholder = '\u0000entries\u0000'

function splitAt(body: object): readonly [before: string, after: string] {
  const [before = '', after = ''] = stringifyJson({ ...body, entries: placeholder }).split(JSON.stringify(placeholder))
  return [before, after]
}

function entriesOf(body: unknown): readonly unknown[] | undefined {
  if (typeof body !== 'object' || body === null || !('entries' in body) || 'toJSON' in body) return undefined
  return Array.isArray(body.entries) ? body.entries : undefined
}
