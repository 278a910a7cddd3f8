import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { snapshotOperations } from './operations.ts'
import { treeSnapshotSettings } from './settings.ts'
import { snapshotListeners, snapshotServerListeners } from './snapshot-listeners.ts'
import { snapshotFacets, snapshotSchema } from './snapshot-model.ts'

/** Versions of folder trees: each version of a folder names those of what was in it. */
export default definePlugin({
  name: 'tree-snapshots',
  requires: ['content-model'],
  schemas: [snapshotSchema],
  facets: snapshotFacets,
  events: eventsOf('before', 'aboutToCreateLeafVersionEvent'),
  listeners: snapshotListeners,
  serverListeners: snapshotServerListeners,
  settings: treeSnapshotSettings,
  contribute: ({ treeSnapshotMaxDocuments }) => ({ operations: snapshotOperations(treeSnapshotMaxDocuments) }),
})
