import { newId } from '../base/ids.ts'
import type { Document } from '../model/document.ts'
import { type Ace, localAclName } from '../model/rights/acl.ts'
import { systemAccess } from './access.ts'
import { createDocument } from './documents/create-document.ts'
import { emptyDocument } from './documents/empty-document.ts'
import { setAcls } from './documents/rights/set-acls.ts'
import type { Repository, WriteSession } from './session.ts'

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
  await systemAccess(repository).write(async (session) => {
    const root = (await session.tx.documents.findByPath('/')) ?? (await createRoot(session))
    for (const template of templates.filter((one) => one.type === rootType)) await applyTemplate(session, root, template)
  })
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
  const missing = []
  for (const child of template.children) {
    const existing = await session.tx.documents.findChild(document.id, child.name)
    if (existing?.type !== child.type) missing.push(child)
  }
  const isUntouched = missing.length === template.children.length
  const acls = [{ name: localAclName, aces: template.aces }]
  const parent = isUntouched && template.aces.length > 0 ? await setAcls(session, document.id, acls) : document
  for (const { name, type, title } of missing) {
    await createDocument(session, { parent, type, name, properties: { 'dc:title': title } })
  }
}
