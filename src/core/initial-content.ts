import { newId } from '../base/ids.ts'
import type { Document } from '../model/document.ts'
import { type Ace, localAclName } from '../model/rights/acl.ts'
import type { Reader } from '../store/store.ts'
import { systemAccess } from './access.ts'
import { createDocument } from './documents/create-document.ts'
import { emptyDocument } from './documents/empty-document.ts'
import { setAcls } from './documents/rights/set-acls.ts'
import type { Repository, Session, WriteSession } from './session.ts'

/** What a document of a type starts with: children below it and rights on it. */
export interface ContentTemplate {
  readonly type: string
  readonly children: readonly { readonly name: string; readonly type: string; readonly title: string }[]
  readonly aces: readonly Ace[]
}

/**
 * Makes content that follows from definitions, such as documents that show them: at every start, before anybody is answered, in one
 * transaction that may run twice. What is there already costs a look.
 * @example
 * const calendar: Preparation = {
 *   name: 'calendar', prepare: async (session) => {
 *     const root = await readDocumentByPath(session, '/')
 *     await getOrCreateChild(session, root, 'calendar', () => ({ type: 'Folder', properties: { 'dc:title': 'Calendar' } }))
 *   },
 * }
 */
export interface Preparation {
  readonly name: string
  prepare(session: WriteSession): Promise<void>
}

/** One process at a time: those that start together find what the first has made. */
export async function prepareRepository(repository: Repository, preparations: readonly Preparation[]): Promise<void> {
  if (preparations.length === 0) return
  await systemAccess(repository).write(async (session) => {
    const root = await session.tx.documents.findByPath('/')
    if (root !== undefined) await session.tx.documents.findForUpdate(root.id)
    for (const { prepare } of preparations) await prepare(session)
  })
}

const rootType = 'Root'

/** Makes the root of a new repository; templates of its type are applied at every start, adding only what is missing. */
export async function ensureRoot(repository: Repository, templates: readonly ContentTemplate[]): Promise<void> {
  const ofRoot = templates.filter((one) => one.type === rootType)
  const access = systemAccess(repository)
  // Mostly there is nothing to do, and a transaction would have the start wait for the disk.
  if (await access.read((session) => hasWholeRoot(session, ofRoot))) return
  await access.write(async (session) => {
    const root = (await session.tx.documents.findByPath('/')) ?? (await createRoot(session))
    for (const template of ofRoot) await applyTemplate(session, root, template)
  })
}

async function hasWholeRoot({ reader }: Session, templates: readonly ContentTemplate[]): Promise<boolean> {
  const root = await reader.documents.findByPath('/')
  if (root === undefined) return false
  for (const template of templates) if ((await missingChildren(reader, root, template)).length > 0) return false
  return true
}

async function createRoot(session: WriteSession): Promise<Document> {
  const empty = emptyDocument(session.model, {
    repository: session.repository.name,
    id: newId(),
    type: rootType,
    name: '',
    parent: undefined,
  })
  const root = { ...empty, path: '/', acpId: await session.tx.acps.intern([]) }
  await session.tx.documents.insert(root)
  return root
}

/** Creates the children that are missing. Rights are set only where none of the template's children was there before. */
export async function applyTemplate(session: WriteSession, document: Document, template: ContentTemplate): Promise<void> {
  const missing = await missingChildren(session.tx, document, template)
  const isUntouched = missing.length === template.children.length
  const acls = [{ name: localAclName, aces: template.aces }]
  const parent = isUntouched && template.aces.length > 0 ? await setAcls(session, document.id, acls) : document
  for (const { name, type, title } of missing) {
    await createDocument(session, { parent, type, name, properties: { 'dc:title': title } })
  }
}

async function missingChildren(
  { documents }: Pick<Reader, 'documents'>,
  { id }: Document,
  { children }: ContentTemplate,
): Promise<ContentTemplate['children']> {
  const missing = []
  for (const child of children) {
    const existing = await documents.findChild(id, child.name)
    if (existing?.type !== child.type) missing.push(child)
  }
  return missing
}
