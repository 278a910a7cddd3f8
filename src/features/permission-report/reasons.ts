import { findStored } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Ace, sameAce } from '../../model/rights/acl.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { aceSchema, writeAce } from '../../rest/render/acl-json.ts'
import { placeSchema, showPlace } from './place.ts'

export const reasonSchema = Type.Object(
  {
    ace: aceSchema,
    acl: Type.Nullable(Type.String()),
    place: Type.Nullable(placeSchema, {
      description: 'The document that has the entry, itself or one above; null for a version',
    }),
  },
  { $id: 'PermissionReason' },
)

/** An entry that decides about a document, and the document that has it. */
export interface OriginatedAce {
  readonly ace: Ace
  /** Undefined for a version, which follows what it is one of. */
  readonly origin: { readonly acl: string; readonly document: Document } | undefined
}

/** The entries that decide about a document, in the order in which they do, each with where it comes from. */
export async function listOriginatedAces(session: Session, document: Document): Promise<readonly OriginatedAce[]> {
  const aces = await session.repository.acps.entriesOf(session, document.acpId)
  const above: { readonly ace: Ace; readonly acl: string; readonly document: Document }[] = []
  let next: Document | undefined = document
  // As far up as the entries come from: an entry that denies everyone everything may end them early.
  while (next !== undefined && above.length < aces.length) {
    const holder: Document = next
    above.push(...holder.acls.flatMap(({ name, aces: own }) => own.map((ace) => ({ ace, acl: name, document: holder }))))
    next = holder.parentId === null ? undefined : await findStored(session, holder.parentId)
  }
  let from = 0
  return aces.map((ace) => {
    const at = above.findIndex((one, index) => index >= from && sameAce(one.ace, ace))
    const found = above[at]
    if (found === undefined) return { ace, origin: undefined }
    from = at + 1
    return { ace, origin: { acl: found.acl, document: found.document } }
  })
}

export function showReason({ now }: Session, { ace, origin }: OriginatedAce): Static<typeof reasonSchema> {
  return {
    ace: writeAce(ace, now),
    acl: origin?.acl ?? null,
    place: origin === undefined ? null : showPlace(origin.document),
  }
}
