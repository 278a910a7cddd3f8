import type { IsoDate } from '../../../src/base/iso-date.ts'
import type { Document } from '../../../src/model/document.ts'
import { isComplexValue, type PropertyValue } from '../../../src/model/properties/property.ts'
import { type Ace, aceStatus } from '../../../src/model/rights/acl.ts'
import type { PlacedFormula } from '../../../src/nxql/binding-placement.ts'
import { type Atom, type Formula, isJunction, type ValueAtom } from '../../../src/nxql/formula.ts'
import { compareScalars, isTrueAt, passes, type Scalar } from '../../../src/nxql/fulltext/passing.ts'
import type { Query, Selectable } from '../../../src/nxql/query.ts'
import type { Binding, BindingId, QueryReference, ReferenceStep } from '../../../src/nxql/reference.ts'
import { matchesFulltext, matchesHint } from './matching.ts'
import { systemValue } from './system-values.ts'

/** A document as a query sees it: with what is known about it elsewhere. */
export interface Candidate {
  /** Of a proxy: with the properties and facets of what it points to. */
  readonly document: Document
  /** What a proxy points to. */
  readonly target?: Document
  readonly ancestorIds: readonly string[]
  /** The normalised words of each full-text index, in their order. */
  readonly words: ReadonlyMap<string, readonly string[]>
}

/** Undefined is unknown. */
export type Truth = boolean | undefined

/** The item that each binding has chosen; null for that of an empty list. */
type Choice = ReadonlyMap<BindingId, Item | null>
type Item = PropertyValue | NamedAce

interface NamedAce {
  readonly acl: string
  readonly position: number
  readonly ace: Ace
}

/** Runs queries on documents at hand, just as the definition has it: all choices of items are tried for the whole condition. */
export function createEvaluator(query: Query, candidate: Candidate, now: IsoDate) {
  const { document } = candidate

  function* choices(bindings: readonly Binding[], chosen: Choice): Generator<Choice> {
    const [binding, ...rest] = bindings
    if (binding === undefined) return yield chosen
    const items = itemsOf(binding, chosen)
    for (const item of items.length === 0 ? [null] : items) yield* choices(rest, new Map([...chosen, [binding.id, item]]))
  }

  function itemsOf({ list }: Binding, chosen: Choice): readonly (Item | null)[] {
    if (list.kind === 'aces') return namedAces(document)
    const value = descend(document.properties[list.property.name] ?? list.property.field.defaultValue, list.steps, chosen)
    return Array.isArray(value) ? value : []
  }

  function valueFor(reference: QueryReference, chosen: Choice): PropertyValue {
    switch (reference.kind) {
      case 'system':
        return systemValue(reference.name, candidate)
      case 'ace':
        return aceValue(chosen.get(reference.binding) as NamedAce | null, reference.member, now)
      default: {
        const { property, steps } = reference
        return descend(document.properties[property.name] ?? property.field.defaultValue, steps, chosen)
      }
    }
  }

  function truthOfAtom(atom: Atom, chosen: Choice): Truth {
    switch (atom.kind) {
      case 'value':
        return truthOfValue(atom, valueFor(atom.reference, chosen), now)
      case 'comparison': {
        const left = valueFor(atom.left, chosen)
        const right = valueFor(atom.right, chosen)
        if (left === null || right === null) return undefined
        const order = compareScalars(left as Scalar, right as Scalar)
        const isTrue = atom.operator === '=' ? order === 0 : atom.operator === '<' ? order < 0 : order <= 0
        return isTrue !== atom.negated
      }
      case 'constant':
        return isTrueAt(atom, now)
      case 'path':
        return isAtPath(document.path, atom.relation, atom.path) !== atom.negated
      case 'segment':
        return atom.names.includes(document.path?.split('/')[atom.depth] || '/') !== atom.negated
      case 'ancestor':
        return candidate.ancestorIds.includes(atom.id) !== atom.negated
      case 'facet': {
        const has = atom.types.includes(document.type) || document.facets.some((facet) => atom.facets.includes(facet))
        return has !== atom.negated
      }
      case 'fulltext':
        return matchesFulltext(atom.query, candidate.words.get(atom.index) ?? []) !== atom.negated
      case 'hinted': {
        const texts = atom.references.flatMap((reference) => valueFor(reference, chosen))
        return texts.some((text) => typeof text === 'string' && matchesHint(atom.match, text)) !== atom.negated
      }
      default:
        return !atom.negated
    }
  }

  function truthOf(formula: Formula | PlacedFormula, chosen: Choice): Truth {
    if (formula.kind === 'not') return not(truthOf(formula.operand, chosen))
    if (formula.kind === 'exists') {
      const bindings = formula.bindings.flatMap((id) => query.bindings[id] ?? [])
      return any(choices(bindings, chosen), (choice) => truthOf(formula.formula, choice) === true)
    }
    if (!isJunction<Formula | PlacedFormula>(formula)) return truthOfAtom(formula, chosen)
    const truths = formula.operands.map((operand) => truthOf(operand, chosen))
    return formula.kind === 'and' ? not(or(truths.map(not))) : or(truths)
  }

  const isOfType = query.from.types.includes(document.type)

  return {
    matches: () => isOfType && any(choices(query.bindings, new Map()), (choice) => truthOf(query.where, choice) === true),
    matchesPlaced: (formula: PlacedFormula) => isOfType && truthOf(formula, new Map()) === true,
    /** The rows that the document adds to a record set, without regard to order and duplicates. */
    rows(): readonly (readonly PropertyValue[])[] {
      if (!isOfType || query.selection.kind !== 'columns') return []
      const { columns } = query.selection
      const needed = query.bindings.filter((binding) => binding.needsItem)
      return [...choices(query.bindings, new Map())]
        .filter((choice) => needed.every(({ id }) => choice.get(id) !== null) && truthOf(query.where, choice) === true)
        .map((choice) => columns.map(({ value }) => selected(value, choice)))
    },
  }

  function selected(value: Selectable, chosen: Choice): PropertyValue {
    return value.kind === 'score' ? 1 : valueFor(value, chosen)
  }
}

