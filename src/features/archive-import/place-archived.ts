import { type IsoDate, parseIsoDate } from '../../base/iso-date.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { readFolderForInsert } from '../../core/documents/folder-for-insert.ts'
import { findAceName } from '../../core/documents/rights/prepare-aces.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { ImportTarget } from '../../core/file-imports/importer.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { SaveOptions } from '../../core/save-options.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { mayBeginIn } from '../../model/lifecycle.ts'
import { requireName } from '../../model/path-segment.ts'
import type { Properties } from '../../model/properties/property.ts'
import { type Ace, type Acl, lastingAcls } from '../../model/rights/acl.ts'
import { requireBoundedAces } from '../../model/rights/acl-change.ts'
import type { Shape } from '../../model/shape.ts'
import { noSentBlobs } from '../../rest/payload/sent-blobs.ts'
import { readProperties } from '../../rest/payload/sent-properties.ts'
import { requireAllowed } from '../file-import/index.ts'
import type { ArchivedDocument } from './archived-document.ts'

/**
 * Puts the documents of an archive below the folder: folders come before what is in them. Gives the first.
 * @throws typeNotAllowed, privilegeMissing, invalidName and what saving throws
 */
export async function placeArchived(
  session: WriteSession,
  target: ImportTarget,
  archived: readonly ArchivedDocument[],
): Promise<Document> {
  const placed = new Map<string, Document>()
  let first: Document | undefined
  for (const one of archived.map((each) => withoutMutual(session, each))) {
    const above = placed.get(one.names.slice(0, -1).join('/'))
    const document = await place(session, target, above ?? target.folder, one, above === undefined)
    placed.set(one.names.join('/'), document)
    first ??= document
  }
  return first ?? target.folder
}

/** Documents of an archive get new ids, by which no collection lists them, and no member knows a new collection. */
function withoutMutual({ model }: WriteSession, archived: ArchivedDocument): ArchivedDocument {
  const properties = Object.entries(archived.properties).filter(([name]) => !model.mutualProperties.includes(name))
  return { ...archived, properties: Object.fromEntries(properties) }
}

async function place(
  session: WriteSession,
  target: ImportTarget,
  folder: Document,
  archived: ArchivedDocument,
  isRoot: boolean,
): Promise<Document> {
  const name = requireName(archived.names.at(-1) ?? '')
  const existing = target.overwrite ? await findExisting(session, folder, archived, name, isRoot) : undefined
  const options = optionsFor(session, target)
  if (existing !== undefined) {
    const change = (current: Document) => propertiesOf(session, session.model.shapeOf(current), current, archived)
    return saveDocument(session, existing.id, change, options)
  }
  const { type } = archived
  requireAllowed(session, type, folder)
  const facets = facetsFor(session, archived)
  const state = await stateFor(session, folder, archived)
  return createDocument(session, {
    parent: folder,
    type,
    name,
    facets,
    acls: await aclsFor(session, folder, archived.acls),
    properties: async (empty) => ({
      ...propertiesOf(session, session.model.shapeOf(empty), empty, archived),
      ...(isRoot && (await target.propertiesFor(empty))),
    }),
    options: { ...options, ...(state !== undefined && { initialState: state }) },
  })
}

/** Those that are known here and that the caller may give to a document; of the type's own there is nothing to give. */
function facetsFor({ model, principal }: WriteSession, { facets }: ArchivedDocument): readonly string[] {
  return facets.filter((name) => {
    const facet = model.facets.get(name)
    return facet !== undefined && (principal.isAdministrator || !facet.isReserved)
  })
}

/** The root of an archive by its id, what is below it by its place. */
async function findExisting(
  { tx }: WriteSession,
  folder: Document,
  { id, type }: ArchivedDocument,
  name: string,
  isRoot: boolean,
): Promise<Document | undefined> {
  const found = isRoot
    ? await tx.documents.find(id)
    : await tx.documents.findByPath(`${folder.path === '/' ? '' : folder.path}/${name}`)
  const isThere = found?.parentId === folder.id && found.type === type && !found.isTrashed && !found.isProxy
  return isThere ? found : undefined
}

/** Administrators bring documents with their dates; those of others are made now, and by them. */
function optionsFor({ principal }: WriteSession, { options }: ImportTarget): SaveOptions {
  return principal.isAdministrator ? { ...options, dublincore: false } : options
}

const stamps = new Set(['dc:creator', 'dc:created', 'dc:contributors', 'dc:lastContributor', 'dc:modified'])

export function propertiesOf(
  { model, principal }: WriteSession,
  shape: Shape,
  current: Pick<Document, 'properties'>,
  { properties, blobs }: ArchivedDocument,
): Properties {
  // What only administrators may say of a document stays as it would be without the archive.
  const mine = Object.entries(properties).filter(
    ([name]) => principal.isAdministrator || !(stamps.has(name) || shape.properties.get(name)?.isSecured),
  )
  const sent = { ...noSentBlobs, find: (json: object) => blobs.get(json) }
  return readProperties(Object.fromEntries(mine), { model, shape, principal, current, blobs: sent, emptyStringIsNull: false })
}

/** The state that it had, for users who could bring it there by a transition. */
async function stateFor(session: WriteSession, folder: Document, { type, state }: ArchivedDocument): Promise<string | undefined> {
  const lifecycle = session.model.lifecycleOf(type)
  if (state === undefined || lifecycle === undefined || !mayBeginIn(lifecycle, state) || lifecycle.initial === state)
    return undefined
  return (await hasPermission(session, folder, 'WriteLifeCycle')) ? state : undefined
}

/**
 * The rights that it had, for users who may give them; entries that mean nothing here are left out, and so are those of tasks, which no
 * such archive has. Administrators bring rights of people who come later, too.
 */
export async function aclsFor(session: WriteSession, folder: Document, acls: readonly Acl[]): Promise<readonly Acl[]> {
  if (acls.length === 0 || !(await hasPermission(session, folder, 'WriteSecurity'))) return []
  requireBoundedAces(acls.flatMap(({ aces }) => aces))
  // Locked before names are looked up: who takes away the rights of a removed user waits for those who write.
  if (!session.principal.isAdministrator) await readFolderForInsert(session, folder)
  const own: Acl[] = []
  for (const { name, aces } of lastingAcls(acls)) {
    const known = (await Promise.all(aces.map((ace) => ownAce(session, ace)))).filter((ace) => ace !== undefined)
    if (known.length > 0) own.push({ name, aces: known })
  }
  return own
}

async function ownAce(session: WriteSession, ace: Ace): Promise<Ace | undefined> {
  const { principal, model } = session
  const [begin, end] = [dateOf(ace.begin), dateOf(ace.end)]
  const isUsable = ace.username !== '' && model.permissions.names.includes(ace.permission)
  if (!isUsable || begin === undefined || end === undefined) return undefined
  const { isAdministrator } = principal
  const username = isAdministrator ? ace.username : await findAceName(session, ace)
  return username === undefined
    ? undefined
    : { ...ace, username, creator: isAdministrator ? ace.creator : principal.name, begin, end }
}

/** Null for none, undefined for what is no date. */
function dateOf(text: string | null): IsoDate | null | undefined {
  return text === null ? null : parseIsoDate(text)
}
