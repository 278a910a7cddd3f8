import { definePlugin } from '../../plugin/define-plugin.ts'
import { aclsEnricher } from './acls.ts'
import { breadcrumbEnricher, firstAccessibleAncestorEnricher } from './ancestry.ts'
import { childrenEnricher, hasContentEnricher, hasFolderishChildEnricher } from './content.ts'
import { highlightEnricher } from './highlight.ts'
import { documentUrlEnricher, previewEnricher, thumbnailEnricher } from './links.ts'
import { collectionsEnricher, favoritesEnricher } from './membership.ts'
import { permissionsEnricher, userVisiblePermissionsEnricher } from './permissions.ts'
import { publicationsEnricher } from './publications.ts'
import { subscribedNotificationsEnricher, tagsEnricher } from './stored-marks.ts'
import { subtypesEnricher } from './subtypes.ts'

/** What clients may ask to be told beside a document: who may do what, what is around it, where its pictures are. */
export default definePlugin({
  name: 'document-enrichers',
  requires: ['user-workspaces'],
  enrichers: [
    aclsEnricher,
    breadcrumbEnricher,
    childrenEnricher,
    collectionsEnricher,
    documentUrlEnricher,
    favoritesEnricher,
    firstAccessibleAncestorEnricher,
    hasContentEnricher,
    hasFolderishChildEnricher,
    highlightEnricher,
    permissionsEnricher,
    previewEnricher,
    publicationsEnricher,
    subscribedNotificationsEnricher,
    subtypesEnricher,
    tagsEnricher,
    thumbnailEnricher,
    userVisiblePermissionsEnricher,
  ],
})
