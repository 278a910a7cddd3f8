import { beforeAndAfter, type SaveFacts, type VersioningPolicy } from '../versioning.ts'

function hasAnotherContributor({ before, after }: SaveFacts): boolean {
  return before !== undefined && before.properties['dc:lastContributor'] !== after.properties['dc:lastContributor']
}

/** Orders 1 to 10 are reserved for rules like the first three, which only prevent. */
export const versioningPolicies: readonly VersioningPolicy[] = [
  ...beforeAndAfter('no-versioning-for-workspace', { order: 1, increment: 'none', types: ['Workspace'] }),
  ...beforeAndAfter('no-versioning-for-system', { order: 1, increment: 'none', facets: ['SystemDocument'] }),
  ...beforeAndAfter('disable-versioning', {
    order: 2,
    increment: 'none',
    condition: (save) => save.isAutomaticVersioningDisabled,
  }),
  { id: 'note-as-wiki', order: 50, when: 'after', increment: 'minor', types: ['Note'] },
  {
    id: 'collaborative-save',
    order: 100,
    when: 'before',
    increment: 'minor',
    schemas: ['file'],
    condition: hasAnotherContributor,
  },
]
