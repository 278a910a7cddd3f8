import { hasPermission } from '../../core/permissions.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { grant, localAclName } from '../../model/rights/acl.ts'
import { everyone } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { findKept, findUserWorkspace, getOrCreateKept, getOrCreateUserWorkspace } from '../user-workspaces/index.ts'
import { profileType } from './profile-model.ts'

const profile = { type: profileType.name }

/** What a user tells about itself, as far as the session's principal may read it; undefined when that is nothing. */
export async function findUserProfile(session: Session, user: string): Promise<Document | undefined> {
  const workspace = await findUserWorkspace(session, user)
  const found = workspace && (await findKept(session.asSystem(), workspace, profile))
  return found !== undefined && (await hasPermission(session, found, 'Read')) ? found : undefined
}

/** The caller's own profile, made when it is first asked for. Every user may read it. @throws noUserWorkspace */
export async function getOrCreateUserProfile(session: WriteSession, services: Services): Promise<Document> {
  const workspace = await getOrCreateUserWorkspace(session, services)
  return getOrCreateKept(session.asSystem(), workspace, profile, () => ({
    name: String(Date.parse(session.now)),
    properties: {},
    acls: [{ name: localAclName, aces: [grant(everyone, 'Read')] }],
  }))
}
