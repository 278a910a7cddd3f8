import { stringifyJson } from '../../base/json.ts'
import { findText } from '../values/convert-value.ts'
import { jsonOfValue } from '../values/read-sent-properties.ts'
import type { Value } from '../values/value.ts'

/** Something that expressions know by name and that is no value: it answers for what it lets them see and do, and for nothing else. */
export interface HostObject {
  readonly kind: 'host'
  /** In messages. */
  readonly name: string
  /** Undefined when it has no such member. */
  member(name: string): Reply
  item?(key: Value): Reply
  /** Undefined when it can do no such thing. */
  call?(name: string, given: readonly Operand[]): Reply
  /** What is left of it outside of expressions. */
  readonly value: Value
  /** As it stands in a text. */
  readonly text?: string
}

export type Operand = Value | HostObject
export type Reply = Operand | undefined | Promise<Operand | undefined>

export function text(written: string): Value {
  return { kind: 'string', text: written }
}

export function number(counted: number | bigint): Value {
  return { kind: 'number', number: counted }
}

export function boolean(isTrue: boolean): Value {
  return { kind: 'boolean', isTrue }
}

export function list(items: readonly Value[]): Value {
  return { kind: 'list', items }
}

export function plainValue(operand: Operand): Value {
  return operand.kind === 'host' ? operand.value : operand
}

/** As it stands in a text: nothing for nothing, the items of a list with commas between them. */
export function textOf(operand: Operand): string {
  if (operand.kind === 'host') return operand.text ?? textOf(operand.value)
  switch (operand.kind) {
    case 'nothing':
      return ''
    case 'documents':
      return operand.documents.map(({ id }) => id).join(',')
    case 'list':
      return operand.items.map(textOf).join(',')
    case 'blob':
      return operand.blob.blob.name ?? ''
    default:
      return findText(operand) ?? stringifyJson(jsonOfValue(operand) ?? null)
  }
}

/** Undefined for what is neither true nor false. */
export function findTruth(operand: Operand): boolean | undefined {
  const value = plainValue(operand)
  if (value.kind === 'nothing') return false
  if (value.kind === 'boolean') return value.isTrue
  if (value.kind !== 'string') return undefined
  const written = value.text.trim().toLowerCase()
  return written === 'true' || (written === 'false' || written === '' ? false : undefined)
}

export function isEmpty(operand: Operand): boolean {
  const value = plainValue(operand)
  switch (value.kind) {
    case 'nothing':
      return true
    case 'string':
      return value.text === ''
    case 'list':
      return value.items.length === 0
    case 'documents':
      return value.documents.length === 0
    case 'blobs':
      return value.blobs.length === 0
    case 'map':
      return Object.keys(value.members).length === 0
    default:
      return false
  }
}

/** The items of whatever is a list; undefined for what is none. */
export function findItems(value: Value): readonly Value[] | undefined {
  switch (value.kind) {
    case 'list':
      return value.items
    case 'documents':
      return value.documents.map((document) => ({ kind: 'document', document }))
    case 'blobs':
      return value.blobs.map((blob) => ({ kind: 'blob', blob }))
    case 'users':
      return value.names.map(text)
    default:
      return undefined
  }
}
