import type { BlobInspector } from '../../core/blobs/blob-inspector.ts'
import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { leafWalk } from '../../model/properties/leaves.ts'
import type { Shape } from '../../model/shape.ts'
import { detectType } from './detected-type.ts'
import { saysNothing } from './mime-type.ts'
import { repairedBlob, repairedProperties } from './repaired-type.ts'

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

/** Gives the files that a document is created or saved with the types they are stored under, whoever put them there. */
export const repairTypes: InlineListener = {
  name: 'mimeTypes',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  // Before the icon, which is that of the type.
  order: 110,
  handle({ document, properties }, session) {
    const names = blobProperties(session.model.shapeOf(document))
    if (names.length === 0) return undefined
    const previous = properties['previousDocumentModel'] as Document | undefined
    const repaired = repairedProperties(names, previous?.properties ?? {}, document.properties)
    return repaired === document.properties ? undefined : { ...document, properties: repaired }
  },
}

const namesByShape = new WeakMap<Shape, readonly string[]>()

function blobProperties(shape: Shape): readonly string[] {
  const known = namesByShape.get(shape)
  if (known !== undefined) return known
  const hasBlobs = [...shape.properties.values()].filter(({ field }) => leafWalk(field.type, ({ kind }) => kind === 'blob'))
  const names = hasBlobs.map(({ name }) => name)
  namesByShape.set(shape, names)
  return names
}
