import { defineProblem } from '../../base/problem.ts'

/** One piece of a request path: decoded, its matrix parameters (`;id=a;id=b`) apart. */
export interface Segment {
  readonly text: string
  readonly matrix: readonly (readonly [name: string, value: string])[]
}

/** A path split at its adapters: `/id/x/@children/@op/Y` is the resource `/id/x` and two adapter calls. */
export interface ParsedPath {
  readonly segments: readonly Segment[]
  readonly adapters: readonly AdapterSegment[]
}

export interface AdapterSegment {
  readonly name: string
  /** What follows the name up to the next adapter, decoded. */
  readonly tail: readonly string[]
}

export const undecodablePath = defineProblem(
  'undecodablePath',
  'invalid',
  (of: { segment: string }) => `The path segment ${of.segment} is not percent-encoded UTF-8.`,
)

export const tooManyAdapters = defineProblem(
  'tooManyAdapters',
  'invalid',
  (of: { maxAdapters: number }) =>
    `The path has more than the ${of.maxAdapters} adapters (@name) allowed in one. Ask for what they give one after another.`,
)

// Each makes something of what the one before it gave; two or three is what clients use.
const maxAdapters = 20

/** Splits a raw path. Repeated and trailing slashes count as one and none; a `%2F` stays in its segment. @throws tooManyAdapters, undecodablePath */
export function parseUrlPath(rawPath: string): ParsedPath {
  const segments: Segment[] = []
  const adapters: { name: string; tail: string[] }[] = []
  for (const raw of rawPath.split('/')) {
    if (raw === '') continue
    const adapter = adapters.at(-1)
    if (raw.startsWith('@')) adapters.push({ name: decodeSegment(raw).slice(1), tail: [] })
    else if (adapter !== undefined) adapter.tail.push(...splitDecoded(parseSegment(raw).text))
    else segments.push(parseSegment(raw))
  }
  if (adapters.length > maxAdapters) throw tooManyAdapters({ maxAdapters })
  return { segments, adapters }
}

/** Splits a path in which nothing but its segments means anything: file names may look like adapters, or like nothing at all. */
export function parsePlainPath(rawPath: string): ParsedPath {
  const texts = rawPath.split('/').filter((raw) => raw !== '')
  return { segments: texts.map((raw) => ({ text: decodeIfPossible(raw), matrix: [] })), adapters: [] }
}

export function decodeIfPossible(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

function parseSegment(raw: string): Segment {
  if (!raw.includes(';')) return { text: decodeSegment(raw), matrix: noMatrix }
  const [text = '', ...parameters] = raw.split(';')
  const matrix = parameters.map((parameter) => {
    const equals = parameter.indexOf('=')
    if (equals < 0) return [decodeSegment(parameter), ''] as const
    return [decodeSegment(parameter.slice(0, equals)), decodeSegment(parameter.slice(equals + 1))] as const
  })
  return { text: decodeSegment(text), matrix }
}

const noMatrix: Segment['matrix'] = []

function splitDecoded(text: string): string[] {
  return text.split('/').filter((part) => part !== '')
}

/** @throws undecodablePath */
export function decodeSegment(raw: string): string {
  if (!raw.includes('%')) return raw
  try {
    return raw.split(halfCharacter).map(decodePiece).join('')
  } catch (cause) {
    throw undecodablePath({ segment: raw }, { cause })
  }
}

/**
 * Half a surrogate pair, as programs encode it whose texts may have such halves. It is in no name, so that nothing is found there,
 * but it is no mistake in the encoding.
 */
const halfCharacter = /(%ED%[AB][0-9A-F]%[89AB][0-9A-F])/i

function decodePiece(piece: string, index: number): string {
  if (index % 2 === 0) return decodeURIComponent(piece)
  const [, second = 0, third = 0] = piece
    .slice(1)
    .split('%')
    .map((byte) => Number.parseInt(byte, 16))
  return String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f))
}
