import type { IsoDate } from '../../../base/iso-date.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { aceId, hasAceId } from '../../../model/rights/ace-id.ts'
import { type Ace, grant, sameAce } from '../../../model/rights/acl.ts'
import { withAceReplaced } from '../../../model/rights/acl-change.ts'
import { actingName } from '../../../model/rights/principal.ts'
import type { WriteSession } from '../../session.ts'
import { type AceNote, findAceNote } from './ace-note.ts'
import { changeAcls, ownAclName } from './change-acls.ts'
import { prepareAces } from './prepare-aces.ts'

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

/**
 * Puts a grant in the place of an entry. Nothing where there is no such entry.
 * @throws invalidAceId, unknownNames, invalidPermission
 */
export function replacePermission(session: WriteSession, id: DocumentId, replaced: ReplacedPermission): Promise<Document> {
  const { notify = false, comment = null } = replaced
  const aclName = ownAclName(replaced.acl)
  const isOld = hasAceId(replaced.id)
  return changeAcls(session, id, async (document) => {
    const oldACE = document.acls.find((acl) => acl.name === aclName)?.aces.find(isOld)
    if (oldACE === undefined) return undefined
    const newACE = await aceOf(session, replaced)
    const note = { notify, comment }
    if (sameAce(oldACE, newACE) && sameNote(note, await findAceNote(session, document, aclName, aceId(oldACE)))) return undefined
    return {
      acls: withAceReplaced(document.acls, aclName, isOld, newACE),
      notes: [{ aclName, aceId: aceId(newACE), ...note }],
      told: { oldACE, newACE, changedACLName: aclName },
    }
  })
}

async function aceOf(
  session: WriteSession,
  { username, permission, begin = null, end = null }: ReplacedPermission,
): Promise<Ace> {
  const asked = grant(username, permission, { creator: actingName(session.principal), begin, end })
  const [ace = asked] = await prepareAces(session, [asked])
  return ace
}

function sameNote(note: AceNote, stored: AceNote = { notify: false, comment: null }): boolean {
  return note.notify === stored.notify && note.comment === stored.comment
}
