import type { Document } from '../../model/document.ts'
import { defineFacet } from '../../model/document-type.ts'
import { list, string } from '../../model/field.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import { defineSchema } from '../../model/schema.ts'

/** As many as the setting lets one tree have. */
const maxChildren = 20_000

export const childrenProperty = 'snap:children'
export const nameProperty = 'snap:originalName'

export const snapshotSchema = defineSchema('snapshot', {
  prefix: 'snap',
  fields: {
    children: list(string(), {
      indexed: true,
      hasWords: false,
      maxItems: maxChildren,
      isMutual: true,
      keepsVersions: true,
    }),
    originalName: string({ hasWords: false }),
  },
})

/** Whoever may write a folder says with it that versions of its tree may be made. */
export const snapshotableFacet = 'Snapshotable'
/** What folders get with their first version: the list of what was in them. */
export const snapshotFacet = 'Snapshot'

export const snapshotFacets = [defineFacet(snapshotableFacet), defineFacet(snapshotFacet, ['snapshot', 'uid'])]

/** What was in the folder: ids of versions, and of proxies, which are no versions. */
export function partsOf(folder: Document): readonly string[] {
  return textsOf(folder, childrenProperty)
}
