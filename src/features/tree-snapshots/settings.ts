import { defineSettings } from '../../settings/define-settings.ts'

export const treeSnapshotSettings = defineSettings({
  treeSnapshotMaxDocuments: {
    type: 'integer',
    default: 2_000,
    min: 1,
    max: 20_000,
    help: 'Most documents of a folder tree that one call makes a version of, or brings back: one transaction holds them all',
  },
})
