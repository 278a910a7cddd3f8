import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import { compile, searchDocuments } from '../../core/search/run-query.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { deny, localAclName } from '../../model/acl.ts'
import type { Document } from '../../model/document.ts'
import { everything } from '../../model/permission.ts'
import { everyone } from '../../model/principal.ts'

const usualDomain = '/default-domain'
const everyDomain = 'SELECT * FROM Domain WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:isProxy = 0 ORDER BY dc:created'
const rootName = 'UserWorkspaces'

/** The folder that holds the workspaces of all users; undefined when nobody has one yet. */
export async function findWorkspacesRoot(system: Session): Promise<Document | undefined> {
  const domain = await findDomain(system)
  return domain && system.reader.documents.findChild(domain.id, rootName)
}

/** Nobody inherits anything from above: each workspace below says for itself who may enter. Undefined without any domain. */
export async function getOrCreateWorkspacesRoot(system: WriteSession): Promise<Document | undefined> {
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
  const { documents } = await searchDocuments(system, compile(system, everyDomain), { offset: 0, limit: 1, countLimit: 1 })
  return documents[0]
}
