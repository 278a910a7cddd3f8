import type { CallBudget } from '../budget.ts'
import type { Value, ValueOf } from '../values/value.ts'
import { boolean, findItems, list, number, type Operand, plainValue, type Reply, text, textOf } from './operand.ts'
import { isEqual } from './operators.ts'
import { costOf, maxItems, requireItems, requireLight } from './weight.ts'

type Methods<Of> = { readonly [name: string]: (of: Of, given: readonly Operand[], budget: CallBudget) => Reply }

const nothingThere: Value = { kind: 'nothing' }

const ofTexts: Methods<string> = {
  length: (of) => number(of.length),
  isEmpty: (of) => boolean(of === ''),
  trim: (of) => text(of.trim()),
  toUpperCase: (of) => text(of.toUpperCase()),
  toLowerCase: (of) => text(of.toLowerCase()),
  contains: (of, [part]) => part && boolean(of.includes(textOf(part))),
  startsWith: (of, [part]) => part && boolean(of.startsWith(textOf(part))),
  endsWith: (of, [part]) => part && boolean(of.endsWith(textOf(part))),
  equals: (of, [other]) => other && boolean(of === textOf(other)),
  equalsIgnoreCase: (of, [other]) => other && boolean(of.toLowerCase() === textOf(other).toLowerCase()),
  indexOf: (of, [part]) => part && number(of.indexOf(textOf(part))),
  lastIndexOf: (of, [part]) => part && number(lastPlace(of, textOf(part))),
  substring: (of, [from, to]) => (isPlace(from) ? text(of.substring(Number(from.number), endOf(of, to))) : undefined),
  replace: (of, [part, by], budget) => part && by && replaced(budget, of, textOf(part), textOf(by)),
  split: (of, [at], budget) => at && list(splitAt(budget, of, textOf(at)).map(text)),
  toString: (of: string) => text(of),
}

function isPlace(operand: Operand | undefined): operand is ValueOf<'number'> {
  return operand?.kind === 'number'
}

function endOf(of: string, to: Operand | undefined): number {
  return isPlace(to) ? Number(to.number) : of.length
}

// JavaScript looks backwards at each place anew: 5,000 characters in two million took 12 s.
const maxComparisons = 20_000_000

function lastPlace(of: string, part: string): number {
  if (of.length * part.length > maxComparisons) throw new RangeError('these texts are too long to look for one in the other')
  return of.lastIndexOf(part)
}

function splitAt(budget: CallBudget, of: string, at: string): readonly string[] {
  const parts = of.split(at, maxItems(budget) + 1)
  requireItems(budget, parts.length)
  return parts
}

function replaced(budget: CallBudget, of: string, part: string, by: string): Value {
  const places = part === '' ? of.length + 1 : countOf(of, part)
  requireLight(budget, of.length + places * (by.length - part.length))
  return text(of.replaceAll(part, () => by))
}

function countOf(of: string, part: string): number {
  let count = 0
  for (let at = of.indexOf(part); at >= 0; at = of.indexOf(part, at + part.length)) count += 1
  return count
}

const ofLists: Methods<readonly Value[]> = {
  size: (of) => number(of.length),
  isEmpty: (of) => boolean(of.length === 0),
  contains: (of, [item], budget) => item && boolean(placeOf(budget, of, item) >= 0),
  indexOf: (of, [item], budget) => item && number(placeOf(budget, of, item)),
  get: (of, [index]) => (isPlace(index) ? (of[Number(index.number)] ?? nothingThere) : undefined),
  // Of the tasks of a node of a workflow, which are asked so.
  getNumberEndedWithStatus: (of, [status]) => status && number(of.filter((row) => isEndedWith(row, textOf(status))).length),
}

function isEndedWith(row: Value, status: string): boolean {
  if (row.kind !== 'map') return false
  const [ended, given] = [findMember(row.members, 'ended'), findMember(row.members, 'status')]
  return ended?.kind === 'boolean' && ended.isTrue && given?.kind === 'string' && given.text === status
}

/** The item may be gone through for each of the list. */
function placeOf(budget: CallBudget, of: readonly Value[], item: Operand): number {
  budget.look(of.length * costOf(budget, plainValue(item)))
  return of.findIndex((one) => isEqual(one, item))
}

type Members = ValueOf<'map'>['members']

const ofMaps: Methods<Members> = {
  size: (of) => number(Object.keys(of).length),
  isEmpty: (of) => boolean(Object.keys(of).length === 0),
  get: (of, [name]) => name && (findMember(of, textOf(name)) ?? nothingThere),
  containsKey: (of, [name]) => name && boolean(findMember(of, textOf(name)) !== undefined),
  keySet: (of) => list(Object.keys(of).map(text)),
  values: (of) => list(Object.values(of)),
}

/** What a plain value can be asked for with a call; undefined for what it cannot. */
export function callOnValue(budget: CallBudget, value: Value, name: string, given: readonly Operand[]): Reply {
  if (value.kind === 'string') return findMethod(ofTexts, name)?.(value.text, given, budget)
  if (value.kind === 'map') return findMethod(ofMaps, name)?.(value.members, given, budget)
  const items = findItems(value)
  if (items !== undefined) return findMethod(ofLists, name)?.(items, given, budget)
  return name === 'toString' ? text(textOf(value)) : undefined
}

function findMethod<Of>(methods: Methods<Of>, name: string) {
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** A member of a map or of a file; undefined where a value has no members. */
export function memberOfValue(value: Value, name: string): Value | undefined {
  if (value.kind === 'map') return findMember(value.members, name) ?? nothingThere
  if (value.kind === 'blob') return memberOfBlob(value, name)
  const items = findItems(value)
  return items !== undefined && name === 'size' ? number(items.length) : undefined
}

function memberOfBlob({ blob: { blob } }: ValueOf<'blob'>, name: string): Value | undefined {
  switch (name) {
    case 'filename':
    case 'name':
      return textOrNothing(blob.name)
    case 'mimeType':
      return textOrNothing(blob['mime-type'])
    case 'encoding':
      return textOrNothing(blob.encoding)
    case 'digest':
      return text(blob.digest)
    case 'length':
      return number(blob.length)
    default:
      return undefined
  }
}

function textOrNothing(written: string | null): Value {
  return written === null ? nothingThere : text(written)
}

/** `list[0]`, `map["name"]`; nothing beyond the end. Undefined for what has no items. */
export function itemOfValue(value: Value, key: Value): Value | undefined {
  if (value.kind === 'map') return findMember(value.members, textOf(key)) ?? nothingThere
  const items = findItems(value)
  return items !== undefined && isPlace(key) ? (items[Number(key.number)] ?? nothingThere) : undefined
}

function findMember(members: Members, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}
