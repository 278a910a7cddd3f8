import type { OperationContext } from '../../automation/context.ts'
import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { deny, grant, localAclName } from '../../model/rights/acl.ts'
import { everything } from '../../model/rights/permission.ts'
import { actingName, everyone } from '../../model/rights/principal.ts'
import { languageFor } from '../directories/index.ts'
import { findUserWorkspace, getOrCreateUserWorkspace } from '../user-workspaces/index.ts'

/** A document that every user may have in the personal workspace, for themselves alone. */
export interface PersonalPlace {
  readonly name: string
  readonly type: string
  readonly title: { readonly en: string; readonly fr: string }
}

/** Where collections go that are made without a folder. */
export const ownCollections: PersonalPlace = {
  name: 'Collections',
  type: 'Collections',
  title: { en: 'My Collections', fr: 'Mes collections' },
}

/** That of the caller, made when it is first asked for. @throws noUserWorkspace */
export async function getOrCreatePlace(
  { session, services, host }: OperationContext<WriteSession>,
  { name, type, title }: PersonalPlace,
): Promise<Document> {
  const workspace = await getOrCreateUserWorkspace(session, services)
  return getOrCreateChild(session.asSystem(), workspace, name, () => ({
    type,
    properties: { 'dc:title': title[languageFor(host.locales)] },
    acls: [{ name: localAclName, aces: [grant(actingName(session.principal), everything), deny(everyone, everything)] }],
  }))
}

/** That of the caller, if there is one. */
export async function findPlace(session: Session, { name }: PersonalPlace): Promise<Document | undefined> {
  const workspace = await findUserWorkspace(session, session.principal.name)
  return workspace && session.reader.documents.findChild(workspace.id, name)
}
