import type { IsoDate } from '../../../base/iso-date.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { aceId, hasAceId } from '../../../model/rights/ace-id.ts'
import { grant, localAclName, sameAce, wholeSeconds } from '../../../model/rights/acl.ts'
import { withAceReplaced } from '../../../model/rights/acl-change.ts'
import { actingName } from '../../../model/rights/principal.ts'
import type { WriteSession } from '../../session.ts'
import { type AceNote, findAceNote } from './ace-note.ts'
import { changeAcls, ownAclName } from './change-acls.ts'

export interface ReplacedPermission {
  /** The id of the entry to be replaced. */
  readonly id: string
  readonly username: string
  readonly permission: string
  readonly acl?: string
  readonly begin?: IsoDate | null
  readonly end?: IsoDate | null
  readonly notify?: boolean
  readonly comment?: string | null
}

/** Puts a grant in the place of an entry. Nothing where there is no such entry. @throws invalidAceId */
export function replacePermission(session: WriteSession, id: DocumentId, replaced: ReplacedPermission): Promise<Document> {
  const { username, permission, begin = null, end = null, notify = false, comment = null } = replaced
  const aclName = ownAclName(replaced.acl ?? localAclName)
  const isOld = hasAceId(replaced.id)
  const newACE = wholeSeconds(grant(username, permission, { creator: actingName(session.principal), begin, end }))
  return changeAcls(session, id, async (document) => {
    const oldACE = document.acls.find((acl) => acl.name === aclName)?.aces.find(isOld)
    if (oldACE === undefined) return undefined
    const note = { notify, comment }
    if (sameAce(oldACE, newACE) && sameNote(note, await findAceNote(session, document, aclName, aceId(oldACE)))) return undefined
    return {
      acls: withAceReplaced(document.acls, aclName, isOld, newACE),
      notes: [{ aclName, aceId: aceId(newACE), ...note }],
      told: { oldACE, newACE, changedACLName: aclName },
    }
  })
}

function sameNote(note: AceNote, stored: AceNote = { notify: false, comment: null }): boolean {
  return note.notify === stored.notify && note.comment === stored.comment
}
