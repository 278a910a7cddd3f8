import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import type { Properties, PropertyValue } from './property.ts'
import {
  fixedInFile,
  formatXpath,
  itemBeyondList,
  noSuchItem,
  parseXpath,
  requireChangeable,
  unknownProperty,
  valueAt,
  withoutValueAt,
  withValueAt,
} from './xpath.ts'

const model = builtinModel
const parse = (text: string) => parseXpath(model, text)

describe('an xpath', () => {
  const rows: [string, string, string][] = [
    ['dc:title', 'dc:title', 'string'],
    ['dublincore:title', 'dc:title', 'string'],
    ['note:note', 'note:note', 'string'],
    ['content', 'file:content', 'blob'],
    ['dc:subjects', 'dc:subjects', 'list'],
    ['dc:subjects/2', 'dc:subjects/2', 'string'],
    ['file:content', 'file:content', 'blob'],
    ['file:content/name', 'file:content/name', 'string'],
    ['file:content/length', 'file:content/length', 'long'],
    ['files:files/0', 'files:files/0', 'complex'],
    ['files:files/0/file', 'files:files/0/file', 'blob'],
    ['files:files/item[3]/file', 'files:files/3/file', 'blob'],
    ['vid:storyboard/2/content/mime-type', 'vid:storyboard/2/content/mime-type', 'string'],
    ['picture:views/1/info/width', 'picture:views/1/info/width', 'long'],
    ['file:filename', 'file:content/name', 'string'],
    ['files:files/4/filename', 'files:files/4/file/name', 'string'],
  ]
  for (const [text, place, kind] of rows) {
    test(`${text} is ${place}, a ${kind}`, () => {
      assert.equal(formatXpath(parse(text)), place)
      assert.equal(parse(text).type.kind, kind)
    })
  }

  const unknown = [
    '',
    'dc:nothing',
    'nothing:title',
    'title',
    'dc:title/name',
    'dc:title/0',
    'dc:subjects/first',
    'dc:subjects/-1',
    'dc:subjects/item',
    'files:files/0/nothing',
    'files:files/file',
    'files:files/item/file',
    'file:content/nothing',
    'common:size',
    'dc:title/',
    '/dc:title',
  ]
  for (const text of unknown) {
    test(`${JSON.stringify(text)} is not found`, () => {
      assert.throws(() => parse(text), { code: unknownProperty.code, kind: 'invalid', message: `Property not found: ${text}` })
    })
  }
})

describe('reading a value', () => {
  const properties: Properties = {
    'dc:subjects': ['a', 'b'],
    'files:files': [{ file: { key: 'k', digest: 'd', name: 'x.txt' } }],
  }
  const rows: [string, PropertyValue][] = [
    ['dc:title', null],
    ['dc:subjects', ['a', 'b']],
    ['dc:subjects/1', 'b'],
    ['dc:subjects/9', null],
    ['dc:contributors', []],
    ['files:files/0/file/name', 'x.txt'],
    ['files:files/1/file/name', null],
    ['webc:theme', 'sites'],
    ['domain:display_type', false],
  ]
  for (const [text, value] of rows) {
    test(`at ${text} gives ${JSON.stringify(value)}`, () => assert.deepEqual(valueAt(properties, parse(text)), value))
  }
})

describe('setting a value', () => {
  const places = fc.constantFrom(
    'dc:title',
    'dc:subjects/0',
    'dc:subjects/3',
    'files:files/0/file',
    'files:files/2/file',
    'picture:info/width',
    'picture:views/1/info/format',
    'rnode:transitions/0/path/2/x',
  )
  const values = fc.oneof(fc.string(), fc.integer(), fc.constant(null))
  const starts = fc.constantFrom<Properties>(
    {},
    { 'dc:title': 'old', 'dc:subjects': ['a', 'b'] },
    { 'files:files': [{ file: null }], 'picture:info': { width: 1, height: 2 } },
  )

  test('is read back at the same place', () => {
    fc.assert(
      fc.property(starts, places, values, (properties, place, value) => {
        assert.deepEqual(valueAt(withValueAt(properties, parse(place), value), parse(place)), value)
      }),
    )
  })

  test('twice is the same as setting the second', () => {
    fc.assert(
      fc.property(starts, places, values, values, (properties, place, first, second) => {
        const twice = withValueAt(withValueAt(properties, parse(place), first), parse(place), second)
        assert.deepEqual(twice, withValueAt(properties, parse(place), second))
      }),
    )
  })

  test('leaves the given properties and every other place as they were', () => {
    fc.assert(
      fc.property(starts, places, places, values, (properties, place, other, value) => {
        const before = structuredClone(properties)
        const after = withValueAt(properties, parse(place), value)
        assert.deepEqual(properties, before)
        if (place !== other) assert.deepEqual(valueAt(after, parse(other)), valueAt(before, parse(other)))
      }),
    )
  })

  test('fills a list with nulls up to the place', () => {
    assert.deepEqual(withValueAt({ 'dc:subjects': ['a'] }, parse('dc:subjects/3'), 'd'), {
      'dc:subjects': ['a', null, null, 'd'],
    })
  })

  test('starts from the declared default', () => {
    const cvd = withValueAt({}, parse('cvd:sortInfos/0/sortColumn'), 'dc:title')
    assert.deepEqual(cvd, { 'cvd:sortInfos': [{ sortColumn: 'dc:title' }] })
  })

  test('absurdly far behind the end of a list is refused', () => {
    const far = parse('dc:subjects/4000000000')
    assert.throws(() => withValueAt({ 'dc:subjects': ['a'] }, far, 'x'), {
      code: itemBeyondList.code,
      message: 'Cannot set dc:subjects/4000000000: the list has 1 item(s)',
    })
    const long = Array.from({ length: 5_000 }, () => 'x')
    assert.deepEqual(withValueAt({ 'dc:subjects': long }, parse('dc:subjects/5000'), 'y')['dc:subjects'], [...long, 'y'])
  })
})

