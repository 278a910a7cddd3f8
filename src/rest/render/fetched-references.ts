import { memoised } from '../../base/cache/memo.ts'
import type { FieldType, Resolver } from '../../model/field.ts'
import { isComplexValue, type Properties, type PropertyValue } from '../../model/properties/property.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { writeReference } from './reference-entity.ts'
import type { RenderContext } from './rendering.ts'

/** The places a client wants fetched: `properties` for all, else the beginnings of xpaths, `*` for any index. */
export interface FetchWish {
  wants(xpath: string, generic: string): boolean
}

/** Undefined when nothing of the properties is to be fetched. */
export function parseFetchWish(fetch: readonly string[]): FetchWish | undefined {
  const starts = fetch.filter((value) => value !== 'versionLabel' && value !== 'lock')
  if (starts.length === 0) return undefined
  if (starts.includes('properties')) return { wants: () => true }
  return { wants: (xpath, generic) => starts.some((start) => xpath.startsWith(start) || generic.startsWith(start)) }
}

type Container = { [key: string | number]: unknown }

/** A stored reference and the place in the answer where the entity is to stand instead. */
interface Place {
  readonly resolver: Resolver
  readonly value: string
  readonly container: Container
  readonly key: string | number
}

/** Puts the entities in the place of the references, as far as they lead to something the caller may see. @throws answerTooLarge */
export async function fetchReferences(
  context: RenderContext,
  wish: FetchWish,
  referring: readonly PropertyDefinition[],
  stored: Properties,
  shown: Container,
): Promise<void> {
  const places = referring.flatMap(({ name, field }) =>
    listPlaces(field.type, stored[name] ?? field.defaultValue, { container: shown, key: name, xpath: name, generic: name }, wish),
  )
  await Promise.all(
    places.map(async ({ resolver, value, container, key }) => {
      const entity = await fetchOnce(context, resolver, value)
      if (entity === undefined) return
      // One that stands in a thousand places is written a thousand times.
      context.budget.spendEntity(entity)
      container[key] = entity
      const resting = context.budget.rest()
      if (resting !== undefined) await resting
    }),
  )
}

interface Position {
  readonly container: Container
  readonly key: string | number
  readonly xpath: string
  readonly generic: string
}

function listPlaces(type: FieldType, value: PropertyValue, at: Position, wish: FetchWish): Place[] {
  if (type.kind === 'list') return Array.isArray(value) ? listItemPlaces(type.item.type, value, at, wish) : []
  if (type.kind === 'complex') {
    if (!isComplexValue(value)) return []
    const container = at.container[at.key] as Container
    return type.fields.flatMap(({ name, type: member }) =>
      listPlaces(member, value[name] ?? null, step({ ...at, container }, name, name), wish),
    )
  }
  if (type.kind === 'blob' || type.resolver === undefined || typeof value !== 'string' || value === '') return []
  if (!wish.wants(at.xpath, at.generic)) return []
  return [{ resolver: type.resolver, value, container: at.container, key: at.key }]
}

function listItemPlaces(item: FieldType, values: readonly PropertyValue[], at: Position, wish: FetchWish): Place[] {
  // The answer may hold the stored array itself, which is not ours to change.
  const container = [...(at.container[at.key] as unknown[])] as unknown as Container
  at.container[at.key] = container
  return values.flatMap((value, index) => listPlaces(item, value, step({ ...at, container }, index, '*'), wish))
}

function step(at: Position, key: string | number, generic: string): Position {
  return { container: at.container, key, xpath: `${at.xpath}/${key}`, generic: `${at.generic}/${generic}` }
}

// Entries of one list mostly name the same few people; a context lives as long as the answer being written.
const fetchedIn = memoised((_: RenderContext) => new Map<string, Promise<object | undefined>>())

function fetchOnce(context: RenderContext, resolver: Resolver, value: string): Promise<object | undefined> {
  const fetched = fetchedIn(context)
  const key = `${JSON.stringify(resolver)} ${value}`
  const entity = fetched.get(key) ?? fetchReference(context, resolver, value)
  fetched.set(key, entity)
  return entity
}

/** What a value refers to, as the entity that stands in its place; undefined when it leads to nothing the caller may see. */
export async function fetchReference(context: RenderContext, resolver: Resolver, value: string): Promise<object | undefined> {
  const { session } = context
  const reference = await session.repository.references.find(session, resolver, value)
  return reference && writeReference(context.nested(), reference)
}
