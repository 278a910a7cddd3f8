import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import { createQueryCompiler } from '../../../nxql/query-compiler.ts'
import { defaultQuerySettings } from '../../../nxql/query-settings.ts'
import { anyOf, findAggregateField } from './aggregate-field.ts'
import { literalOfKey } from './value-key.ts'

const compile = createQueryCompiler(builtinModel, defaultQuerySettings)

function select(field: string, ...keys: readonly string[]): string {
  const found = findAggregateField(builtinModel, field)
  assert.ok(found, `${field} can be summarised`)
  const values = keys.map((key) => ({ key, literal: literalOfKey(key, found.type) ?? '' }))
  return found.isOneOf(values)
}

describe('17.2 fields that can be counted', () => {
  const rows: [field: string, keys: readonly string[], condition: string][] = [
    ['dc:nature', ['article'], "dc:nature = 'article'"],
    ['dc:nature', ['article', "o'"], "dc:nature IN ('article', 'o\\'')"],
    ['dc:subjects', ['art', 'music'], "dc:subjects IN ('art', 'music')"],
    ['file:content.length', ['5'], 'file:content/length = 5'],
    ['file:content/mime-type', ['text/plain'], "file:content/mime-type = 'text/plain'"],
    ['files:files.file.length', ['5', '6'], 'files:files/*/file/length IN (5, 6)'],
    ['dc:modified', ['2024-05-01'], "dc:modified = TIMESTAMP '2024-05-01T00:00:00.000Z'"],
    ['vid:info/duration', ['5', '0.5'], 'vid:info/duration IN (5.0, 0.5)'],
    ['ecm:primaryType', ['File', 'Note'], "ecm:primaryType IN ('File', 'Note')"],
    ['ecm:mixinType', ['Folderish'], "ecm:mixinType IN ('Folderish')"],
    ['ecm:tag', ['red', 'big'], "nxtag:tags/*/label IN ('red', 'big')"],
    ['ecm:currentLifeCycleState', ['project'], "ecm:currentLifeCycleState = 'project'"],
    ['ecm:versionLabel', ['0.1'], "ecm:versionLabel = '0.1'"],
    ['ecm:isProxy', ['true'], 'ecm:isProxy = 1'],
    ['ecm:isTrashed', ['true', 'false'], '(ecm:isTrashed = 1 OR ecm:isTrashed = 0)'],
    ['ecm:isRecord', ['false'], 'ecm:isRecord = 0'],
    ['ecm:hasLegalHold', ['false'], 'ecm:hasLegalHold = 0'],
    ['ecm:path@level2', ['a.b'], "/*+ES: INDEX(ecm:path@level2) */ ecm:path = 'a.b'"],
  ]
  for (const [field, keys, condition] of rows) {
    test(`${field} ${keys.join(' ')}`, () => {
      assert.equal(select(field, ...keys), condition)
      compile(`SELECT * FROM Document WHERE ${condition}`)
    })
  }

  for (const field of ['ecm:uuid', 'ecm:path', 'ecm:path@level0', 'ecm:acl', 'dc:nothing', 'file:content', 'files:files']) {
    test(`${field} is none of them`, () => assert.equal(findAggregateField(builtinModel, field), undefined))
  }

  test('inside lists all conditions of one aggregate mean the same item', () => {
    assert.equal(findAggregateField(builtinModel, 'files:files/file/length')?.nameOf(7), 'files:files/*7/file/length')
    assert.equal(findAggregateField(builtinModel, 'dc:subjects')?.nameOf(7), 'dc:subjects/*7')
    assert.equal(findAggregateField(builtinModel, 'dc:nature')?.nameOf(7), 'dc:nature')
  })
})

test('of no conditions none is true', () => {
  assert.deepEqual([anyOf([]), anyOf(['a = 1']), anyOf(['a = 1', 'b = 1'])], ['1 = 0', 'a = 1', '(a = 1 OR b = 1)'])
})