describe('clearing a place', () => {
  const rows: [place: string, before: Properties, after: Properties][] = [
    ['dc:title', { 'dc:title': 'a', 'dc:source': 'b' }, { 'dc:title': null, 'dc:source': 'b' }],
    ['dc:subjects', { 'dc:subjects': ['a', 'b'] }, { 'dc:subjects': [] }],
    ['dc:subjects/0', { 'dc:subjects': ['a', 'b'] }, { 'dc:subjects': ['b'] }],
    ['dc:subjects/1', { 'dc:subjects': ['a', 'b', 'c'] }, { 'dc:subjects': ['a', 'c'] }],
    ['nxtag:tags/0/label', { 'nxtag:tags': [{ label: 'a', username: 'b' }] }, { 'nxtag:tags': [{ label: null, username: 'b' }] }],
    ['nxtag:tags/0', { 'nxtag:tags': [{ label: 'a' }, { label: 'b' }] }, { 'nxtag:tags': [{ label: 'b' }] }],
  ]
  for (const [place, before, after] of rows) {
    test(`${place} of ${JSON.stringify(before)}`, () => assert.deepEqual(withoutValueAt(before, parse(place)), after))
  }
  for (const place of ['dc:subjects/1', 'dc:subjects/4000000000']) {
    test(`${place} is refused when the list ends before it`, () => {
      assert.throws(() => withoutValueAt({ 'dc:subjects': ['a'] }, parse(place)), {
        code: noSuchItem.code,
        message: `There is no ${place}: the list has 1 item(s)`,
      })
    })
  }
  test('is refused before the beginning of a list, and where there is none', () => {
    const before = { ...parse('dc:subjects/0'), steps: [-1] }
    assert.throws(() => withoutValueAt({ 'dc:subjects': ['a'] }, before), { code: noSuchItem.code })
    assert.throws(() => withoutValueAt({}, parse('dc:subjects/0')), { code: noSuchItem.code })
  })
})

describe('what can be changed inside a file', () => {
  const content = {
    key: 'k',
    name: 'a.txt',
    'mime-type': 'text/plain',
    encoding: null,
    digest: 'd',
    digestAlgorithm: 'MD5',
    length: 1,
  }
  const properties: Properties = { 'file:content': content, 'files:files': [{ file: content }, { file: null }] }
  for (const place of [
    'dc:title',
    'file:content',
    'file:content/name',
    'file:content/mime-type',
    'files:files/0/file/encoding',
  ]) {
    test(`is ${place}`, () => assert.doesNotThrow(() => requireChangeable(properties, parse(place))))
  }
  for (const place of ['file:content/digest', 'file:content/length', 'file:content/data', 'files:files/0/file/digestAlgorithm']) {
    test(`is not ${place}, which its bytes say`, () => {
      const message = `Cannot set ${place}: it comes from the bytes of the file. Set the file itself.`
      assert.throws(() => requireChangeable(properties, parse(place)), { code: fixedInFile.code, message })
    })
  }
  for (const [place, without] of [
    ['file:content/name', {}],
    ['files:files/1/file/name', properties],
    ['files:files/7/file/name', properties],
  ] as const) {
    test(`is not ${place} without a file`, () => {
      assert.throws(() => requireChangeable(without, parse(place)), { code: fixedInFile.code, message: /there is no file/ })
    })
  }
})
