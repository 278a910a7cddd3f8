import { definePlugin } from '../../plugin/define-plugin.ts'
import { documentUrlSettings } from '../../rest/document-url.ts'
import { aclsEnricher } from './acls.ts'
import { breadcrumbEnricher, firstAccessibleAncestorEnricher } from './ancestry.ts'
import { childrenEnricher, hasContentEnricher, hasFolderishChildEnricher } from './content.ts'
import { highlightEnricher } from './highlight.ts'
import { documentUrlEnricher, previewEnricher, thumbnailEnricher } from './links.ts'
import { permissionsEnricher, userVisiblePermissionsEnricher } from './permissions.ts'
import { enricherSettings } from './settings.ts'
import { offeredTypesFacet, offeredTypesSchema, subtypesEnricher } from './subtypes.ts'
import { versionEnricher } from './version.ts'

/** What clients may ask to be told beside a document: who may do what, what is around it, where its pictures are. */
export default definePlugin({
  name: 'document-enrichers',
  requires: ['content-model'],
  schemas: [offeredTypesSchema],
  facets: [offeredTypesFacet],
  enrichers: [
    breadcrumbEnricher,
    childrenEnricher,
    firstAccessibleAncestorEnricher,
    hasContentEnricher,
    hasFolderishChildEnricher,
    highlightEnricher,
    permissionsEnricher,
    previewEnricher,
    subtypesEnricher,
    thumbnailEnricher,
    userVisiblePermissionsEnricher,
    versionEnricher,
  ],
  settings: enricherSettings,
  contribute: ({ aclEnricherCompatibility }, services) => ({
    enrichers: [
      aclsEnricher({ repeatsEntries: aclEnricherCompatibility }),
      documentUrlEnricher(() => services.valuesOf(documentUrlSettings).documentUrlPattern),
    ],
  }),
})
