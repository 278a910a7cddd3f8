import { isoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import type { WriteSession } from '../../core/session.ts'
import type { ValuesOf } from '../../settings/define-settings.ts'
import { mailSettings } from './settings.ts'

export const tooMuchMail = defineProblem(
  'tooMuchMail',
  'throttled',
  (of: { user: string; max: number }) =>
    `${of.user} has sent ${of.max} mails in this hour, which is as many as one person may. Wait for the next, or do it without mail.`,
)

const hourMillis = 3_600_000

/**
 * Counts mails that a user sends to others, so that nobody is buried under them. Administrators and the server itself send as many as
 * they like. @throws tooMuchMail
 */
export async function requireMailRate({ tx, principal, now }: WriteSession, valuesOf: ValuesOf, mails = 1): Promise<void> {
  if (principal.isAdministrator) return
  const { mailMaxPerHour: max } = valuesOf(mailSettings)
  const hour = Math.floor(Date.parse(now) / hourMillis)
  const key = `mail/sent/${hour}/${principal.name}`
  const sent = Number((await tx.transient.find(key, now)) ?? 0) + mails
  if (sent > max) throw tooMuchMail({ user: principal.name, max })
  await tx.transient.set(key, sent, isoDate(new Date((hour + 1) * hourMillis)))
}
