import { definePlugin } from '../../plugin/define-plugin.ts'
import { documentUrlSettings } from '../../rest/document-url.ts'
import { aclsEnricher } from './acls.ts'
import { breadcrumbEnricher, firstAccessibleAncestorEnricher } from './ancestry.ts'
import { childrenEnricher, hasContentEnricher, hasFolderishChildEnricher } from './content.ts'
import { highlightEnricher } from './highlight.ts'
import { documentUrlEnricher, previewEnricher, thumbnailEnricher } from './links.ts'
import { permissionsEnricher, subtypesEnricher, userVisiblePermissionsEnricher } from './permissions.ts'
import { enricherSettings } from './settings.ts'
import { versionEnricher } from './version.ts'

/** What clients may ask to be told beside a document: who may do what, what is around it, where its pictures are. */
export default definePlugin({
  name: 'document-enrichers',
  requires: ['content-model'],
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