/** Of a list: whether some item passes; of a single value: unknown where there is none. */
function truthOfValue({ reference, test, negated }: ValueAtom, value: PropertyValue, now: IsoDate): Truth {
  if (reference.isList) {
    const items: readonly PropertyValue[] = Array.isArray(value) ? value : []
    if (test.kind === 'isNull') return (items.length === 0) !== negated
    return items.some((item) => item !== null && passes(test, item as Scalar, now)) !== negated
  }
  if (test.kind === 'isNull') return (value === null) !== negated
  return value === null ? undefined : passes(test, value as Scalar, now) !== negated
}

function descend(start: PropertyValue, steps: readonly ReferenceStep[], chosen: Choice): PropertyValue {
  let value = start
  for (const step of steps) {
    if (typeof step === 'object') value = (chosen.get(step.binding) ?? null) as PropertyValue
    else if (typeof step === 'number') value = Array.isArray(value) ? (value[step] ?? null) : null
    else value = isComplexValue(value) ? (value[step] ?? null) : null
  }
  return value
}

function namedAces({ acls }: Document): readonly NamedAce[] {
  return acls.flatMap((acl) => acl.aces.map((ace) => ({ acl: acl.name, ace }))).map((entry, position) => ({ ...entry, position }))
}

function aceValue(entry: NamedAce | null, member: string, now: IsoDate): PropertyValue {
  if (entry === null) return null
  const { acl, position, ace } = entry
  const isDated = ace.begin !== null || ace.end !== null
  const values: { readonly [member: string]: PropertyValue } = {
    principal: ace.username,
    permission: ace.permission,
    grant: ace.granted,
    name: acl,
    pos: position,
    creator: ace.creator,
    begin: ace.begin,
    end: ace.end,
    status: isDated ? ['pending', 'effective', 'archived'].indexOf(aceStatus(ace, now)) : null,
  }
  return values[member] ?? null
}

function isAtPath(own: string | null, relation: 'at' | 'below', path: string): boolean {
  if (own === null) return false
  if (relation === 'at') return own === path
  return own !== path && own.startsWith(path === '/' ? '/' : `${path}/`)
}

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth
}

export function or(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true
  return truths.includes(undefined) ? undefined : false
}

function any<Item>(items: Iterable<Item>, isWanted: (item: Item) => boolean): boolean {
  for (const item of items) if (isWanted(item)) return true
  return false
}
