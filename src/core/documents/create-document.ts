import { newId } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Acl } from '../../model/acl.ts'
import { effectiveAces } from '../../model/acl.ts'
import type { Document } from '../../model/document.ts'
import { joinPath, nameAfterCollision } from '../../model/path-segment.ts'
import type { Properties } from '../../model/property.ts'
import { sanitised } from '../../model/sanitise.ts'
import type { Shape } from '../../model/shape.ts'
import { announce, offer } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { emptyDocument } from './empty-document.ts'
import { freeName } from './name-in-folder.ts'
import { documentNotFound } from './read-document.ts'
import { requireValid } from './require-valid.ts'
import { requireVersioningAllowed, versionAfterCreation } from './version-on-save.ts'

export interface NewDocument {
  /** As read in the session's own transaction. */
  readonly parent: Document
  readonly type: string
  /** A path segment already: see nameFrom. */
  readonly name: string
  readonly facets?: readonly string[]
  readonly acls?: readonly Acl[]
  /** Set on top of the defaults and of what listeners of `emptyDocumentModelCreated` set; null unsets. */
  readonly properties: Properties | ((empty: Document) => Properties)
  readonly options?: SaveOptions
}

export const versionHasNoChildren = defineProblem(
  'versionHasNoChildren',
  'invalid',
  (of: { id: string }) => `${of.id} is a version and cannot have children. Create the document below its live document.`,
)

/** Creates a document below its parent, under the name asked for or, when that is taken, a variant of it. */
export async function createDocument(session: WriteSession, wanted: NewDocument): Promise<Document> {
  const options = wanted.options ?? {}
  const parent = await holdParent(session, wanted.parent)
  await requirePermission(session, parent, 'AddChildren')
  const draft = await draftDocument(session, parent, wanted)
  const name = await freeName(session, parent, draft.name)
  const destination = {
    destinationRef: parent.id,
    destinationPath: parent.path,
    destinationName: name,
    destinationExists: name !== draft.name,
  }
  const offered = await offer(session, 'aboutToCreate', { ...draft, name }, { properties: destination, options })
  const complete = withDefaults(session.model.shapeOf(offered), offered)
  requireVersioningAllowed(session, complete, options)
  await requireValid(session, complete)
  const stored = await insertUnderFreeName(session, parent, complete, offered.name === name ? draft.name : offered.name)
  const created = await versionAfterCreation(session, stored, options)
  await announce(session, 'documentCreated', created, { properties: destination, options, comment: options.comment ?? null })
  return created
}

async function holdParent(session: WriteSession, parent: Document): Promise<Document> {
  if (parent.isVersion) throw versionHasNoChildren({ id: parent.id })
  const isOrdered = session.model.shapeOf(parent).hasFacet('Orderable')
  const { documents } = session.tx
  const held = await (isOrdered ? documents.findForUpdate(parent.id) : documents.hold(parent))
  if (held === undefined) throw documentNotFound({ reference: parent.id })
  return held
}

async function draftDocument(session: WriteSession, parent: Document, wanted: NewDocument): Promise<Document> {
  const empty = emptyDocument(session.model, {
    repository: session.repository.name,
    id: newId(),
    type: wanted.type,
    name: wanted.name,
    parent,
    ...(wanted.options?.initialState !== undefined && { initialState: wanted.options.initialState }),
  })
  const about = { parentPath: parent.path, documentModelId: empty.id, destinationName: wanted.name }
  const offered = await offer(session, 'emptyDocumentModelCreated', empty, { properties: about })
  const draft = { ...offered, facets: wanted.facets ?? offered.facets, acls: wanted.acls ?? [] }
  const properties = typeof wanted.properties === 'function' ? wanted.properties(draft) : wanted.properties
  return { ...draft, properties: sanitised({ ...draft.properties, ...properties }) as Properties }
}

/** An explicit null on a property with a default ends up as the default: it is what reading back would show anyway. */
function withDefaults(shape: Shape, document: Document): Document {
  const properties = { ...document.properties }
  for (const { name, field } of shape.properties.values()) {
    if (field.defaultValue !== null && (properties[name] ?? null) === null) properties[name] = field.defaultValue
  }
  return { ...document, properties }
}

/**
 * Another transaction may take the name between the check and the insert: the insert tells, and then the next variant of the
 * name that was asked for is tried.
 */
async function insertUnderFreeName(
  session: WriteSession,
  parent: Document,
  document: Document,
  asked: string,
): Promise<Document> {
  const millis = Date.parse(session.now)
  const acpId = document.acls.length === 0 ? parent.acpId : await internOwn(session, parent, document.acls)
  const position = await nextPosition(session, parent)
  const place = (name: string) => ({
    ...document,
    name,
    path: joinPath(parent.path ?? '', name),
    parentId: parent.id,
    position,
    acpId,
  })
  for (let placed = place(document.name), attempt = 0; ; placed = place(nameAfterCollision(asked, millis, attempt++))) {
    if (await session.tx.documents.insert(placed)) return placed
  }
}

async function internOwn(session: WriteSession, parent: Document, acls: readonly Acl[]): Promise<number> {
  const inherited = await session.repository.acps.entriesOf(session, parent.acpId)
  return session.tx.acps.intern(effectiveAces(acls, inherited))
}

async function nextPosition(session: WriteSession, parent: Document): Promise<number | null> {
  if (!session.model.shapeOf(parent).hasFacet('Orderable')) return null
  const last = await session.tx.documents.lastPosition(parent.id)
  return last === undefined ? 0 : last + 1
}
