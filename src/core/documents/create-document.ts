import { memoised } from '../../base/cache/memo.ts'
import { newId } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import { ownFacets, requireFacetsChangeable } from '../../model/own-facets.ts'
import type { Properties } from '../../model/properties/property.ts'
import { sanitised } from '../../model/properties/value-bounds.ts'
import { type Acl, effectiveAces } from '../../model/rights/acl.ts'
import { requireAllowedAces, tidyAcls } from '../../model/rights/acl-change.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { announce, offer } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { emptyDocument } from './empty-document.ts'
import { readFolderForInsert } from './folder-for-insert.ts'
import { insertInFolder } from './insert-in-folder.ts'
import { aboutDestination, findDestination, nameAfterOffer } from './place/destination.ts'
import { requireValid, withCleanHtml } from './require-valid.ts'
import { requireTypeAllowed } from './reserved-types.ts'
import { requireVersioningAllowed, versionAfterCreation, withInitialVersion } from './versions/version-on-save.ts'

export interface NewDocument {
  /** As read in the session's own transaction. Null makes a document without a place, which only administrators may. */
  readonly parent: Document | null
  readonly type: string
  /** A path segment already: see nameFrom. Empty, it becomes a random number. */
  readonly name: string
  readonly facets?: readonly string[]
  readonly acls?: readonly Acl[]
  /** Set on top of the defaults and of what listeners of `emptyDocumentModelCreated` set; null unsets. */
  readonly properties: Properties | ((empty: Document) => Properties | Promise<Properties>)
  readonly options?: SaveOptions
}

export const placelessDenied = defineProblem(
  'placelessDenied',
  'forbidden',
  (of: { principal: string }) => `Only administrators may create a document without a parent, and '${of.principal}' is none`,
)

/** Creates a document below its parent, under the name asked for or, when that is taken, a variant of it. */
export async function createDocument(session: WriteSession, wanted: NewDocument): Promise<Document> {
  const options = wanted.options ?? {}
  const folder = wanted.parent === null ? null : await readFolderForInsert(session, wanted.parent)
  await requireCreatable(session, folder)
  const draft = await draftDocument(session, folder, wanted)
  const destination = await findDestination(session, folder, draft.name, options)
  const about = { properties: aboutDestination(destination), options }
  const offered = await offer(session, 'aboutToCreate', { ...draft, name: destination.name }, about)
  // Listeners have been asked first: they know what to do instead.
  requireTypeAllowed(session, offered.type)
  const { name, asked } = nameAfterOffer(destination, offered)
  const named = { ...offered, name }
  const complete = await withCleanHtml(session, withDefaults(session.model.shapeOf(named), named))
  requireVersioningAllowed(session, complete, options)
  await requireValid(session, complete, options)
  const stored = await insertAt(session, folder, withInitialVersion(session, complete, options), asked)
  const created = await versionAfterCreation(session, stored, options)
  await announce(session, 'documentCreated', created, {
    properties: aboutDestination(destination, created.name),
    options,
    comment: options.comment ?? null,
  })
  return created
}

async function requireCreatable(session: WriteSession, folder: Document | null): Promise<void> {
  if (folder !== null) return requirePermission(session, folder, 'AddChildren')
  if (!session.principal.isAdministrator) throw placelessDenied({ principal: session.principal.name })
}

async function draftDocument(session: WriteSession, folder: Document | null, wanted: NewDocument): Promise<Document> {
  const empty = emptyDocument(session.model, {
    repository: session.repository.name,
    id: newId(),
    type: wanted.type,
    name: wanted.name,
    parent: folder ?? undefined,
    ...(wanted.options?.initialState !== undefined && { initialState: wanted.options.initialState }),
  })
  const about = { parentPath: folder?.path ?? null, documentModelId: empty.id, destinationName: wanted.name }
  const offered = await offer(session, 'emptyDocumentModelCreated', empty, { properties: about })
  const facets = wanted.facets === undefined ? offered.facets : facetsWanted(session, wanted.type, wanted.facets)
  const draft = { ...offered, facets, acls: firstAcls(session, wanted.acls) }
  const properties = typeof wanted.properties === 'function' ? await wanted.properties(draft) : wanted.properties
  return { ...draft, properties: sanitised({ ...draft.properties, ...properties }) as Properties }
}

/** @throws unknownFacet, reservedFacet */
function facetsWanted({ model, principal }: WriteSession, type: string, wanted: readonly string[]): readonly string[] {
  const facets = ownFacets(model, type, wanted)
  requireFacetsChangeable(model, principal, [], facets)
  return facets
}

/** The own ACLs that a new document starts with, as they are stored. */
export function firstAcls(session: WriteSession, acls: readonly Acl[] = []): readonly Acl[] {
  if (acls.length === 0) return acls
  const { rules } = session.repository
  const own = tidyAcls(acls, rules)
  requireAllowedAces([], own, rules)
  return own
}

/** An explicit null on a property with a default ends up as the default: it is what reading back would show anyway. */
function withDefaults(shape: Shape, document: Document): Document {
  const unset = fieldsWithDefault(shape).filter(({ name }) => (document.properties[name] ?? null) === null)
  if (unset.length === 0) return document
  const properties = { ...document.properties }
  for (const { name, field } of unset) properties[name] = field.defaultValue
  return { ...document, properties }
}

// Shapes do not change while a server runs.
const fieldsWithDefault = memoised((shape: Shape): readonly PropertyDefinition[] =>
  [...shape.properties.values()].filter(({ field }) => field.defaultValue !== null),
)

/** Stores a new document in the folder, or without a place where there is none. */
export async function insertAt(
  session: WriteSession,
  folder: Document | null,
  document: Document,
  asked: string,
): Promise<Document> {
  if (folder !== null) return insertInFolder(session, folder, document, { asked })
  const acpId = await session.tx.acps.intern(effectiveAces(document.acls, []))
  const placeless = { ...document, parentId: null, path: null, position: null, acpId }
  await session.tx.documents.insert(placeless)
  return placeless
}
