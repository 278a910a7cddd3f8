import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import { readDocumentByPath } from '../../core/documents/read-document.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { deny, grant, localAclName } from '../../model/rights/acl.ts'
import { everything } from '../../model/rights/permission.ts'
import { everyone } from '../../model/rights/principal.ts'

/** There is one way to invite people; its name stands in every link. */
export const configurationName = 'default_registration'

const managementName = 'management'
const folderName = 'invitationRequests'

/** Where requests are; undefined as long as no user was invited. */
export function findRequestsFolder({ reader }: Session): Promise<Document | undefined> {
  return reader.documents.findByPath(`/${managementName}/${folderName}`)
}

/** Both folders are for administrators alone: what is in here decides who gets an account. */
export async function getOrCreateRequestsFolder(session: WriteSession): Promise<Document> {
  const system = session.asSystem()
  const { administratorsGroups } = session.repository.rules
  const root = await readDocumentByPath(system, '/')
  const management = await getOrCreateChild(system, root, managementName, () => ({
    type: 'ManagementRoot',
    properties: {},
    acls: [
      {
        name: localAclName,
        aces: [...administratorsGroups.map((group) => grant(group, everything)), deny(everyone, everything)],
      },
    ],
  }))
  return getOrCreateChild(system, management, folderName, () => ({
    type: 'UserInvitationContainer',
    facets: ['RegistrationConfiguration'],
    properties: { 'dc:title': 'Invitations', 'registrationconfiguration:name': configurationName },
  }))
}
