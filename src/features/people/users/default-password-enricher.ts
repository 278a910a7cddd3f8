import { Type } from '../../../rest/openapi/schema.ts'
import { defineUserEnricher } from '../../../rest/render/rendering.ts'
import { defaultPassword, firstAdministrator } from '../../../settings/administrator-password.ts'

const name = 'hasDefaultPassword'

/**
 * Whether somebody still has the password that every server begins with, so that a program can ask them to choose one. Only of the first
 * administrator, who alone begins with it, and told to nobody else: it would be an invitation.
 */
export const defaultPasswordEnricher = defineUserEnricher({
  name,
  entityType: 'user',
  adds: { [name]: Type.Boolean() },
  async enrich({ user, context: { session, services } }) {
    if (user.name !== firstAdministrator || session.principal.name !== user.name) return {}
    return { [name]: await services.principals.hasPassword(user.name, defaultPassword) }
  },
})
