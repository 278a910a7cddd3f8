import type { Json } from '../../base/json.ts'
import type { CallBudget } from '../budget.ts'
import type { Value } from '../values/value.ts'

// About what an item of a list takes beside what is in it.
const bytesOfItem = 16
// Walking a value needs some of the stack for each level.
const deepest = 100

/**
 * The bytes of a value with all that is in it, counted as often as it is in it: that is what writing it or comparing it comes to.
 * @throws RangeError when it is larger than a value may be, as soon as that is known
 */
export function weigh(budget: CallBudget, value: Value): number {
  return weighed(budget, value, 0).bytes
}

/** The same without what is in it. */
export function ownWeight(value: Value): number {
  switch (value.kind) {
    case 'string':
      return bytesOfItem + value.text.length
    case 'list':
      return bytesOfItem * (1 + value.items.length)
    case 'documents':
      return bytesOfItem * (1 + value.documents.length)
    case 'blobs':
      return bytesOfItem * (1 + value.blobs.length)
    case 'users':
      return bytesOfItem * (1 + value.names.length)
    case 'map':
      return bytesOfItem * (1 + Object.keys(value.members).length)
    default:
      return bytesOfItem
  }
}

/** What going through it takes, as bytes of a list: those of a text are looked at many at a time, one thing is looked at at once. */
export function costOf(budget: CallBudget, value: Value): number {
  return value.kind === 'string' ? bytesOfItem + value.text.length / bytesOfItem : weigh(budget, value)
}

/** @throws RangeError */
export function requireItems(budget: CallBudget, count: number): void {
  const max = maxItems(budget)
  if (count > max) throw new RangeError(`a list cannot have more than ${max} items`)
}

/** How many items a list may have that an expression makes. */
export function maxItems({ limits }: CallBudget): number {
  return Math.floor(limits.valueBytes / bytesOfItem)
}

/** What is known of a value: its bytes, and how deep it is nested. */
interface Weight {
  readonly bytes: number
  readonly height: number
}

function weighed(budget: CallBudget, value: Value, depth: number): Weight {
  switch (value.kind) {
    case 'list':
    case 'map':
    case 'entity':
      return remembered(budget, value, depth)
    default:
      return { bytes: requireLight(budget, ownWeight(value)), height: 0 }
  }
}

type Container = Extract<Value, { kind: 'list' | 'map' | 'entity' }>

/** What is in a value never changes, and may be in it many times. */
function remembered(budget: CallBudget, value: Container, depth: number): Weight {
  const weight = budget.weights.get(value) ?? weighContents(budget, value, depth)
  requireShallow(depth + weight.height)
  budget.weights.set(value, weight)
  return weight
}

function weighContents(budget: CallBudget, value: Container, depth: number): Weight {
  requireShallow(depth)
  let bytes = requireLight(budget, ownWeight(value))
  let height = 1
  const add = (more: number, inner: number) => {
    bytes = requireLight(budget, bytes + more)
    height = Math.max(height, inner + 1)
  }
  const addValue = (name: string, inner: Value) => {
    const weight = weighed(budget, inner, depth + 1)
    add(name.length + weight.bytes, weight.height)
  }
  if (value.kind === 'entity') addJson(value.json, add, depth)
  else if (value.kind === 'list') for (const item of value.items) addValue('', item)
  else for (const [name, member] of Object.entries(value.members)) addValue(name, member)
  return { bytes, height }
}

function addJson(json: Json, add: (bytes: number, height: number) => void, depth: number): void {
  requireShallow(depth)
  if (typeof json === 'string') add(json.length, depth)
  else if (typeof json === 'object' && json !== null) {
    for (const [name, member] of Object.entries(json)) {
      add(bytesOfItem + name.length, depth)
      addJson(member, add, depth + 1)
    }
  }
}

function requireShallow(depth: number): void {
  if (depth > deepest) throw new RangeError(`a value cannot be nested more than ${deepest} deep`)
}

/** @throws RangeError */
export function requireLight({ limits }: CallBudget, weight: number): number {
  if (weight > limits.valueBytes) throw new RangeError(`a value cannot be larger than ${limits.valueBytes} bytes`)
  return weight
}
