import type { ServerEvent, WriteSession } from './session.ts'
import { shortRemark } from './short-text.ts'

export const userGroupCategory = 'userGroup'

export async function announceToServer(
  session: WriteSession,
  name: string,
  details: { readonly category: string; readonly comment?: string; readonly properties?: ServerEvent['properties'] },
): Promise<void> {
  const { now: time, principal, repository } = session
  const { category, properties = {} } = details
  const comment = details.comment === undefined ? null : shortRemark(details.comment)
  for (const listener of repository.serverListeners) {
    if (listener.events.includes(name)) await listener.handle({ name, time, principal, category, comment, properties }, session)
  }
}
