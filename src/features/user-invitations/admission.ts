import { isoDate } from '../../base/iso-date.ts'
import { typedName } from '../../base/typed-name.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { InvitationRequest } from './invitation-request.ts'

/**
 * The account that the key of an invitation gives. It is stored where only the server writes: documents can be written by
 * users, and an account with its groups must not come of that.
 */
export interface Admission extends Pick<InvitationRequest, 'login' | 'user'> {
  readonly keyDigest: string
  readonly expires: string
  /** With whose rights the account is made. */
  readonly acceptedBy: string
  /** Absent from what an older program stored. */
  readonly acceptedAt?: string
  readonly isUsed: boolean
}

const keyOf = (requestId: string) => typedName<Admission>(`invitation/${requestId}`)

/** Undefined also when it is long past. */
export function findAdmission({ reader, now }: Session, requestId: string): Promise<Admission | undefined> {
  return reader.transient.find(keyOf(requestId), now)
}

// So that a late client is told that it is late, and not that there never was an invitation.
const rememberedMillis = 30 * 86_400_000

export async function storeAdmission({ tx }: WriteSession, requestId: string, admission: Admission): Promise<void> {
  const forgotten = isoDate(new Date(Date.parse(admission.expires) + rememberedMillis))
  await tx.transient.set(keyOf(requestId), admission, forgotten)
}
