import { defineProblem } from '../base/problem.ts'
import { sanitisedText } from './properties/value-bounds.ts'

export const maxSegmentLength = 255
/** The longest path in UTF-8 bytes: an index entry of PostgreSQL holds no more than about 2,700. */
export const maxPathBytes = 2_000

export const invalidName = defineProblem(
  'invalidName',
  'invalid',
  (of: { name: string; reason: string }) => `Invalid name '${of.name}': ${of.reason}`,
)

// Far more than a name keeps, even where most of it cannot be seen; a title may be as long as a book.
const maxRead = 10_000

const onlyPunctuation = /^[-\s.,;?!:/\\'"]*$/

/**
 * The path segment made from a name or title: trimmed, cut, without slashes; undefined when nothing nameable remains
 * (the caller then takes a random number).
 */
export function pathSegment(text: string, maxLength: number): string | undefined {
  const clean = sanitisedText(text.trimStart().slice(0, maxRead)).normalize('NFC').trim()
  // Cut by code points: half a surrogate pair is no character and no store keeps it.
  const cut = clean.length <= maxLength ? clean : Array.from(clean).slice(0, maxLength).join('')
  const segment = cutTo(cut, maxSegmentLength).trim().replace(/[/\\]/g, '-')
  return onlyPunctuation.test(segment) ? undefined : segment
}

/** A name that was given and is kept as it is, composed; empty when there is nothing in it that can be seen. */
export function requireName(name: string): string {
  if (name.length > maxRead)
    throw invalidName({ name: `${name.slice(0, 50)}…`, reason: `a name has at most ${maxSegmentLength} characters` })
  const normal = sanitisedText(name).normalize('NFC')
  if (normal.includes('/')) throw invalidName({ name, reason: 'a name cannot contain a slash' })
  if (normal === '.' || normal === '..') throw invalidName({ name, reason: 'in a path it means another place' })
  if (normal.length > maxSegmentLength) throw invalidName({ name, reason: `a name has at most ${maxSegmentLength} characters` })
  return normal.trim() === '' ? '' : normal
}

export function joinPath(parentPath: string, name: string): string {
  const path = parentPath === '/' ? `/${name}` : `${parentPath}/${name}`
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw invalidName({ name, reason: `the path would be longer than ${maxPathBytes} bytes` })
  }
  return path
}

/** The name when another child has it already: the time in milliseconds behind a dot. */
export function nameAfterCollision(name: string, millis: number): string {
  const suffix = `.${millis}`
  return `${cutTo(name, maxSegmentLength - suffix.length)}${suffix}`
}

/** The same for a copy, whose name may come from such a collision itself: a number behind a last dot makes way. */
export function copyNameAfterCollision(name: string, millis: number): string {
  return nameAfterCollision(name.replace(/(?<=.)\.\d+$/, ''), millis)
}

/** The start of the text, no longer than so many UTF-16 units and without half a character at its end. */
function cutTo(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
