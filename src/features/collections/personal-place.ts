import type { OperationContext } from '../../automation/context.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Ace, deny, grant, localAclName } from '../../model/rights/acl.ts'
import { everything } from '../../model/rights/permission.ts'
import { actingName, everyone } from '../../model/rights/principal.ts'
import { languageFor } from '../directories/index.ts'
import {
  findKept,
  findUserWorkspace,
  getOrCreateKept,
  getOrCreateUserWorkspace,
  type KeptDocument,
} from '../user-workspaces/index.ts'

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
  place: PersonalPlace,
): Promise<Document> {
  const workspace = await getOrCreateUserWorkspace(session, services)
  const owner = actingName(session.principal)
  return getOrCreateKept(session.asSystem(), workspace, keptFor(owner, place), () => ({
    name: place.name,
    properties: { 'dc:title': place.title[languageFor(host.locales)] },
    acls: [{ name: localAclName, aces: [grant(owner, everything), deny(everyone, everything)] }],
  }))
}

/** That of the caller, if there is one. */
export async function findPlace(session: Session, place: PersonalPlace): Promise<Document | undefined> {
  const workspace = await findUserWorkspace(session, session.principal.name)
  return workspace && findKept(session, workspace, keptFor(session.principal.name, place))
}

/** As of a workspace, its own entries say whose it is. */
function keptFor(owner: string, { type, name }: PersonalPlace): KeptDocument {
  const isOwners = ({ username, permission, granted }: Ace) => granted && username === owner && permission === everything
  return { type, name, isOf: ({ acls }) => acls.flatMap(({ aces }) => aces).some(isOwners) }
}
