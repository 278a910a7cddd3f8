import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Json, parseJson } from '../../base/json.ts'
import { noOrigins, type OperationContext } from '../context.ts'
import { defaulted, optional, required } from '../parameter.ts'
import {
  parameterMissing,
  parameterNotReadable,
  readParameter,
  resolveParameters,
  untold,
  valueOfParameter,
} from './convert-parameter.ts'
import { madeBlob } from './flowing-blob.ts'
import { valueOfJson } from './read-sent-properties.ts'
import type { Value } from './value.ts'
import type { ParameterWord } from './words.ts'

const rules = { trimsPropertyValues: false, joinsPropertyLines: true }

function contextWith(places: { variables?: Iterable<[string, Value]>; callParameters?: Iterable<[string, Value]> } = {}) {
  const { variables = [], callParameters = [] } = places
  return {
    services: { automation: rules },
    variables: new Map(variables),
    callParameters: new Map(callParameters),
    callOrigins: noOrigins,
  } as unknown as OperationContext
}

const read = (word: ParameterWord, json: Json) => readParameter({ name: 'p', word }, valueOfJson(json), contextWith())

describe('a parameter is read', () => {
  const rows: [word: ParameterWord, json: string, expected: unknown][] = [
    ['string', '"a"', 'a'],
    ['string', '1.5', '1.5'],
    ['string', 'true', 'true'],
    ['boolean', 'true', true],
    ['boolean', '"TRUE"', true],
    ['boolean', '"yes"', false],
    ['boolean', '1', false],
    ['int', '5', 5],
    ['int', '" -5 "', -5],
    ['integer', '2147483647', 2147483647],
    ['integer', '-2147483648', -2147483648],
    ['integer', '5.0', 5],
    ['long', '1000000000000000001', 1000000000000000001n],
    ['long', '"1000000000000000001"', 1000000000000000001n],
    ['long', '1e3', 1000],
    ['float', '"1.5e3"', 1500],
    ['date', '"2015-06-20"', '2015-06-20T00:00:00.000Z'],
    ['date', '"2015-06-20T12:34:56.000+02:00"', '2015-06-20T10:34:56.000Z'],
    ['date', '""', undefined],
    ['stringlist', '"a, b\\\\,c"', ['a', 'b,c']],
    ['stringlist', '["a", 1, null]', ['a', '1']],
    ['stringlist', '""', []],
    ['properties', '"a=1\\nb=x"', { a: '1', b: 'x' }],
    ['properties', '{"a": 1, "b": null, "c": ["x"]}', { a: 1, b: null, c: ['x'] }],
    ['map', '{"a": {"b": [1]}}', { a: { b: [1] } }],
    ['list', '[1]', [{ kind: 'number', number: 1 }]],
    ['object', '"a"', { kind: 'string', text: 'a' }],
    ['serializable', '["a", 2]', ['a', 2]],
  ]
  for (const [word, json, expected] of rows) {
    test(`as ${word} from ${json}`, async () => assert.deepEqual(await read(word, parseJson(json)), expected))
  }

  test('as resource from an address', async () => {
    assert.equal(String(await read('resource', 'http://example.test/a?b')), 'http://example.test/a?b')
  })
})

describe('a parameter is refused', () => {
  const rows: [word: ParameterWord, json: string][] = [
    ['string', '{"a": 1}'],
    ['string', '["a"]'],
    ['boolean', '[true]'],
    ['int', '1.5'],
    ['int', '"1.5"'],
    ['int', '"0x10"'],
    ['int', '""'],
    ['int', '2147483648'],
    ['int', '"many"'],
    ['long', '1e300'],
    ['long', '9223372036854775808'],
    ['float', '"1,5"'],
    ['float', '"Infinity"'],
    ['date', '"soon"'],
    ['date', '["2031-01-31"]'],
    ['stringlist', '[["a"]]'],
    ['properties', '"no value"'],
    ['properties', '["a=1"]'],
    ['resource', '"nowhere"'],
    ['map', '"a"'],
  ]
  for (const [word, json] of rows) {
    test(`as ${word} from ${json}, with its name and its type`, async () => {
      const isNamed = (error: unknown) =>
        parameterNotReadable.is(error) &&
        error.kind === 'invalid' &&
        error.message.startsWith(`Parameter 'p' must be of type ${word}:`)
      await assert.rejects(async () => read(word, parseJson(json)), isNamed)
    })
  }

  test('as properties that hold a file, of which nothing may get lost', async () => {
    const blob: Value = { kind: 'blob', blob: madeBlob('x', { name: 'x', mimeType: 'text/plain' }) }
    const value: Value = { kind: 'map', members: { 'file:content': blob } }
    await assert.rejects(
      async () => readParameter({ name: 'p', word: 'properties' }, value, contextWith()),
      parameterNotReadable.is,
    )
  })
})

