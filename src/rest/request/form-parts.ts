import { defineProblem } from '../../base/problem.ts'
import type { PartHeaders } from './part-headers.ts'

/** What is met in a form, one thing after the other: a part begins, and then come its bytes. */
export type FormPiece =
  | { readonly kind: 'part'; readonly headers: PartHeaders }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

/** What stands between the parts of a form, and how its lines end. */
export interface FormShape {
  readonly boundary: string
  readonly lineEnd: '\r\n' | '\n'
}

export const malformedForm = defineProblem(
  'malformedForm',
  'invalid',
  (of: { reason: string }) => `The form that was sent cannot be read: ${of.reason}.`,
)

const endsInTheMiddle = () => malformedForm({ reason: 'it ends in the middle' })
const maxHeaderBytes = 80 * 1024
const maxHeaders = 100
const dash = 0x2d

/**
 * Splits a form as its bytes come in. A chunk that is all content is given as it is, and not a part of it: its memory can then be
 * given back at once. What stands before the first part and behind the last is passed over, as is a part without the empty line
 * below its headers.
 *
 * A form may lack its last boundary when its last part is seen to be whole, that is, when it ends with a line or with a boundary.
 * @throws malformedForm
 */
export async function* splitForm(chunks: AsyncIterable<Buffer>, shape: FormShape): AsyncGenerator<FormPiece> {
  const marks = marksOf(shape)
  // The first boundary stands at the beginning, where no line ends.
  let rest: Buffer = marks.lineEnd
  let place: 'before' | 'boundary' | 'content' | 'behind' = 'before'
  for await (const chunk of chunks) {
    if (place === 'behind') continue
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (place === 'boundary') {
        const head = findHead(rest, marks)
        if (head === undefined) break
        rest = rest.subarray(head.end)
        place = head.kind
        if (head.kind === 'behind') break
        if (head.kind === 'content') yield { kind: 'part', headers: head.headers }
        continue
      }
      const at = rest.indexOf(marks.delimiter)
      const end = at < 0 ? rest.length - lengthOfBeginning(rest, marks.delimiter) : at
      const bytes = rest.subarray(0, end)
      // Before they are given away: they may be gone afterwards.
      rest = rest.subarray(at < 0 ? end : end + marks.delimiter.length)
      if (place === 'content' && bytes.length > 0) yield { kind: 'bytes', bytes }
      if (at < 0) break
      place = 'boundary'
    }
  }
  if (place === 'before' || (place !== 'behind' && !endsWhole(place, rest, marks))) throw endsInTheMiddle()
}

interface Marks {
  readonly lineEnd: Buffer
  readonly delimiter: Buffer
  readonly emptyLine: Buffer
}

function marksOf({ boundary, lineEnd }: FormShape): Marks {
  return {
    lineEnd: Buffer.from(lineEnd),
    delimiter: Buffer.from(`${lineEnd}--${boundary}`),
    emptyLine: Buffer.from(`${lineEnd}${lineEnd}`),
  }
}

/** How many bytes at the end may be the beginning of what is looked for. */
function lengthOfBeginning(bytes: Buffer, sought: Buffer): number {
  const first = sought[0] ?? 0
  for (let at = bytes.indexOf(first, Math.max(0, bytes.length - sought.length + 1)); at >= 0; at = bytes.indexOf(first, at + 1)) {
    const length = bytes.length - at
    if (bytes.compare(sought, 0, length, at) === 0) return length
  }
  return 0
}

type Head =
  | { readonly kind: 'content'; readonly headers: PartHeaders; readonly end: number }
  | { readonly kind: 'boundary' | 'behind'; readonly end: number }

/** What follows a boundary; undefined while too little of it is there. @throws malformedForm */
function findHead(rest: Buffer, { lineEnd, delimiter, emptyLine }: Marks): Head | undefined {
  if (rest[0] === dash && rest[1] === dash) return { kind: 'behind', end: 2 }
  const empty = rest.indexOf(emptyLine)
  const next = rest.indexOf(delimiter)
  if (next >= 0 && (empty < 0 || next < empty)) return { kind: 'boundary', end: next + delimiter.length }
  if ((empty < 0 ? rest.length : empty) > maxHeaderBytes) {
    throw malformedForm({ reason: `the headers of a part have more than the ${maxHeaderBytes} bytes allowed` })
  }
  if (empty < 0) return undefined
  // The line end below the headers of a part without content is that of the boundary behind it.
  const isEmpty = next === empty + lineEnd.length
  if (!isEmpty && lengthOfBeginning(rest, delimiter) === rest.length - empty - lineEnd.length) return undefined
  const lines = rest.toString('latin1', 0, empty).split(lineEnd.toString('latin1'))
  // The first is what is left of the boundary's own line.
  return { kind: 'content', headers: parseHeaders(lines.slice(1)), end: empty + (isEmpty ? lineEnd : emptyLine).length }
}

/** One character a byte. A line that begins with a blank goes on with the one before it. */
function parseHeaders(lines: readonly string[]): PartHeaders {
  const headers: Record<string, string[]> = Object.create(null)
  let last: string[] | undefined
  for (const line of lines.slice(0, maxHeaders)) {
    const [, name, value = ''] = /^([^\s:][^:\r\n]*):[ \t]?([^\r\n]*)$/.exec(line) ?? []
    if (/^[ \t]/.test(line) && last !== undefined) last.push(`${last.pop()}${line}`)
    if (name === undefined) continue
    last = headers[name.trim().toLowerCase()] ??= []
    last.push(value)
  }
  return headers
}

function endsWhole(place: 'boundary' | 'content', rest: Buffer, { lineEnd }: Marks): boolean {
  return rest.equals(lineEnd) || (place === 'boundary' && rest.length === 0)
}

const longestBoundary = 200

/**
 * What a form says of itself in its first line. Clients that set the Content-Type by hand name no boundary there: every form of the
 * JavaScript client before 4.0 on Node.js is such a one.
 * @throws malformedForm
 */
export function shapeOf(firstLine: string, contentType: string): FormShape {
  const named = findNamed(contentType)
  const boundary = named ?? /^--(.*?)[ \t]*\r?\n?$/s.exec(firstLine)?.[1] ?? ''
  if (named === undefined && (boundary === '' || boundary.endsWith('--'))) {
    throw malformedForm({ reason: 'the Content-Type names no boundary, and the body does not begin with one' })
  }
  if (boundary.length > longestBoundary) {
    throw malformedForm({ reason: `its boundary has more than the ${longestBoundary} characters allowed` })
  }
  return { boundary, lineEnd: /[^\r]\n$|^\n$/.test(firstLine) ? '\n' : '\r\n' }
}

function findNamed(contentType: string): string | undefined {
  const found = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)
  return found?.[1] ?? found?.[2]
}
