import { listPermissionsSeen } from '../../core/documents/proxies/permissions-seen.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

/** Every permission there is that the caller has on the document. */
export const permissionsEnricher = defineEnricher({
  name: 'permissions',
  entityType: 'document',
  adds: { permissions: Type.Array(Type.String()) },
  async enrich({ document, isStored, context }) {
    if (!isStored) return {}
    return { permissions: await listPermissionsSeen(context.session, document) }
  },
})

/** The permissions that user interfaces offer to give on documents of the type, the same for all users. */
export const userVisiblePermissionsEnricher = defineEnricher({
  name: 'userVisiblePermissions',
  entityType: 'document',
  adds: { userVisiblePermissions: Type.Array(Type.String()) },
  async enrich({ document, context }) {
    const offered = context.session.model.permissions.visible.filter(
      ({ types }) => types === '*' || types.includes(document.type),
    )
    return { userVisiblePermissions: offered.map(({ name }) => name) }
  },
})
