import type { ServerListener } from '../../core/session.ts'
import { revokeTokens } from './token-bindings.ts'

/** A token is bound to a name: without this the next user of the name would be served to whoever has it. */
export const removeTokensOfRemoved: ServerListener = {
  name: 'removeTokensOfRemoved',
  events: ['nameReleased'],
  async handle({ properties }, session) {
    await revokeTokens(session, { userName: String(properties['id']) })
  },
}
