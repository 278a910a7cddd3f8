import { createDocument } from '../../core/documents/create-document.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { grant, localAclName } from '../../model/rights/acl.ts'
import { everyone } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import type { SortKey } from '../../store/documents.ts'
import { findUserWorkspace, getOrCreateUserWorkspace } from '../user-workspaces/index.ts'

/** The type, and the facet that it has. */
const profileType = 'UserProfile'
/** By id alone: ids grow with time. */
const inOrderOfCreation: readonly SortKey[] = []
/** A place for a document may hold proxies of profiles; in practice no more than a few. */
const fewProxies = 10

/** What a user tells about itself, as far as the session's principal may read it; undefined when that is nothing. */
export async function findUserProfile(session: Session, user: string): Promise<Document | undefined> {
  const workspace = await findUserWorkspace(session, user)
  const profile = workspace && (await findIn(session.asSystem(), workspace))
  return profile !== undefined && (await hasPermission(session, profile, 'Read')) ? profile : undefined
}

/** The caller's own profile, made when it is first asked for. Every user may read it. @throws noUserWorkspace */
export async function getOrCreateUserProfile(session: WriteSession, services: Services): Promise<Document> {
  const workspace = await getOrCreateUserWorkspace(session, services)
  const system = session.asSystem()
  return (await findIn(system, workspace)) ?? createIn(system, workspace)
}

async function createIn(system: WriteSession, workspace: Document): Promise<Document> {
  // Only one transaction at a time finds it missing: one that waited for the lock looks again and sees what the other made.
  const locked = await system.tx.documents.findForUpdate(workspace.id)
  if (locked === undefined) throw documentNotFound({ reference: workspace.id })
  const made = await findIn(system, locked)
  if (made !== undefined) return made
  return createDocument(system, {
    parent: locked,
    type: profileType,
    name: String(Date.parse(system.now)),
    properties: {},
    acls: [{ name: localAclName, aces: [grant(everyone, 'Read')] }],
  })
}

/** The first there was, should a client have made another one. */
async function findIn({ reader }: Session, { id: parentId }: Document): Promise<Document | undefined> {
  const untrashed = { hiddenTypes: [], hiddenFacet: '' }
  const filter = { parentId, visibleOnly: untrashed, onlyTypes: { types: [profileType], facet: profileType } }
  const found = await reader.documents.listChildren(filter, inOrderOfCreation, fewProxies, 0)
  return found.find(({ isProxy }) => !isProxy)
}
