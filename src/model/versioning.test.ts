import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentModel } from './builtin/content-model.ts'
import { createModel } from './model.ts'
import { aDocument } from './test-builders.ts'
import {
  findPolicy,
  invalidVersioningOption,
  isVersioningAllowed,
  nextVersion,
  parseVersioningOption,
  type SaveFacts,
  type VersioningPolicy,
  versionLabel,
} from './versioning.ts'

const model = createModel(contentModel)
const file = model.shapeOf({ type: 'File' })
const folder = model.shapeOf({ type: 'Folder' })

describe('the label of a document', () => {
  const rows: [string, Parameters<typeof aDocument>[0], string][] = [
    ['new', {}, '0.0'],
    ['checked in', { minorVersion: 1, isCheckedIn: true }, '0.1'],
    ['changed since', { minorVersion: 1 }, '0.1+'],
    ['checked in as major', { majorVersion: 1, isCheckedIn: true }, '1.0'],
    ['changed since the major', { majorVersion: 1 }, '1.0+'],
    ['a version', { minorVersion: 1, isVersion: true }, '0.1'],
  ]
  for (const [sentence, options, label] of rows) {
    test(`${sentence} is ${label}`, () => assert.equal(versionLabel(aDocument(options), file), label))
  }
  test('is empty for a type without version properties', () => {
    assert.equal(versionLabel(aDocument({ type: 'Folder', majorVersion: 1 }), folder), '')
  })
})

describe('a versioning option', () => {
  test('is read in any case', () => {
    assert.deepEqual(['NONE', 'minor', ' Major '].map(parseVersioningOption), ['none', 'minor', 'major'])
  })
  test('that does not exist is refused', () => {
    for (const text of ['', 'patch', 'MINORS']) assert.throws(() => parseVersioningOption(text), invalidVersioningOption.is)
  })
  test('other than none needs the facet Versionable', () => {
    assert.deepEqual(
      (['none', 'minor', 'major'] as const).map((option) => isVersioningAllowed(file, option)),
      [true, true, true],
    )
    assert.deepEqual(
      (['none', 'minor', 'major'] as const).map((option) => isVersioningAllowed(folder, option)),
      [true, false, false],
    )
  })
  test('decides the next numbers', () => {
    const at = { majorVersion: 1, minorVersion: 2 }
    assert.deepEqual(nextVersion(at, 'none'), { majorVersion: 1, minorVersion: 2 })
    assert.deepEqual(nextVersion(at, 'minor'), { majorVersion: 1, minorVersion: 3 })
    assert.deepEqual(nextVersion(at, 'major'), { majorVersion: 2, minorVersion: 0 })
  })
})

describe('of several policies', () => {
  const facts: SaveFacts = {
    before: undefined,
    after: aDocument(),
    changed: new Set(),
    source: 'drive',
    isAutomaticVersioningDisabled: false,
  }
  const aPolicy = (id: string, options: Partial<VersioningPolicy> = {}): VersioningPolicy => ({
    id,
    order: 1,
    when: 'after',
    increment: 'minor',
    ...options,
  })
  const chosen = (...policies: VersioningPolicy[]) => findPolicy(policies, 'after', file, facts)?.id

  test('the first that matches is taken', () => assert.equal(chosen(aPolicy('a'), aPolicy('b')), 'a'))
  test('one of the other moment is passed over', () => assert.equal(chosen(aPolicy('a', { when: 'before' }), aPolicy('b')), 'b'))
  test('type, facet, schema and condition must all match', () => {
    const matching = { types: ['Note', 'File'], facets: ['Folderish', 'Versionable'], schemas: ['note', 'file'] }
    assert.equal(chosen(aPolicy('a', { ...matching, condition: (save) => save.source === 'drive' })), 'a')
    for (const wrong of [{ types: ['Note'] }, { facets: ['Folderish'] }, { schemas: ['note'] }, { condition: () => false }]) {
      assert.equal(chosen(aPolicy('a', { ...matching, ...wrong })), undefined, JSON.stringify(wrong))
    }
  })
})
