import type { IsoDate } from '../../base/iso-date.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { aceId } from '../../model/rights/ace-id.ts'
import { type Ace, type Acl, aceStatus, inheritedAclName, inheritedNow } from '../../model/rights/acl.ts'
import { type Static, Type } from '../openapi/schema.ts'

const moment = Type.Nullable(Type.Moment())

/** An entry of an ACL, also as the acls enricher shows it. */
export const aceSchema = Type.Object(
  {
    id: Type.String({ description: '`user:permission:granted:creator:begin:end`, by which operations replace and remove it' }),
    username: Type.String({ description: 'A user or a group' }),
    permission: Type.String(),
    granted: Type.Boolean(),
    creator: Type.Nullable(Type.String()),
    begin: moment,
    end: moment,
    status: Type.Enum(['pending', 'effective', 'archived']),
  },
  { $id: 'Ace' },
)

/** The ACLs that decide about a document, in the order in which they do: its own, then all that it inherits now as one. */
export async function listShownAcls(session: Session, document: Document): Promise<readonly Acl[]> {
  const own = document.acls
  const effective = await session.repository.acps.entriesOf(session, document.acpId)
  // The effective list starts with the document's own entries; what is behind them came from above.
  const ownCount = own.reduce((count, acl) => count + acl.aces.length, 0)
  const inherited = inheritedNow(effective.slice(ownCount), own, session.now)
  return inherited.length === 0 ? own : [...own, { name: inheritedAclName, aces: inherited }]
}

export function writeAce(ace: Ace, now: IsoDate): Static<typeof aceSchema> {
  return {
    id: aceId(ace),
    username: ace.username,
    permission: ace.permission,
    granted: ace.granted,
    creator: ace.creator,
    begin: ace.begin,
    end: ace.end,
    status: aceStatus(ace, now),
  }
}
