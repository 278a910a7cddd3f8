import { setImmediate } from 'node:timers/promises'
import { readableText } from '../../base/html-text.ts'
import { mayRead } from '../../core/documents/read-document.ts'
import { markedFragments } from '../../core/search/marked-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { type BlobValue, isBlobValue, type PropertyValue } from '../../model/properties/property.ts'
import { leafWalk } from '../../model/properties/value-bounds.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { textSourceOf } from '../../store/file-texts.ts'

/** The words of a search where they stand in the document; outside of one there are none. */
export const highlightEnricher = defineEnricher({
  name: 'highlight',
  entityType: 'document',
  adds: { highlight: Type.Array(Type.Object({ field: Type.String(), segments: Type.Array(Type.String()) })) },
  async enrich({ document, context: { session, highlighting } }) {
    const { fields = [], terms = [] } = highlighting ?? {}
    const highlight = []
    for (const field of terms.length === 0 ? [] : fields) {
      const texts = await listTexts(session, document, field)
      // Other requests run in between: the files of a page of documents may hold millions of words.
      await setImmediate()
      const segments = texts.flatMap((text) => markedFragments(text, terms))
      if (segments.length > 0) highlight.push({ field, segments })
    }
    return { highlight }
  },
})

const fileTexts = 'ecm:binarytext'

/** Of a property, also under the name of its full-text index, or of all files of the document, of which lists show nothing. */
async function listTexts(session: Session, document: Document, field: string): Promise<readonly string[]> {
  if (field === fileTexts) return (await mayRead(session, document)) ? listFileTexts(session, document) : []
  const property = session.model.findProperty(field.replace(/\.fulltext$/, ''))
  return property === undefined ? [] : leavesOf(property, document, 'string').filter(isText).map(readableText)
}

function listFileTexts({ model, reader }: Session, document: Document): Promise<readonly string[]> {
  return reader.fileTexts.list(listFiles(model, document).map(textSourceOf))
}

function listFiles(model: Model, document: Document): readonly BlobValue[] {
  const properties = [...model.shapeOf(document).properties.values()]
  return properties.flatMap((property) => leavesOf(property, document, 'blob').filter(isBlobValue))
}

function leavesOf({ name, field }: PropertyDefinition, { properties }: Document, wanted: 'string' | 'blob'): PropertyValue[] {
  const leaves: PropertyValue[] = []
  const walk = leafWalk(field.type, ({ kind }) => kind === wanted)
  walk?.(properties[name] ?? null, (leaf) => leaves.push(leaf))
  return leaves
}

function isText(value: PropertyValue): value is string {
  return typeof value === 'string'
}
