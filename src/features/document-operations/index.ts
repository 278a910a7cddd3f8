import { definePlugin } from '../../plugin/define-plugin.ts'
import { fetchByProperty, getChild, getChildren, getDocument, getParent } from './fetching.ts'
import { filterDocuments } from './filtering.ts'
import { followLifecycleTransition, lock, unlock } from './lifecycle-and-locks.ts'
import { addItem, addItemToListProperty, removeEntry, removeItemFromListProperty } from './list-properties.ts'
import { copy, create, deleteForGood, move, order } from './place.ts'
import { reload, removeProperty, save, setProperty, update } from './properties.ts'
import { createLiveProxy, removeAllProxies } from './proxies.ts'
import { addFacet, copySchema, removeFacet, resetSchema } from './schemas-and-facets.ts'
import { emptyTrashOf, trash, untrash } from './trash.ts'
import { checkIn, checkOut, createVersion, getLastVersion, getSourceDocument, getVersions, restore } from './versions.ts'

/** What can be done to documents through the command endpoint. */
export default definePlugin({
  name: 'document-operations',
  requires: ['content-model'],
  operations: [
    ...[getDocument, getChild, getChildren, getParent, fetchByProperty, filterDocuments],
    ...[update, setProperty, removeProperty, save, reload],
    ...[addItem, removeEntry, addItemToListProperty, removeItemFromListProperty],
    ...[copySchema, resetSchema, addFacet, removeFacet],
    ...[create, copy, move, order, deleteForGood],
    ...[followLifecycleTransition, lock, unlock],
    ...[trash, untrash, emptyTrashOf],
    ...[checkIn, checkOut, createVersion, getVersions, getLastVersion, restore, getSourceDocument],
    ...[removeAllProxies, createLiveProxy],
  ],
})
