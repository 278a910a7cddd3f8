import type { EntityWriter } from '../../rest/render/rendering.ts'

/** A user or group that a row tells of. */
export interface CreatedPrincipal {
  readonly type: 'user' | 'group'
  readonly id: string
}

/** Shows it among documents, of which clients look at nothing but the properties (contract: adapters 4.4). Nothing when it is gone. */
export const createdPrincipalWriter: EntityWriter = {
  entityType: 'createdPrincipal',
  async write(context, value) {
    const { type, id } = value as CreatedPrincipal
    const shown = await context.rendering.entityWriters.get(type)?.write(context, id)
    if (shown === undefined) return undefined
    const { properties = {} } = shown as { readonly properties?: { readonly [field: string]: unknown } }
    return {
      'entity-type': 'document',
      repository: context.session.repository.name,
      uid: id,
      path: id,
      type,
      title: id,
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [`${type}:${name}`, field])),
    }
  },
}
