import { defineProblem } from '../../../base/problem.ts'
import type { Document } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import { sameValue } from '../../../model/properties/property.ts'

export const versionNotWritable = defineProblem(
  'versionNotWritable',
  'invalid',
  (of: { property: string }) => `Cannot set property on a version: ${of.property}`,
)

export const versionFacetsFixed = defineProblem(
  'versionFacetsFixed',
  'invalid',
  (of: { id: string }) => `${of.id} is a version, whose facets stay as they are. Change those of its live document.`,
)

/** Written on versions nevertheless, beside the schemas that say so: when it was published, and the text others add to it. */
const writableOnVersions = new Set(['dc:issued', 'relatedtext:relatedtextresources'])

/** @throws versionNotWritable for the first change that a version refuses. */
export function requireWritableOnVersion(model: Model, changed: ReadonlySet<string>): void {
  for (const property of changed) {
    const isWritable = writableOnVersions.has(property) || model.findProperty(property)?.schema.writableOnVersions === true
    if (!isWritable) throw versionNotWritable({ property })
  }
}

/** @throws versionFacetsFixed */
export function requireFacetsStay(version: Document, { facets }: Document): void {
  if (!sameValue(version.facets, facets)) throw versionFacetsFixed({ id: version.id })
}
