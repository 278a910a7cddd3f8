import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aModel } from '../../../test/support/model/builders.ts'
import { type Json, parseJson, stringifyJson } from '../../base/json.ts'
import { binary, blob, boolean, clob, complex, date, double, type FieldDeclaration, list, long, string, user } from '../field.ts'
import { defineSchema } from '../schema.ts'
import type { PropertyDefinition } from '../shape.ts'
import { type CoercionHooks, coerceProperty, notDeserialisable } from './coercion.ts'
import type { BlobValue, PropertyValue } from './property.ts'

const noHooks: CoercionHooks = { blob: () => undefined, reference: () => undefined, emptyStringIsNull: false }

function aProperty(declaration: FieldDeclaration): PropertyDefinition {
  const schema = defineSchema('my', { fields: { field: declaration } })
  const [property] = aModel({ schemas: [schema] }).propertiesOf(schema)
  assert.ok(property)
  return property
}

function read(
  declaration: FieldDeclaration,
  json: Json,
  hooks: Partial<CoercionHooks> = {},
  current?: PropertyValue,
): PropertyValue {
  return coerceProperty(aProperty(declaration), json, { ...noHooks, ...hooks }, current)
}

function assertRefused(declaration: FieldDeclaration, json: Json, xpath = 'my:field', hooks: Partial<CoercionHooks> = {}): void {
  assert.throws(() => read(declaration, json, hooks), {
    code: notDeserialisable.code,
    kind: 'invalid',
    message: `Unable to deserialize property: ${xpath}`,
  })
}

const aBlob: BlobValue = {
  key: 'abc',
  name: 'a.txt',
  'mime-type': 'text/plain',
  encoding: 'UTF-8',
  digest: 'abc',
  digestAlgorithm: 'SHA-256',
  length: 3,
}

