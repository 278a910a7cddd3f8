import { defineProblem } from '../../base/problem.ts'
import type { FieldType } from '../field.ts'
import type { Model } from '../model.ts'
import type { PropertyDefinition } from '../shape.ts'
import { isBlobValue, isComplexValue, type Properties, type PropertyValue } from './property.ts'
import { findRemoved } from './removed-property.ts'

/** A place inside a document's properties: `dc:title`, `files:files/0/file/name`. */
export interface Xpath {
  readonly property: PropertyDefinition
  readonly steps: readonly (string | number)[]
  /** What is found there. */
  readonly type: FieldType
}

export const unknownProperty = defineProblem(
  'unknownProperty',
  'invalid',
  (of: { xpath: string }) => `Property not found: ${of.xpath}`,
)

export const itemBeyondList = defineProblem(
  'itemBeyondList',
  'invalid',
  (of: { xpath: string; size: number }) => `Cannot set ${of.xpath}: the list has ${of.size} item(s)`,
)

export const noSuchItem = defineProblem(
  'noSuchItem',
  'invalid',
  (of: { xpath: string; size: number }) => `There is no ${of.xpath}: the list has ${of.size} item(s)`,
)

export const fixedInFile = defineProblem(
  'fixedInFile',
  'invalid',
  (of: { xpath: string; reason: string }) => `Cannot set ${of.xpath}: ${of.reason}`,
)

// Enough for clients that fill a list out of order; without a limit, one index could ask for a billion nulls.
const maxGap = 1_000

const blobMembers = ['name', 'mime-type', 'encoding', 'digest', 'digestAlgorithm', 'length', 'data']
/** What a file is called; the others are what it is. */
const changeableBlobMembers: readonly (string | number)[] = ['name', 'mime-type', 'encoding']

/** @throws unknownProperty when the model has no such place. A removed property is found where it lives now. */
export function parseXpath(model: Model, text: string): Xpath {
  const found = findPlace(model, text) ?? findMoved(model, text)
  if (found === undefined) throw unknownProperty({ xpath: text })
  return found
}

export function formatXpath({ property, steps }: Xpath): string {
  return [property.name, ...steps].join('/')
}

function findMoved(model: Model, text: string): Xpath | undefined {
  const removed = findRemoved(model, text)
  return removed?.kind === 'moved' ? findPlace(model, removed.xpath) : undefined
}

function findPlace(model: Model, text: string): Xpath | undefined {
  const [head = '', ...rest] = text.split('/')
  const property = model.findProperty(head)
  if (property === undefined) return undefined
  let type = property.field.type
  const steps: (string | number)[] = []
  for (const step of rest) {
    const next = stepInto(type, step)
    if (next === undefined) return undefined
    steps.push(next.step)
    type = next.type
  }
  return { property, steps, type }
}

function stepInto(type: FieldType, step: string): { type: FieldType; step: string | number } | undefined {
  if (type.kind === 'list') {
    // `files:files/item[0]` is an old spelling of `files:files/0`; whatever the item is called, the index counts.
    const index = /^(\d+)$|^[^[\]]+\[(\d+)\]$/.exec(step)
    return index === null ? undefined : { type: type.item.type, step: Number(index[1] ?? index[2]) }
  }
  if (type.kind === 'complex') {
    const field = type.fields.find((one) => one.name === step)
    return field === undefined ? undefined : { type: field.type, step }
  }
  if (type.kind === 'blob' && blobMembers.includes(step)) {
    return { type: { kind: step === 'length' ? 'long' : 'string', constraints: [] }, step }
  }
  return undefined
}

export function valueAt(properties: Properties, xpath: Xpath): PropertyValue {
  let value: PropertyValue = properties[xpath.property.name] ?? xpath.property.field.defaultValue
  for (const step of xpath.steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? (value[step] ?? null) : null
    else value = isComplexValue(value) ? (value[step] ?? null) : null
  }
  return value
}

/**
 * The properties with one place changed; a list grows with nulls up to an index beyond its end.
 * @throws itemBeyondList when that is absurdly far.
 */
export function withValueAt(properties: Properties, xpath: Xpath, value: PropertyValue): Properties {
  const { name, field } = xpath.property
  const changed = (current: PropertyValue, [step, ...rest]: readonly (string | number)[]): PropertyValue => {
    if (step === undefined) return value
    if (typeof step === 'number') {
      const list = grown(current, step, xpath)
      return list.with(step, changed(list[step] ?? null, rest))
    }
    const members = isComplexValue(current) ? current : {}
    return { ...members, [step]: changed(members[step] ?? null, rest) }
  }
  return { ...properties, [name]: changed(properties[name] ?? field.defaultValue, xpath.steps) }
}

function grown(current: PropertyValue, index: number, xpath: Xpath): readonly PropertyValue[] {
  const list: readonly PropertyValue[] = Array.isArray(current) ? current : []
  if (index < list.length) return list
  if (index - list.length > maxGap) throw itemBeyondList({ xpath: formatXpath(xpath), size: list.length })
  return [...list, ...new Array<PropertyValue>(index + 1 - list.length).fill(null)]
}

/** A part of a file can be changed when there is a file and the part says only what it is called. @throws fixedInFile */
export function requireChangeable(properties: Properties, xpath: Xpath): void {
  const { property, steps } = xpath
  const member = steps.at(-1)
  const parent = steps.slice(0, -1)
  const type = parent.reduce<FieldType | undefined>(
    (outer, step) => outer && stepInto(outer, String(step))?.type,
    property.field.type,
  )
  if (member === undefined || type?.kind !== 'blob') return
  if (!changeableBlobMembers.includes(member)) {
    throw fixedInFile({ xpath: formatXpath(xpath), reason: 'it comes from the bytes of the file. Set the file itself.' })
  }
  if (isBlobValue(valueAt(properties, { property, steps: parent, type }))) return
  throw fixedInFile({ xpath: formatXpath(xpath), reason: 'there is no file. Set the file itself.' })
}

/** The properties with nothing at one place: an item of a list is taken out of it. @throws noSuchItem */
export function withoutValueAt(properties: Properties, xpath: Xpath): Properties {
  const index = xpath.steps.at(-1)
  if (typeof index !== 'number') return withValueAt(properties, xpath, xpath.type.kind === 'list' ? [] : null)
  const list = { ...xpath, steps: xpath.steps.slice(0, -1) }
  const items = valueAt(properties, list)
  const size = Array.isArray(items) ? items.length : 0
  if (!Array.isArray(items) || index < 0 || index >= size) throw noSuchItem({ xpath: formatXpath(xpath), size })
  return withValueAt(properties, list, items.toSpliced(index, 1))
}
