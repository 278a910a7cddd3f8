import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aDocument } from '../../test/support/model/builders.ts'
import { builtinContributions, builtinModel } from '../../test/support/model/builtin-model.ts'
import { createModel } from './model.ts'
import { modelMistake } from './model-contributions.ts'
import {
  allowedOptions,
  findPolicy,
  initialVersion,
  invalidVersioningOption,
  isImmutable,
  nextVersion,
  parseVersioningOption,
  type SaveFacts,
  type VersioningPolicy,
  type VersioningRestriction,
  versionLabel,
} from './versioning.ts'

const model = builtinModel
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
    assert.deepEqual(allowedOptions([], file, 'project'), ['none', 'minor', 'major'])
    assert.deepEqual(allowedOptions([], folder, 'project'), ['none'])
  })
  test('decides the next numbers', () => {
    const at = { majorVersion: 1, minorVersion: 2 }
    assert.deepEqual(nextVersion(at, 'none'), { majorVersion: 1, minorVersion: 2 })
    assert.deepEqual(nextVersion(at, 'minor'), { majorVersion: 1, minorVersion: 3 })
    assert.deepEqual(nextVersion(at, 'major'), { majorVersion: 2, minorVersion: 0 })
  })
})

describe('a restriction of options', () => {
  const ofFiles: VersioningRestriction = { type: 'File', allowed: { approved: ['major'], obsolete: [] } }
  const ofAll: VersioningRestriction = { type: '*', allowed: { project: ['none', 'minor'], '*': ['none'] } }
  const rows: [string, readonly VersioningRestriction[], string, readonly string[]][] = [
    ['of the type and state decides', [ofAll, ofFiles], 'approved', ['major']],
    ['may leave nothing', [ofFiles], 'obsolete', []],
    [
      'of the type leaves the states it does not name alone, whatever others say',
      [ofAll, ofFiles],
      'project',
      ['none', 'minor', 'major'],
    ],
    ['of all types decides where the type has none', [ofAll], 'project', ['none', 'minor']],
    ['of all states decides where the state is not named', [ofAll], 'deleted', ['none']],
  ]
  for (const [sentence, restrictions, state, options] of rows) {
    test(sentence, () => assert.deepEqual(allowedOptions(restrictions, file, state), options))
  }
  test('gives no options to what is not Versionable', () => {
    assert.deepEqual(allowedOptions([{ type: '*', allowed: { '*': ['major'] } }], folder, 'project'), ['none'])
  })
  test('of a type that does not exist is a mistake', () => {
    const versioningRestrictions = [{ type: 'Nothing', allowed: {} }]
    assert.throws(() => createModel({ ...builtinContributions, versioningRestrictions }), modelMistake.is)
    assert.doesNotThrow(() => createModel({ ...builtinContributions, versioningRestrictions: [ofAll, ofFiles] }))
  })
})

describe('what is immutable', () => {
  const rows: [string, Parameters<typeof aDocument>[0], boolean][] = [
    ['a live document is not', {}, false],
    ['a version is', { isVersion: true, seriesId: 'live' }, true],
    ['a proxy to a version is', { isProxy: true, targetId: 'version', seriesId: 'live' }, true],
    ['a proxy to a live document is not', { isProxy: true, targetId: 'live', seriesId: 'live' }, false],
  ]
  for (const [sentence, options, expected] of rows) {
    test(sentence, () => assert.equal(isImmutable(aDocument(options)), expected))
  }
})

describe('of several policies', () => {
  const facts: SaveFacts = {
    before: undefined,
    after: aDocument(),
    changed: new Set(['dc:title']),
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
  test('type, facet, schema, what changes and condition must all match', () => {
    const matching = { types: ['Note', 'File'], facets: ['Folderish', 'Versionable'], schemas: ['note', 'file'] }
    assert.equal(chosen(aPolicy('a', { ...matching, condition: (save) => save.source === 'drive' })), 'a')
    assert.equal(chosen(aPolicy('a', { ...matching, changes: ['dc:title', 'dc:rights'] })), 'a')
    for (const wrong of [
      { changes: ['dc:rights'] },
      { types: ['Note'] },
      { facets: ['Folderish'] },
      { schemas: ['note'] },
      { condition: () => false },
    ]) {
      assert.equal(chosen(aPolicy('a', { ...matching, ...wrong })), undefined, JSON.stringify(wrong))
    }
  })
  test('the first matching one that names first numbers gives them, else they are 0.0', () => {
    const first = (...policies: VersioningPolicy[]) => Object.values(initialVersion(policies, file, facts))
    const at = (major: number, minor: number) => ({ initialVersion: { major, minor } })
    assert.deepEqual(first(aPolicy('a')), [0, 0])
    assert.deepEqual(first(aPolicy('a'), aPolicy('b', at(3, 1)), aPolicy('c', at(4, 0))), [3, 1])
    assert.deepEqual(first(aPolicy('a', { when: 'before', ...at(1, 0) })), [1, 0])
    assert.deepEqual(first(aPolicy('a', { types: ['Note'], ...at(1, 0) }), aPolicy('b', at(2, 0))), [2, 0])
  })
})
