import { definePlugin } from '../../plugin/define-plugin.ts'
import { aclsEnricher } from './acls.ts'
import { breadcrumbEnricher, firstAccessibleAncestorEnricher } from './ancestry.ts'
import { childrenEnricher, hasContentEnricher, hasFolderishChildEnricher } from './content.ts'
import { highlightEnricher } from './highlight.ts'
import { documentUrlEnricher, previewEnricher, thumbnailEnricher } from './links.ts'
import { permissionsEnricher, subtypesEnricher, userVisiblePermissionsEnricher } from './permissions.ts'

/** What clients may ask to be told beside a document: who may do what, what is around it, where its pictures are. */
export default definePlugin({
  name: 'document-enrichers',
  requires: ['content-model'],
  enrichers: [
    aclsEnricher,
    breadcrumbEnricher,
    childrenEnricher,
    documentUrlEnricher,
    firstAccessibleAncestorEnricher,
    hasContentEnricher,
    hasFolderishChildEnricher,
    highlightEnricher,
    permissionsEnricher,
    previewEnricher,
    subtypesEnricher,
    thumbnailEnricher,
    userVisiblePermissionsEnricher,
  ],
})
