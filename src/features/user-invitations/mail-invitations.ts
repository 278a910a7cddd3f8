import type { ServerListener } from '../../core/session.ts'
import { displayName, mailAddress } from '../mail/index.ts'
import { invitationToSend } from './answer-invitation.ts'

/** Sends the link to the person who is invited (contract: people 6). */
export const mailInvitations: ServerListener = {
  name: 'mailInvitations',
  events: [invitationToSend],
  async handle({ properties }, session) {
    const { email, login, path, expires, comment } = properties
    if (![email, login, path, expires].every((value) => typeof value === 'string')) return
    await mailAddress(session, {
      template: 'userInvitation',
      address: String(email),
      name: displayName(String(login), properties),
      words: {
        texts: { login: String(login), comment: typeof comment === 'string' ? comment : '' },
        dates: { expires: String(expires) },
        paths: { invitationUrl: String(path) },
      },
    })
  },
}