describe('a scalar', () => {
  const refused = Symbol('refused')
  const columns = { string: string(), long: long(), double: double(), boolean: boolean(), date: date() }
  const matrix: [string, Json, { [Column in keyof typeof columns]: PropertyValue | typeof refused }][] = [
    ['null', null, { string: null, long: null, double: null, boolean: null, date: null }],
    ['a word', 'text', { string: 'text', long: refused, double: refused, boolean: false, date: refused }],
    ['digits', '123', { string: '123', long: 123, double: 123, boolean: false, date: refused }],
    ['a decimal as text', '1.5', { string: '1.5', long: refused, double: 1.5, boolean: false, date: refused }],
    ['"true" in any case', 'TrUe', { string: 'TrUe', long: refused, double: refused, boolean: true, date: refused }],
    [
      'a date',
      '2024-03-05',
      { string: '2024-03-05', long: refused, double: refused, boolean: false, date: '2024-03-05T00:00:00.000Z' },
    ],
    ['an empty text', '', { string: '', long: null, double: null, boolean: null, date: null }],
    ['blanks', '  ', { string: '  ', long: refused, double: refused, boolean: false, date: refused }],
    ['an integer', 5, { string: '5', long: 5, double: 5, boolean: true, date: refused }],
    ['zero', 0, { string: '0', long: 0, double: 0, boolean: false, date: refused }],
    ['a negative integer', -7, { string: '-7', long: -7, double: -7, boolean: true, date: refused }],
    ['a fraction', 1.5, { string: '1.5', long: refused, double: 1.5, boolean: refused, date: refused }],
    ['true', true, { string: 'true', long: refused, double: refused, boolean: true, date: refused }],
    ['false', false, { string: 'false', long: refused, double: refused, boolean: false, date: refused }],
    ['an object', { a: 1 }, { string: refused, long: refused, double: refused, boolean: refused, date: refused }],
    ['an array', ['a'], { string: refused, long: refused, double: refused, boolean: refused, date: refused }],
    ['an empty array', [], { string: refused, long: refused, double: refused, boolean: refused, date: refused }],
    [
      'the largest long',
      9223372036854775807n,
      { string: '9223372036854775807', long: 9223372036854775807n, double: 2 ** 63, boolean: true, date: refused },
    ],
    [
      'an integer of 65 bits',
      9223372036854775808n,
      { string: '9223372036854775808', long: refused, double: 2 ** 63, boolean: true, date: refused },
    ],
    ['1e400', parseJson('1e400'), { string: refused, long: refused, double: refused, boolean: refused, date: refused }],
    ['"1e400"', '1e400', { string: '1e400', long: refused, double: refused, boolean: false, date: refused }],
    ['"NaN"', 'NaN', { string: 'NaN', long: refused, double: refused, boolean: false, date: refused }],
    ['"Infinity"', '-Infinity', { string: '-Infinity', long: refused, double: refused, boolean: false, date: refused }],
  ]
  for (const [name, json, cells] of matrix) {
    for (const [column, expected] of Object.entries(cells)) {
      const declaration = columns[column as keyof typeof columns]
      test(`of type ${column}, sent ${name}, ${expected === refused ? 'is refused' : `becomes ${String(expected)}`}`, () => {
        if (expected === refused) assertRefused(declaration, json)
        else assert.equal(read(declaration, json), expected)
      })
    }
  }

  test('of type binary takes base64 text alone', () => {
    assert.equal(read(binary(), 'aGVsbG8='), 'aGVsbG8=')
    assert.equal(read(binary(), ''), null)
    for (const json of ['aGVsbG8', 'not base64!', 5, true] as const) assertRefused(binary(), json)
  })

  test('of type string, sent empty by an old client, becomes null, in lists too', () => {
    assert.equal(read(string(), '', { emptyStringIsNull: true }), null)
    assert.deepEqual(read(list(string()), ['', 'a'], { emptyStringIsNull: true }), [null, 'a'])
  })

  test('of type long keeps an exponent form that is an exact integer', () => {
    assert.equal(read(long(), parseJson('1e3')), 1000)
    assert.equal(read(long(), parseJson('1e17')), 100000000000000000n)
    assertRefused(long(), parseJson('1e19'))
  })

  test('of type long is every 64-bit integer, as number and as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        const text = String(integer)
        assert.equal(String(read(long(), parseJson(text))), text)
        assert.equal(String(read(long(), text)), text)
      }),
    )
  })
})

describe('an object sent for a scalar', () => {
  const entity = { 'entity-type': 'user', id: 'alice' }

  test('with a resolver is stored as the reference', () => {
    const asked: unknown[] = []
    const reference: CoercionHooks['reference'] = (json, resolver, xpath) => {
      asked.push([json, resolver.kind, xpath])
      return 'alice'
    }
    assert.equal(read(user(), entity, { reference }), 'alice')
    assert.deepEqual(asked, [[entity, 'user', 'my:field']])
  })

  test('with a resolver is refused when it refers to nothing', () => assertRefused(user(), entity))

  test('may stand beside plain references in a list', () => {
    assert.deepEqual(read(list(user()), [entity, 'bob'], { reference: () => 'alice' }), ['alice', 'bob'])
  })

  test('of a restricted string without resolver is stored as the text of the blob it stands for', () => {
    const text = () => 'the text'
    assert.equal(read(clob(), { data: 'x' }, { text }), 'the text')
    assertRefused(string(), { data: 'x' }, 'my:field', { text })
    assertRefused(clob(), { data: 'x' })
  })
})

