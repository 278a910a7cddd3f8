import type { SaveFacts, VersioningPolicy } from '../versioning.ts'

/** One rule at both moments; the ids tell them apart. */
function beforeAndAfter(id: string, rule: Omit<VersioningPolicy, 'id' | 'when'>): readonly VersioningPolicy[] {
  return [
    { ...rule, id: `${id}-before-update`, when: 'before' },
    { ...rule, id: `${id}-after-update`, when: 'after' },
  ]
}

const membershipProperties = ['collection:documentIds', 'collectionMember:collectionIds']
// The stamps of whoever saved ride along with any change and say nothing about what it was.
const stamps = new Set(['dc:modified', 'dc:contributors', 'dc:lastContributor'])

function changesMembership({ changed }: SaveFacts): boolean {
  return membershipProperties.some((name) => changed.has(name))
}

function changesOnlyTags({ changed }: SaveFacts): boolean {
  return changed.has('nxtag:tags') && [...changed].every((name) => name === 'nxtag:tags' || stamps.has(name))
}

function hasAnotherContributor({ before, after }: SaveFacts): boolean {
  return before !== undefined && before.properties['dc:lastContributor'] !== after.properties['dc:lastContributor']
}

/** Orders 1 to 10 are reserved for rules like the first four, which only prevent. */
export const versioningPolicies: readonly VersioningPolicy[] = [
  ...beforeAndAfter('no-versioning-for-workspace', { order: 1, increment: 'none', types: ['Workspace'] }),
  ...beforeAndAfter('no-versioning-for-system', { order: 1, increment: 'none', facets: ['SystemDocument'] }),
  ...beforeAndAfter('disable-versioning', {
    order: 2,
    increment: 'none',
    condition: (save) => save.isAutomaticVersioningDisabled,
  }),
  ...beforeAndAfter('no-versioning-for-collection', { order: 2, increment: 'none', condition: changesMembership }),
  ...beforeAndAfter('no-versioning-for-faceted-tag', { order: 3, increment: 'none', condition: changesOnlyTags }),
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
