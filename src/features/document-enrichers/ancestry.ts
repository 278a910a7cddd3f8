import { findAccessibleAncestor, findPlaced, listReadableAncestors } from '../../core/documents/ancestors.ts'
import { documentSchema, writeDocument } from '../../rest/render/document-entity.ts'
import { documentListSchema, writeDocuments } from '../../rest/render/documents-entity.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

/** The way down to the document from the highest ancestor that the caller can reach, the document included. */
export const breadcrumbEnricher = defineEnricher({
  name: 'breadcrumb',
  entityType: 'document',
  adds: { breadcrumb: documentListSchema },
  async enrich({ document, isStored, context }) {
    if (!isStored) return {}
    const { session } = context
    const ancestors = await listReadableAncestors(session, await findPlaced(session, document))
    const way = document.path === '/' ? [] : [...ancestors, document]
    return { breadcrumb: await writeDocuments(context.nested(), way) }
  },
})

/** Where to go when the document is removed. */
export const firstAccessibleAncestorEnricher = defineEnricher({
  name: 'firstAccessibleAncestor',
  entityType: 'document',
  adds: { firstAccessibleAncestor: documentSchema },
  async enrich({ document, isStored, context }) {
    const { session } = context
    const ancestor = isStored ? await findAccessibleAncestor(session, await findPlaced(session, document)) : undefined
    return ancestor === undefined ? {} : { firstAccessibleAncestor: await writeDocument(context.nested(), ancestor) }
  },
})
