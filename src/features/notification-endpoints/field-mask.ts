import type { Json } from '../../base/json.ts'
import { invalid, refuse } from './compute-problems.ts'
import type { FieldTypes } from './field-types.ts'
import { camelOf, isJsonObject, type JsonFields } from './spelling.ts'

/** Which fields of an answer are wanted, and of those that hold others which of these; true for all of them. */
type FieldMask = ReadonlyMap<string, FieldMask | true>

/** What an answer may hold, by name; of lists what each of their entries holds. */
export interface KnownFields {
  readonly [name: string]: KnownFields | true
}

/** Of every list. */
export const listFields: KnownFields = {
  kind: true,
  id: true,
  items: true,
  nextPageToken: true,
  selfLink: true,
  unreachables: true,
}

export function knownOfList(fields: FieldTypes): KnownFields {
  return { ...listFields, items: knownOf(fields) }
}

/** The fields of an entity, and of those that hold others what is right below. */
export function knownOf(fields: FieldTypes): KnownFields {
  const names = Object.keys(fields)
  const below = (name: string) =>
    Object.fromEntries(names.flatMap((path) => (path.startsWith(`${name}.`) ? [[path.split('.')[1] ?? '', true] as const] : [])))
  return Object.fromEntries(
    names.flatMap((name) => (name.includes('.') ? [] : [[name, fields[name] === 'fields' ? below(name) : true] as const])),
  )
}

const longestMask = 2_048

/**
 * The part of an answer that the parameter `fields` asks for: `items(name,id),nextPageToken`. The names of one level may stand behind
 * the one that holds them. @throws faultyRequest
 */
export function maskFields(answer: JsonFields, mask: string | undefined, known: KnownFields): JsonFields {
  if (mask === undefined || mask.trim() === '' || mask.trim() === '*') return answer
  const wanted = parseMask(mask)
  requireKnown(wanted, known)
  return pick(answer, wanted)
}

function parseMask(text: string): FieldMask {
  const shape = /^\s*([A-Za-z_]\w*)\s*(?:\/\s*([A-Za-z_]\w*)\s*|\(([\w\s,*]*)\)\s*)?(?:,|$)/
  const mask = new Map<string, FieldMask | true>()
  for (let rest = text.slice(0, longestMask + 1); rest.trim() !== ''; ) {
    const [whole, name, only, several] = shape.exec(rest) ?? []
    if (whole === undefined || name === undefined || text.length > longestMask) return refuseMask(rest)
    rest = rest.slice(whole.length)
    const inner = only ?? several
    mask.set(camelOf(name), inner === undefined || inner.trim() === '*' ? true : parseNames(inner))
  }
  return mask
}

function parseNames(text: string): FieldMask {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => !/^[A-Za-z_]\w*$/.test(name))) return refuseMask(text)
  return new Map(names.map((name) => [camelOf(name), true]))
}

function requireKnown(mask: FieldMask, known: KnownFields): void {
  for (const [name, inner] of mask) {
    // What every object has, such as a constructor, is no field.
    const below = Object.hasOwn(known, name) ? known[name] : undefined
    if (below === undefined) refuseMask(name)
    if (inner !== true) requireKnown(inner, below === true ? {} : below)
  }
}

function pick(value: JsonFields, mask: FieldMask): JsonFields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const inner = mask.get(name)
      return inner === undefined ? [] : [[name, inner === true ? one : pickWithin(one, inner)]]
    }),
  )
}

function pickWithin(value: Json, mask: FieldMask): Json {
  if (Array.isArray(value)) return value.map((one: Json) => pickWithin(one, mask))
  return isJsonObject(value) ? pick(value, mask) : value
}

function refuseMask(part: string): never {
  return refuse(invalid(`Invalid field selection ${part.trim().slice(0, 100)}`, 'fields'))
}