test('every long comes through as it is, as a number and as a text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (long) => {
      assert.equal(String(await read('long', parseJson(String(long)))), String(long))
      assert.equal(String(await read('long', String(long))), String(long))
    }),
  )
})

test('what a parameter was read as goes on to other steps as the same', async () => {
  const rows: [ParameterWord, Json][] = [
    ['string', 'a'],
    ['boolean', true],
    ['long', 1000000000000000001n],
    ['float', 1.5],
    ['date', '2031-01-31T00:00:00.000Z'],
    ['stringlist', ['a', 'b,c']],
    ['properties', { a: '1' }],
    ['map', { a: [1] }],
    ['list', [1, 'a']],
    ['serializable', ['a']],
    ['resource', 'http://example.test/'],
  ]
  for (const [word, json] of rows) {
    const first = await read(word, json)
    assert.deepEqual(await readParameter({ name: 'p', word }, valueOfParameter(word, first), contextWith()), first)
  }
})

test('a text that is no number is told so in no time, however many digits it has', async () => {
  const begin = performance.now()
  for (const word of ['int', 'long'] as const) {
    await assert.rejects(async () => read(word, `${'1'.repeat(200_000)}x`), parameterNotReadable.is)
  }
  assert.ok(performance.now() - begin < 1_000)
})

describe('the value of a parameter', () => {
  const text = (written: string): Value => ({ kind: 'string', text: written })
  const params = { name: optional('string', { aliases: ['title', 'label'] }) }
  const told = (own: Iterable<[string, Value]>) => ({ values: new Map(own), origins: noOrigins })
  const resolve = async (own: Iterable<[string, Value]>, places = {}) =>
    (await resolveParameters({ id: 'o', params }, told(own), contextWith(places))).values

  test('is that of the step before that of the call, and that before a variable', async () => {
    const [step, call, variable] = ['step', 'call', 'variable'].map((place): [string, Value] => ['name', text(place)]) as [
      [string, Value],
      [string, Value],
      [string, Value],
    ]
    const places = { callParameters: [call], variables: [variable] }
    assert.deepEqual(await resolve([step], places), { name: 'step' })
    assert.deepEqual(await resolve([], places), { name: 'call' })
    assert.deepEqual(await resolve([], { variables: [variable] }), { name: 'variable' })
  })

  test('is looked for under its name everywhere before it is under an alias', async () => {
    const variables: [string, Value][] = [['name', text('variable')]]
    assert.deepEqual(await resolve([['title', text('alias')]], { variables }), { name: 'variable' })
    assert.deepEqual(
      await resolve([
        ['label', text('second')],
        ['title', text('first')],
      ]),
      { name: 'first' },
    )
  })

  test('that is null counts as not sent', async () => {
    const callParameters: [string, Value][] = [['name', text('call')]]
    assert.deepEqual(await resolve([['name', { kind: 'nothing' }]], { callParameters }), { name: 'call' })
    assert.deepEqual(await resolve([['name', { kind: 'nothing' }]]), {})
  })

  test('of a step that is for others than the caller is what the chain says, and nothing that the caller alone has said', async () => {
    const places = contextWith({ callParameters: [['name', text('call')]], variables: [['name', text('variable')]] })
    const resolved = (own: typeof untold) => resolveParameters({ id: 'o', params }, own, places, { isForOthers: true })
    assert.deepEqual((await resolved(untold)).values, {})
    const own = { values: new Map([['title', text('step')]]), origins: new Map([['title', 'declared']] as const) }
    assert.deepEqual((await resolved(own)).values, { name: 'step' })
  })

  test('that is not given is the default, or is missing', async () => {
    const table = { a: defaulted('int', 5), b: required('string', { values: ['x'] }) }
    const { values } = await resolveParameters({ id: 'o', params: table }, told([['b', text('y')]]), contextWith())
    assert.deepEqual(values, { a: 5, b: 'y' })
    const message = "Failed to inject parameter 'b'. Seems it is missing from the context. Operation: o"
    const missing = resolveParameters({ id: 'o', params: table }, untold, contextWith())
    await assert.rejects(missing, (error: Error) => parameterMissing.is(error) && error.message === message)
  })
})
