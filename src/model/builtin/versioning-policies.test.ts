import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aDocument } from '../../../test/support/model/builders.ts'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { findPolicy, type SaveFacts } from '../versioning.ts'

const model = builtinModel

interface Save extends Partial<SaveFacts> {
  readonly type: string
  readonly facets?: readonly string[]
}

function incrementOf(when: 'before' | 'after', { type, facets = [], ...facts }: Save) {
  const document = aDocument({ type, facets })
  const save: SaveFacts = {
    before: document,
    after: document,
    changed: new Set(['dc:title']),
    source: undefined,
    isAutomaticVersioningDisabled: false,
    ...facts,
  }
  return findPolicy(model.versioningPolicies, when, model.shapeOf(document), save)?.increment
}

const byAlice = aDocument({ properties: { 'dc:lastContributor': 'alice' } })
const byBob = aDocument({ properties: { 'dc:lastContributor': 'bob' } })
const otherContributor = { before: byAlice, after: byBob }

describe('after a save', () => {
  test('a note gets a minor version', () => assert.equal(incrementOf('after', { type: 'Note' }), 'minor'))
  test('a new note does too', () => assert.equal(incrementOf('after', { type: 'Note', before: undefined }), 'minor'))
  test('a file gets none', () => assert.equal(incrementOf('after', { type: 'File', ...otherContributor }), undefined))

  const preventing: [string, Omit<Save, 'type'>][] = [
    ['the request says so', { isAutomaticVersioningDisabled: true }],
    ['its place in a collection changes', { changed: new Set(['collectionMember:collectionIds', 'dc:title']) }],
    ['only its tags change', { changed: new Set(['nxtag:tags']) }],
    ['only its tags change, with the stamps of the save', { changed: new Set(['nxtag:tags', 'dc:modified', 'dc:contributors']) }],
    ['it is a system document', { facets: ['SystemDocument'] }],
  ]
  for (const [reason, facts] of preventing) {
    test(`a note gets none when ${reason}`, () => assert.equal(incrementOf('after', { type: 'Note', ...facts }), 'none'))
  }
  test('a note whose tags and title change gets one', () => {
    assert.equal(incrementOf('after', { type: 'Note', changed: new Set(['nxtag:tags', 'dc:title']) }), 'minor')
  })
  test('a note of which only stamps change gets one', () => {
    assert.equal(incrementOf('after', { type: 'Note', changed: new Set(['dc:modified']) }), 'minor')
  })
})

describe('before a save', () => {
  test('what another contributor left of a file gets a minor version', () => {
    for (const type of ['File', 'Picture', 'Video', 'Audio', 'Section']) {
      assert.equal(incrementOf('before', { type, ...otherContributor }), 'minor', type)
    }
  })
  test('what the same contributor left does not', () => {
    assert.equal(incrementOf('before', { type: 'File', before: byAlice, after: byAlice }), undefined)
  })
  test('a new file has nothing to keep', () =>
    assert.equal(incrementOf('before', { type: 'File', before: undefined, after: byBob }), undefined))
  test('a document without the schema file is left alone', () => {
    for (const type of ['Note', 'Folder', 'Collection'])
      assert.equal(incrementOf('before', { type, ...otherContributor }), undefined, type)
  })
  test('a workspace is never versioned, although it has the schema file', () => {
    assert.equal(incrementOf('before', { type: 'Workspace', ...otherContributor }), 'none')
  })
  test('a file is not versioned for a tag of another user', () => {
    assert.equal(
      incrementOf('before', { type: 'File', ...otherContributor, changed: new Set(['nxtag:tags', 'dc:lastContributor']) }),
      'none',
    )
  })
})

test('every policy has an id of its own', () => {
  const ids = model.versioningPolicies.map((policy) => policy.id)
  assert.equal(new Set(ids).size, ids.length)
})
