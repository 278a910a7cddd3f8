import { Buffer } from 'node:buffer'
import { parseIsoDate } from '../../../base/iso-date.ts'
import { isJsonObject, type Json, type JsonBounds, parseSentJson } from '../../../base/json.ts'
import { Problem } from '../../../base/problem.ts'
import { archiveDamaged } from './archive-problems.ts'

type JsonObject = { readonly [name: string]: Json }

/** What a line of an archive says, field by field. Each refuses what is of another kind, and tells which line it was. */
export interface LineFields {
  text(name: string): string
  findText(name: string): string | null
  /** False when absent. */
  flag(name: string): boolean
  findInteger(name: string): number | null
  findDate(name: string): string | null
  texts(name: string): readonly string[]
  object(name: string): JsonObject
  /** Undefined when absent. */
  findFields(name: string): LineFields | undefined
  names(): readonly string[]
  objects(name: string): readonly LineFields[]
  refuse(reason: string): Problem
}

/** As much as a document may hold, and all members of a large group. */
const bounds: JsonBounds = { maxValues: 2_000_000, maxMembers: 100_000, maxDepth: 200 }

/** Behind an even number of backslashes: no database of ours keeps it, and one of them refuses it late. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/

/** @throws archiveDamaged */
export function readFields(text: string, place: string): LineFields {
  const refuse = (reason: string, cause?: unknown) => archiveDamaged({ place, reason }, { cause })
  if (escapedNul.test(text)) throw refuse('a text has the character U+0000')
  let json: Json
  try {
    json = parseSentJson(Buffer.from(text), bounds, text)
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('it is no JSON', error)
    if (error instanceof Problem) throw refuse(error.message, error)
    throw error
  }
  if (!isJsonObject(json)) throw refuse('it is no object')
  return fieldsOf(json, (reason) => refuse(reason))
}

function fieldsOf(json: JsonObject, refuse: LineFields['refuse']): LineFields {
  const ofKind = <Value extends Json>(name: string, kind: string, is: (value: Json) => value is Value): Value | null => {
    const value = json[name] ?? null
    if (value !== null && !is(value)) throw refuse(`${name} is no ${kind}`)
    return value as Value | null
  }
  const needed = <Value>(name: string, value: Value | null): Value => {
    if (value === null) throw refuse(`${name} is missing`)
    return value
  }
  const findText = (name: string) =>
    ofKind(name, 'text', (value): value is string => typeof value === 'string' && value.isWellFormed())
  const listOf = (name: string) => ofKind(name, 'list', (value): value is readonly Json[] => Array.isArray(value)) ?? []
  return {
    refuse,
    findText,
    text: (name) => needed(name, findText(name)),
    flag: (name) => ofKind(name, 'flag', (value) => typeof value === 'boolean') ?? false,
    findInteger: (name) => ofKind(name, 'whole number', (value): value is number => Number.isSafeInteger(value)),
    findDate(name) {
      const text = findText(name)
      const date = text === null ? null : parseIsoDate(text)
      if (date === undefined) throw refuse(`${name} is no date`)
      return date
    },
    texts(name) {
      const list = listOf(name)
      if (!list.every((value) => typeof value === 'string')) throw refuse(`${name} is no list of texts`)
      return list
    },
    object: (name) => needed(name, ofKind(name, 'object', isJsonObject)),
    findFields(name) {
      const found = ofKind(name, 'object', isJsonObject)
      return found === null ? undefined : fieldsOf(found, refuse)
    },
    names: () => Object.keys(json),
    objects(name) {
      const list = listOf(name)
      if (!list.every(isJsonObject)) throw refuse(`${name} is no list of objects`)
      return list.map((one) => fieldsOf(one, refuse))
    },
  }
}
