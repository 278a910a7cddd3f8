import type { OperationServices } from '../../automation/context.ts'
import { defineProblem } from '../../base/problem.ts'
import { userDirectory } from '../../core/directories/people.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import { announce } from '../../core/event.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Resolver } from '../../model/field.ts'
import { joinPath } from '../../model/path-segment.ts'
import { aceStatus, deny, grant, localAclName } from '../../model/rights/acl.ts'
import { everything } from '../../model/rights/permission.ts'
import { everyone, isTransient, type Principal } from '../../model/rights/principal.ts'
import { userNamed, workspaceNames } from './workspace-name.ts'

const usualDomain = '/default-domain'
const allDomains = 'SELECT * FROM Domain WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:isProxy = 0 ORDER BY dc:created'
const rootName = 'UserWorkspaces'

/** The folder that holds the workspaces of all users; undefined when no user has one yet. */
async function findWorkspacesRoot(system: Session): Promise<Document | undefined> {
  const domain = await findDomain(system)
  return domain && system.reader.documents.findChild(domain.id, rootName)
}

/** Rights are not inherited from above: each workspace below says for itself who may enter. Undefined without any domain. */
async function getOrCreateWorkspacesRoot(system: WriteSession): Promise<Document | undefined> {
  const domain = await findDomain(system)
  return (
    domain &&
    getOrCreateChild(system, domain, rootName, () => ({
      type: 'UserWorkspacesRoot',
      properties: { 'dc:title': rootName },
      acls: [{ name: localAclName, aces: [deny(everyone, everything)] }],
    }))
  )
}

/** The usual one or, where that is gone, the oldest. */
async function findDomain(system: Session): Promise<Document | undefined> {
  const usual = await system.reader.documents.findByPath(usualDomain)
  if (usual !== undefined && !usual.isTrashed) return usual
  const { documents } = await searchDocuments(system, compile(system, allDomains), { offset: 0, limit: 1, countLimit: 1 })
  return documents[0]
}

const noUserWorkspace = defineProblem(
  'noUserWorkspace',
  'forbidden',
  (of: { user: string; reason: string }) => `There is no personal workspace for '${of.user}': ${of.reason}.`,
)

/** Where to look up what users are called. */
type Accounts = Pick<OperationServices, 'directories' | 'principalRules'>

/** Those without an account of their own have no place of their own. */
export function mayHaveWorkspace({ name, isAnonymous }: Pick<Principal, 'name' | 'isAnonymous'>): boolean {
  return !isAnonymous && !isTransient(name)
}

/** The workspace of a user, without a check of rights; undefined when the user never opened it. */
export async function findUserWorkspace(session: Session, user: string): Promise<Document | undefined> {
  const system = session.asSystem()
  const root = await findWorkspacesRoot(system)
  return root && findOwn(system, root, user)
}

/** The workspace that belongs to the caller alone, made when it is first asked for. @throws noUserWorkspace */
export async function getOrCreateUserWorkspace(session: WriteSession, services: Accounts): Promise<Document> {
  const { name: user } = session.principal
  if (!mayHaveWorkspace(session.principal)) throw noUserWorkspace({ user, reason: 'it has no account' })
  const system = session.asSystem()
  const root = await getOrCreateWorkspacesRoot(system)
  if (root === undefined) throw noUserWorkspace({ user, reason: 'there is no domain' })
  return (await findOwn(system, root, user)) ?? createOwn(system, root, user, services)
}

async function createOwn(system: WriteSession, root: Document, user: string, services: Accounts): Promise<Document> {
  // Only one transaction at a time finds it missing: one that waited for the lock looks again and sees what the other made.
  const locked = await system.tx.documents.findForUpdate(root.id)
  if (locked === undefined) throw documentNotFound({ reference: root.id })
  const made = await findOwn(system, locked, user)
  if (made !== undefined) return made
  const workspace = await createDocument(system, {
    parent: locked,
    type: 'Workspace',
    name: await freeName(system, locked, user),
    properties: { 'dc:title': await titleFor(services, user) },
    acls: [{ name: localAclName, aces: [grant(user, everything)] }],
  })
  await announce(system, 'userWorkspaceCreated', workspace, { properties: { username: user } })
  return workspace
}

async function findOwn(system: Session, root: Document, user: string): Promise<Document | undefined> {
  const names = namesFor(system, user)
  const found = await system.reader.documents.findAllByPath(names.map((name) => joinPath(root.path ?? '', name)))
  for (const name of names) {
    const document = found.find((one) => one.name === name)
    if (document !== undefined && (await isOf(system, document, user))) return document
  }
  return undefined
}

async function freeName(system: WriteSession, root: Document, user: string): Promise<string> {
  for (const name of namesFor(system, user)) if (!(await system.tx.documents.hasChild(root.id, name))) return name
  throw noUserWorkspace({ user, reason: 'all names it could have belong to others' })
}

function namesFor({ repository }: Session, user: string): readonly string[] {
  return workspaceNames(user, repository.rules.maxSegmentLength)
}

/**
 * The entries on the document itself decide: under the same name there may be the workspace of another user. That other can grant the user
 * everything in it, and would from then on read what the user takes for private: an entry alone does not make it the user's.
 */
async function isOf(system: Session, document: Document, user: string): Promise<boolean> {
  if (!hasEverything(document, user, system.now)) return false
  const creator = document.properties['dc:creator']
  const owners = everyOwner(document).filter((name) => name !== user)
  if (document.name === namesFor(system, user)[0])
    return !owners.some((name) => name === creator && namesFor(system, name).includes(document.name))
  const { administratorsGroups } = system.repository.rules
  if (creator !== user || owners.some((name) => !administratorsGroups.includes(name))) return false
  return !(await isNameOfAnother(system, document.name, user))
}

function hasEverything({ acls }: Document, user: string, now: string): boolean {
  const ofUser = acls.flatMap(({ aces }) => aces).filter((ace) => ace.username === user && ace.permission === everything)
  return ofUser.find((ace) => aceStatus(ace, now) === 'effective')?.granted === true
}

/** Whoever is granted everything, now or at another time: who dates an entry may date the next. */
function everyOwner({ acls }: Document): readonly string[] {
  const full = acls.flatMap(({ aces }) => aces).filter(({ permission, granted }) => granted && permission === everything)
  return full.map(({ username }) => username)
}

const anyUser: Resolver = { kind: 'user', type: 'user', validation: false }

/** Whether somebody else would have a workspace of this name today. */
async function isNameOfAnother(system: Session, name: string, user: string): Promise<boolean> {
  const owner = userNamed(name)
  return owner !== user && (await system.repository.references.find(system, anyUser, owner)) !== undefined
}

async function titleFor({ directories, principalRules }: Accounts, user: string): Promise<string> {
  const entry = await directories.store.reader.directories.find(userDirectory, user)
  const properties = entry?.values ?? principalRules.virtualUsers.find(({ name }) => name === user)?.properties
  const names = [properties?.['firstName'], properties?.['lastName']]
  const given = names.filter((name) => typeof name === 'string' && name.trim() !== '')
  return given.length === 0 ? user : given.join(' ')
}
