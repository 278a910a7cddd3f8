import { setImmediate } from 'node:timers/promises'
import { readableText } from '../../base/html/html-text.ts'
import { everyStoredBlob } from '../../core/blobs/document-blobs.ts'
import { markedFragments } from '../../core/search/marked-text.ts'
import type { Document } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { leafWalk } from '../../model/properties/value-bounds.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { mayTake } from '../../rest/download/download-rule.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher, type RenderContext } from '../../rest/render/rendering.ts'
import { textSourceOf } from '../../store/file-texts.ts'

/** The words of a search where they stand in the document; outside of one there are none. */
export const highlightEnricher = defineEnricher({
  name: 'highlight',
  entityType: 'document',
  adds: { highlight: Type.Array(Type.Object({ field: Type.String(), segments: Type.Array(Type.String()) })) },
  async enrich({ document, context }) {
    const { fields = [], terms = [] } = context.highlighting ?? {}
    const highlight = []
    for (const field of terms.length === 0 ? [] : fields) {
      const texts = await listTexts(context, document, field)
      // Other requests run in between: the files of a page of documents may hold millions of words.
      await setImmediate()
      const segments = texts.flatMap((text) => markedFragments(text, terms))
      if (segments.length > 0) highlight.push({ field, segments })
    }
    return { highlight }
  },
})

const fileTexts = 'ecm:binarytext'

/** Of a property, also under the name of its full-text index, or of all files of the document that the caller may have. */
async function listTexts(context: RenderContext, document: Document, field: string): Promise<readonly string[]> {
  if (field === fileTexts) return listFileTexts(context, document)
  const property = context.session.model.findProperty(field.replace(/\.fulltext$/, ''))
  return property === undefined ? [] : stringsIn(property, document).map(readableText)
}

/** A sentence of a file is a piece of it: of what only lists show, or a download rule keeps, there is none. */
async function listFileTexts({ session, services }: RenderContext, document: Document): Promise<readonly string[]> {
  const taken: BlobValue[] = []
  for (const found of everyStoredBlob(session, document)) {
    if (await mayTake(services.downloads.rules, session, { ...found, document, reason: 'download' })) taken.push(found.blob)
  }
  return session.reader.fileTexts.list(taken.map(textSourceOf))
}

function stringsIn({ name, field }: PropertyDefinition, { properties }: Document): readonly string[] {
  const strings: string[] = []
  const walk = leafWalk(field.type, ({ kind }) => kind === 'string')
  walk?.(properties[name] ?? null, (leaf) => {
    if (typeof leaf === 'string') strings.push(leaf)
  })
  return strings
}
