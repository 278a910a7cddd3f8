import type { Enricher } from '../render/rendering.ts'
import { type Fields, type ObjectSchema, type Schema, Type } from './schema.ts'

const ids: { readonly [entityType in Enricher['entityType']]: string } = {
  document: 'DocumentContextParameters',
  user: 'UserContextParameters',
}

/** What stands below `contextParameters` of an entity: which plugins there are decides that. */
export function contextParametersOf(entityType: Enricher['entityType']): Schema<{ readonly [key: string]: unknown }> {
  return Type.Ref<{ readonly [key: string]: unknown }>(ids[entityType])
}

/** The shapes that those refer to. Of an enricher that declares none nothing is known, and the object is open. */
export function contextParametersSchemas(enrichers: readonly Enricher[]): readonly ObjectSchema[] {
  return (['document', 'user'] as const).map((entityType) => {
    const ofType = enrichers.filter((one) => one.entityType === entityType)
    const added: [string, Schema][] = ofType.flatMap(({ adds = {} }) => Object.entries(adds))
    const properties: Fields = Object.fromEntries(added.map(([key, schema]) => [key, Type.Optional(schema)]))
    const isOpen = ofType.length === 0 || ofType.some(({ adds }) => adds === undefined)
    return Type.Object(properties, {
      $id: ids[entityType],
      description: `What the enrichers add that \`enrichers.${entityType}\` names`,
      ...(isOpen && { additionalProperties: true }),
    })
  })
}
