import { memoised } from '../../base/cache/memo.ts'
import { anyBytes, findTypeOfName, normalised, saysNothing } from '../../base/mime-types/mime-type.ts'
import type { BlobInspector } from '../../core/blobs/blob-inspector.ts'
import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import {
  type BlobValue,
  isBlobValue,
  isComplexValue,
  type Properties,
  type PropertyValue,
  sameValue,
} from '../../model/properties/property.ts'
import { leafWalk } from '../../model/properties/value-bounds.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { detectType } from './detected-type.ts'

/**
 * Finds out what a file is of which neither its sender nor its name says so. That takes its bytes, and a transaction waits for
 * nothing but the database: so it is done when the file arrives, and the listener below has only the name to go by.
 */
export const inspectType: BlobInspector = {
  name: 'mimeTypes',
  async inspect(blob, blobs) {
    const { name, length, key, 'mime-type': type } = blob
    if (!saysNothing(type)) return repairedBlob(blob)
    return { ...blob, 'mime-type': await detectType({ name, length, read: (range) => blobs.read(key, range) }) }
  },
}

/** Gives the files that a document is created or saved with the types they are stored under, however they came there. */
export const repairTypes: InlineListener = {
  name: 'mimeTypes',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  // Before the icon, which is that of the type.
  order: 110,
  changes: mayHoldBlob,
  handle({ document, properties }, session) {
    const names = blobProperties(session.model.shapeOf(document))
    if (names.length === 0) return undefined
    const previous = properties['previousDocumentModel'] as Document | undefined
    const repaired = repairedProperties(names, previous?.properties ?? {}, document.properties)
    return repaired === document.properties ? undefined : { ...document, properties: repaired }
  },
}

const blobProperties = memoised((shape: Shape): readonly string[] =>
  [...shape.properties.values()].filter(mayHoldBlob).map(({ name }) => name),
)

function mayHoldBlob({ field }: PropertyDefinition): boolean {
  return leafWalk(field.type, ({ kind }) => kind === 'blob') !== undefined
}

/** The blob with a type that says as much as its name does, under the name that this type is stored under. */
export function repairedBlob(blob: BlobValue): BlobValue {
  const type = blob['mime-type']
  const repaired = saysNothing(type) ? (findTypeOfName(blob.name ?? '') ?? anyBytes) : normalised(type)
  return repaired === type ? blob : { ...blob, 'mime-type': repaired }
}

/** The properties with every blob repaired that was not there before; the very same when there was nothing to repair. */
export function repairedProperties(names: readonly string[], before: Properties, after: Properties): Properties {
  let repaired = after
  for (const name of names) {
    const value = after[name] ?? null
    const better = repairedValue(before[name] ?? null, value)
    if (better !== value) repaired = { ...repaired, [name]: better }
  }
  return repaired
}

function repairedValue(before: PropertyValue, after: PropertyValue): PropertyValue {
  if (after === null || sameValue(before, after)) return after
  if (isBlobValue(after)) return repairedBlob(after)
  if (Array.isArray(after)) return repairedItems(Array.isArray(before) ? before : [], after)
  return isComplexValue(after) ? repairedMembers(isComplexValue(before) ? before : {}, after) : after
}

function repairedItems(before: readonly PropertyValue[], after: readonly PropertyValue[]): readonly PropertyValue[] {
  const repaired = after.map((item, index) => repairedValue(before[index] ?? null, item))
  return repaired.every((item, index) => item === after[index]) ? after : repaired
}

function repairedMembers(before: Properties, after: Properties): PropertyValue {
  return repairedProperties(Object.keys(after), before, after)
}
