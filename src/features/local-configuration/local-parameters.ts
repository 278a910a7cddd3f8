import { ancestorPaths } from '../../core/documents/ancestors.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { defineFacet } from '../../model/document-type.ts'
import { complex, list, string } from '../../model/field.ts'
import { isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import { defineSchema } from '../../model/schema.ts'

export const localConfigurationSchema = defineSchema('simpleconfiguration', {
  prefix: 'sconf',
  fields: { simpleConfigurationParameters: list(complex({ key: string(), value: string() }), { itemName: 'parameter' }) },
})

export const localConfigurationFacet = defineFacet('SimpleConfiguration', [localConfigurationSchema.name])

export const parametersProperty = 'sconf:simpleConfigurationParameters'

/** What a document sets for itself and all below it, by key. */
export function parametersOf({ properties }: Document): ReadonlyMap<string, string> {
  const stored = properties[parametersProperty]
  const entries: readonly PropertyValue[] = Array.isArray(stored) ? stored : []
  return new Map(entries.filter(isComplexValue).map(({ key, value }) => [String(key), String(value ?? '')]))
}

/** The property with some parameters set. */
export function withParameters(document: Document, set: ReadonlyMap<string, string>): PropertyValue {
  return [...new Map([...parametersOf(document), ...set])].map(([key, value]) => ({ key, value }))
}

/** What is set for a document: by itself, or by the nearest folder around it that sets anything for the key. */
export async function findParameter(session: Session, document: Document, key: string): Promise<string | undefined> {
  const own = parametersOf(document).get(key)
  if (own !== undefined || document.path === null || document.path === '/') return own
  // Settings count for those, too, who cannot see the folder that makes them.
  const folders = await session.reader.documents.findAllByPath(['/', ...ancestorPaths(document.path)])
  const nearest = folders.findLast((folder) => parametersOf(folder).has(key))
  return nearest && parametersOf(nearest).get(key)
}
