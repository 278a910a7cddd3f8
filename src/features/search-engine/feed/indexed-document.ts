import type { Document } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { shownProperty } from '../../../model/properties/shown-property.ts'
import type { FulltextEntry } from '../../../nxql/document-indexing.ts'
import { lowerCase } from '../../../nxql/letter-case.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { fieldsOf, type IndexedField, type IndexedSystemName } from '../query/indexed-fields.ts'

type EngineValue = string | number | boolean

/**
 * What the engine is told of a document. @param seq the number that tells the order of creation
 * @param shown what a proxy points to; of any other document, itself
 */
export function indexedDocument(model: Model, document: Document, seq: number, words: FulltextEntry, shown = document): object {
  const system = systemValues(document, shown)
  const values: Record<string, EngineValue | readonly EngineValue[]> = {}
  const lowered: Record<string, string> = {}
  const present: string[] = []
  for (const field of fieldsOf(model).values()) {
    const stored = valueIn(document, system, field.name)
    const value = field.isList ? itemsOf(field, stored) : storedValue(field, stored)
    // A list of nothing but null is there all the same, and none of its items passes anything.
    if (value !== undefined || (field.isList && Array.isArray(stored) && stored.length > 0)) present.push(field.name)
    if (value === undefined) continue
    values[field.name] = value
    if (field.type === 'string' && typeof stored === 'string') lowered[field.name] = cut(lowerCase(stored), field.keptCharacters)
  }
  return {
    seq,
    acp: document.acpId,
    facets: document.facets,
    present,
    ancestors: ancestorsOf(document.path),
    segments: segmentsOf(document.path),
    ...(document.seriesId !== null && { series: document.seriesId }),
    p: values,
    l: lowered,
    f: words,
  }
}

/** As columns of the database say it (system-columns.ts). */
function systemValues(
  document: Document,
  { isRecord, hasLegalHold, retainUntil, lock }: Document,
): Readonly<Record<IndexedSystemName, string | boolean | null>> {
  const { isVersion, isProxy, targetId, seriesId } = document
  const isOfVersion = isVersion || (isProxy && targetId !== seriesId)
  return {
    'ecm:uuid': document.id,
    'ecm:name': document.name,
    'ecm:path': document.path,
    'ecm:parentId': document.parentId,
    'ecm:primaryType': document.type,
    'ecm:currentLifeCycleState': document.state,
    'ecm:isTrashed': document.isTrashed,
    'ecm:isProxy': isProxy,
    'ecm:isVersion': isVersion,
    'ecm:isCheckedIn': document.isCheckedIn && !isVersion && !isProxy,
    'ecm:isLatestVersion': document.isLatestVersion,
    'ecm:isLatestMajorVersion': document.isLatestMajorVersion,
    'ecm:isRecord': isRecord,
    'ecm:hasLegalHold': hasLegalHold,
    'ecm:retainUntil': retainUntil,
    'ecm:versionLabel': isOfVersion ? `${document.majorVersion}.${document.minorVersion}` : null,
    'ecm:versionCreated': document.versionCreated,
    'ecm:versionVersionableId': isOfVersion ? seriesId : null,
    'ecm:proxyTargetId': targetId,
    'ecm:proxyVersionableId': isProxy ? seriesId : null,
    'ecm:lockOwner': lock?.owner ?? null,
    'ecm:lockCreated': lock?.created ?? null,
  }
}

function valueIn(document: Document, system: Readonly<Record<string, string | boolean | null>>, name: string): PropertyValue {
  if (Object.hasOwn(system, name)) return system[name] ?? null
  return shownProperty(document, name) ?? null
}

/** Undefined where there is none of the type. */
function storedValue({ type, keptCharacters }: IndexedField, value: PropertyValue): EngineValue | undefined {
  if (typeof value === 'bigint') return isNumeric(type) ? Number(value) : undefined
  if (typeof value === 'number') return isNumeric(type) ? value : undefined
  if (typeof value === 'boolean') return type === 'boolean' ? value : undefined
  if (typeof value !== 'string' || (type !== 'string' && type !== 'date')) return undefined
  return cut(value, keptCharacters)
}

function isNumeric(type: ValueType): boolean {
  return type === 'long' || type === 'double'
}

function itemsOf(field: IndexedField, value: PropertyValue): readonly EngineValue[] | undefined {
  const items = Array.isArray(value) ? value.flatMap((item) => storedValue(field, item) ?? []) : []
  return items.length === 0 ? undefined : items
}

/** The first so many code points. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  return [...text.slice(0, characters * 2)].slice(0, characters).join('')
}

/** Of `/a/b/c`: `/`, `/a` and `/a/b`. The root is below nothing, and neither is what has no place. */
function ancestorsOf(path: string | null): readonly string[] {
  if (path === null || path === '/') return []
  const ancestors = ['/']
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) ancestors.push(path.slice(0, end))
  return ancestors
}

function segmentsOf(path: string | null): readonly string[] {
  if (path === null || path === '/') return []
  return path
    .slice(1)
    .split('/')
    .map((name, index) => segmentKey(index + 1, name))
}

/** By which the engine finds what has the name at the depth. */
export function segmentKey(depth: number, name: string): string {
  return `${depth}/${name}`
}
