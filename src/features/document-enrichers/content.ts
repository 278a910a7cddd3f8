import { everyReadableChild } from '../../core/documents/children.ts'
import { folderOrder, visibleTo } from '../../core/documents/visible-children.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { DocumentEntity } from '../../rest/render/document-entity.ts'
import { documentListSchema, writeEntries } from '../../rest/render/documents-entity.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

/** All direct children that the caller can read, hidden and trashed ones too. */
export const childrenEnricher = defineEnricher({
  name: 'children',
  entityType: 'document',
  adds: { children: documentListSchema },
  async enrich({ document, isStored, context }) {
    const inside = context.nested()
    const entries: DocumentEntity[] = []
    const { session } = context
    if (isStored && (await hasPermission(session, document, 'ReadChildren'))) {
      for await (const children of everyReadableChild(session, document, folderOrder(session, document))) {
        entries.push(...(await writeEntries(inside, children)))
      }
    }
    return { children: { 'entity-type': 'documents' as const, totalSize: entries.length, entries } }
  },
})

/** Whether there is a visible folder in the document: what a tree needs to know to show that it can be opened. */
export const hasFolderishChildEnricher = defineEnricher({
  name: 'hasFolderishChild',
  entityType: 'document',
  adds: { hasFolderishChild: Type.Boolean() },
  async enrich({ document, isStored, context: { session } }) {
    if (!isStored || !session.model.shapeOf(document).hasFacet(folderish)) return { hasFolderishChild: false }
    const onlyTypes = { types: session.model.typesWithFacet(folderish), facet: folderish }
    const filter = { ...(await visibleTo(session, document)), onlyTypes }
    return { hasFolderishChild: (await session.reader.documents.countChildren(filter, 1)) > 0 }
  },
})

/** Whether there is anything visible in the folder or collection. */
export const hasContentEnricher = defineEnricher({
  name: 'hasContent',
  entityType: 'document',
  adds: { hasContent: Type.Boolean() },
  async enrich({ document, isStored, context: { session } }) {
    return { hasContent: isStored && (await hasContent(session, document)) }
  },
})

const folderish = 'Folderish'

async function hasContent(session: Session, document: Document): Promise<boolean> {
  const shape = session.model.shapeOf(document)
  if (shape.hasFacet(folderish)) {
    return (await session.reader.documents.countChildren(await visibleTo(session, document), 1)) > 0
  }
  return shape.hasFacet('Collection') && hasVisibleMember(session, textsOf(document, 'collection:documentIds'))
}

// Members are looked at a few at a time: the first one that is visible answers for all.
const membersAtOnce = 50

async function hasVisibleMember(session: Session, ids: readonly string[]): Promise<boolean> {
  for (let start = 0; start < ids.length; start += membersAtOnce) {
    for (const member of await session.reader.documents.findAll(ids.slice(start, start + membersAtOnce))) {
      if (await isVisible(session, member)) return true
    }
  }
  return false
}

async function isVisible(session: Session, document: Document): Promise<boolean> {
  if (document.isTrashed || session.model.shapeOf({ type: document.type }).hasFacet('HiddenInNavigation')) return false
  return hasPermission(session, document, 'Browse')
}
