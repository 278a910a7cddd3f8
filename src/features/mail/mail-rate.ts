import { isoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import type { WriteSession } from '../../core/session.ts'
import type { ValuesOf } from '../../settings/define-settings.ts'
import { mailSettings } from './settings.ts'

export const tooMuchMail = defineProblem(
  'tooMuchMail',
  'throttled',
  (of: { user: string; max: number }) =>
    `${of.user} would send more than ${of.max} mails in this hour, which is as many as one person may. Wait for the next, name fewer, or do it without mail.`,
)

const hourMillis = 3_600_000

/**
 * Counts mails that a user sends to others, so that nobody is buried under them. Administrators and the server itself send as many as
 * they like. @throws tooMuchMail
 */
export async function requireMailRate(session: WriteSession, valuesOf: ValuesOf, mails = 1): Promise<void> {
  if (await countMails(session, valuesOf, mails)) return
  throw tooMuchMail({ user: session.principal.name, max: valuesOf(mailSettings).mailMaxPerHour })
}

/** The same for mails that can be left out: false, and none of them is counted, where they would be too many. */
export async function countMails({ tx, principal, now }: WriteSession, valuesOf: ValuesOf, mails: number): Promise<boolean> {
  if (principal.isAdministrator || mails === 0) return true
  const hour = Math.floor(Date.parse(now) / hourMillis)
  const key = `mail/sent/${hour}/${principal.name}`
  const count = (by: number) => tx.transient.increase(key, by, isoDate(new Date((hour + 1) * hourMillis)), now)
  if ((await count(mails)) <= valuesOf(mailSettings).mailMaxPerHour) return true
  await count(-mails)
  return false
}
