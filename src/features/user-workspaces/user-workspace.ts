import { defineProblem } from '../../base/problem.ts'
import { userDirectory } from '../../core/directories/people.ts'
import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import { announce } from '../../core/event.ts'
import { compile, searchDocuments } from '../../core/search/run-query.ts'
import type { WriteSession } from '../../core/session.ts'
import { type Ace, type Acl, deny, grant, localAclName } from '../../model/acl.ts'
import type { Document } from '../../model/document.ts'
import { everyone, isTransient } from '../../model/principal.ts'
import type { Services } from '../../rest/services.ts'
import { workspaceName } from './workspace-name.ts'

export const noUserWorkspace = defineProblem(
  'noUserWorkspace',
  'forbidden',
  (of: { user: string; reason: string }) => `There is no personal workspace for '${of.user}': ${of.reason}.`,
)

const everyDomain = 'SELECT * FROM Domain WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:isProxy = 0'
const rootName = 'UserWorkspaces'

/** The workspace that belongs to the caller alone, made when it is first asked for. @throws noUserWorkspace */
export async function getOrCreateUserWorkspace(session: WriteSession, services: Services): Promise<Document> {
  const { name: user, isAnonymous } = session.principal
  if (isAnonymous || isTransient(user)) throw noUserWorkspace({ user, reason: 'it has no account' })
  const system = session.asSystem()
  const root = await getOrCreateRoot(system, user)
  const existing = await system.tx.documents.findChild(root.id, workspaceName(user))
  return existing ?? createWorkspace(system, root, user, await titleFor(services, user))
}

async function createWorkspace(system: WriteSession, root: Document, user: string, title: string): Promise<Document> {
  let isNew = false
  const workspace = await getOrCreateChild(system, root, workspaceName(user), () => {
    isNew = true
    return { type: 'Workspace', properties: { 'dc:title': title }, acls: [localAcl(grant(user, 'Everything'))] }
  })
  if (isNew) await announce(system, 'userWorkspaceCreated', workspace)
  return workspace
}

/** Nobody inherits anything from above: each workspace below says for itself who may enter. */
async function getOrCreateRoot(system: WriteSession, user: string): Promise<Document> {
  const domain = await findDomain(system)
  if (domain === undefined) throw noUserWorkspace({ user, reason: 'there is no domain' })
  return getOrCreateChild(system, domain, rootName, () => ({
    type: 'UserWorkspacesRoot',
    properties: { 'dc:title': rootName },
    acls: [localAcl(deny(everyone, 'Everything'))],
  }))
}

/** The usual one or, where that is gone, the oldest. */
async function findDomain(system: WriteSession): Promise<Document | undefined> {
  const usual = await system.tx.documents.findByPath('/default-domain')
  if (usual !== undefined) return usual
  const { documents } = await searchDocuments(system, compile(system, everyDomain), { offset: 0, limit: 1, countLimit: 1 })
  return documents[0]
}

function localAcl(ace: Ace): Acl {
  return { name: localAclName, aces: [ace] }
}

async function titleFor({ directories }: Services, user: string): Promise<string> {
  const entry = await directories.store.reader.directories.find(userDirectory, user)
  const names = [entry?.values['firstName'], entry?.values['lastName']]
  const given = names.filter((name) => typeof name === 'string' && name.trim() !== '')
  return given.length === 0 ? user : given.join(' ')
}