describe('a blob', () => {
  test('is what the object stands for', () => {
    assert.deepEqual(read(blob(), { data: 'x' }, { blob: () => aBlob }), aBlob)
    assert.equal(read(blob(), { data: 'x' }, { blob: () => null }, aBlob), null)
  })

  test('stays as it is when the object is to be ignored', () => {
    assert.equal(read(blob(), { data: 'http://elsewhere/' }, {}, aBlob), aBlob)
    assert.equal(read(blob(), { data: 'http://elsewhere/' }), null)
  })

  test('stays as it is when something else than an object is sent', () => {
    for (const json of ['text', 5, true, ['x']] as const) assert.equal(read(blob(), json, { blob: () => null }, aBlob), aBlob)
  })

  test('is removed by null', () => assert.equal(read(blob(), null, { blob: () => aBlob }, aBlob), null))

  test('of a list item is asked for with the current one at the same place', () => {
    const asked: unknown[] = []
    const field = list(complex({ file: blob() }))
    const current = [{ file: null }, { file: aBlob }]
    const result = read(
      field,
      [{ file: { a: 1 } }, { file: { b: 2 } }, { file: { c: 3 } }],
      {
        blob: (_json, blobThere, xpath) => {
          asked.push([blobThere, xpath])
          return undefined
        },
      },
      current,
    )
    assert.deepEqual(asked, [
      [null, 'my:field/0/file'],
      [aBlob, 'my:field/1/file'],
      [null, 'my:field/2/file'],
    ])
    assert.deepEqual(result, [{ file: null }, { file: aBlob }, { file: null }])
  })

  test('of a list item that is sent without it is gone', () => {
    assert.deepEqual(read(list(complex({ file: blob() })), [{}], { blob: () => aBlob }, [{ file: aBlob }]), [{ file: null }])
  })
})

describe('a list', () => {
  test('is replaced wholly', () => assert.deepEqual(read(list(long()), ['1', 2], {}, [7, 8, 9]), [1, 2]))
  test('is emptied by null', () => assert.deepEqual(read(list(string()), null, {}, ['a']), []))
  test('keeps a null item', () => assert.deepEqual(read(list(string()), [null, 'a']), [null, 'a']))
  test('is never made from something else', () => {
    for (const json of ['a', 5, true, { 0: 'a' }] as const) {
      assertRefused(list(string()), json)
      assertRefused(list(complex({ a: string() })), json)
    }
  })
  test('names the item that is wrong', () => assertRefused(list(long()), [1, 'x'], 'my:field/1'))
})

describe('a complex value', () => {
  const person = complex({ name: string(), age: long(), roles: list(string()), flag: boolean({ default: true }) })

  test('is replaced wholly: what is not sent is unset, or back at its default', () => {
    const current = { name: 'Ann', age: 5, roles: ['a'], flag: false }
    assert.deepEqual(read(person, { name: null }, {}, current), { name: null, age: null, roles: [], flag: true })
  })
  test('ignores members it does not know, those of every object included', () => {
    const json = parseJson('{"name":"Ann","unknown":1,"__proto__":{"age":5},"constructor":7}')
    assert.deepEqual(read(person, json), { name: 'Ann', age: null, roles: [], flag: true })
  })
  test('is unset by null', () => assert.equal(read(person, null, {}, { name: 'Ann' }), null))
  test('is never made from something else', () => {
    for (const json of ['a', 5, true, []] as const) assertRefused(person, json)
  })
  test('names the member that is wrong, however deep', () => {
    const deep = list(complex({ sub: complex({ ages: list(long()) }) }))
    assertRefused(deep, [{ sub: null }, { sub: { ages: [1, {}] } }], 'my:field/1/sub/ages/1')
    assertRefused(deep, [{}, 'x'], 'my:field/1')
  })
})

test('a value that was read is read back the same from its JSON', () => {
  const declaration = complex({ s: string(), l: long(), d: double(), b: boolean(), t: date(), list: list(long()) })
  const values = fc.record({
    s: fc.string(),
    l: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    d: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    b: fc.boolean(),
    t: fc.date({ min: new Date(0), noInvalidDate: true, max: new Date('9999-12-31') }).map((moment) => moment.toISOString()),
    list: fc.array(fc.maxSafeInteger()),
  })
  fc.assert(
    fc.property(values, (value) => {
      const once = read(declaration, parseJson(stringifyJson(value)))
      assert.deepEqual(read(declaration, parseJson(stringifyJson(once))), once)
      assert.equal(stringifyJson(once), stringifyJson({ ...value, list: value.list }))
    }),
  )
})
