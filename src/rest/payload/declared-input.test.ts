import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineProblem, Problem } from '../../base/problem.ts'
import { noContent } from '../answer.ts'
import { type ObjectSchema, type Schema, Type } from '../openapi/schema.ts'
import { defineRoute } from '../route.ts'
import { DeclaredInput, readBody, readFields, readHeaders, readQuery } from './declared-input.ts'

const query = Type.Object({
  q: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  deep: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Array(Type.String())),
})

function refusal(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    assert(error instanceof Problem)
    assert.equal(error.kind, 'invalid')
    return error.message
  }
}

const ofQuery = (text: string, schema: ObjectSchema = query) => refusal(() => readQuery(schema, new URLSearchParams(text)))
const ofBody = (schema: Schema, body: unknown) => refusal(() => readBody(schema, body))

describe('reading declared parameters', () => {
  test('gives numbers, booleans and lists for the texts they arrive as', () => {
    assert.deepEqual(readQuery(query, new URLSearchParams('q=x&limit=12&deep=true&kind=a&kind=b')), {
      q: 'x',
      limit: 12,
      deep: true,
      kind: ['a', 'b'],
    })
    for (const deep of ['false', '1', '0']) assert.equal(ofQuery(`q=x&deep=${deep}`), undefined)
  })
  test('takes an empty value for none, except where text is wanted', () => {
    assert.deepEqual(readQuery(query, new URLSearchParams('q=&limit=')), { q: '' })
  })
  test('does not mind parameters that are not declared', () => {
    assert.equal(ofQuery('q=x&other=1'), undefined)
  })
  test('names the parameter that is missing', () => {
    assert.equal(ofQuery('limit=1'), 'The query parameter q is missing.')
  })
  test('names the parameter that is wrong and says how', () => {
    assert.equal(ofQuery('q=x&limit=soon'), 'The query parameter limit must be integer.')
    assert.equal(ofQuery('q=x&limit=-1'), 'The query parameter limit must be >= 0.')
    assert.equal(ofQuery('q=x&limit=1.5'), 'The query parameter limit must be integer.')
    assert.equal(ofQuery('q=x&limit=1e3'), 'The query parameter limit must be integer.')
    assert.equal(ofQuery('q=x&deep=perhaps'), 'The query parameter deep must be boolean.')
  })
  test('looks for an older name only where the newer is absent', () => {
    const paged = Type.Object({ size: Type.Aliased(Type.Optional(Type.Integer()), ['length']) })
    assert.deepEqual(readQuery(paged, new URLSearchParams('length=2')), { size: 2 })
    assert.deepEqual(readQuery(paged, new URLSearchParams('size=1&length=x')), { size: 1 })
    assert.deepEqual(readQuery(paged, new URLSearchParams('size=&length=2')), { size: 2 })
  })
  test('splits names at commas wherever they are repeated', () => {
    const named = Type.Object({ names: Type.Names() })
    assert.deepEqual(readQuery(named, new URLSearchParams('names=a, b&names=c')), { names: ['a', 'b', 'c'] })
    assert.deepEqual(readQuery(named, new URLSearchParams()), {})
  })
  test('takes the bare name of a flag for yes', () => {
    const flagged = Type.Object({ dry: Type.Flag() })
    assert.deepEqual(readQuery(flagged, new URLSearchParams('dry')), { dry: true })
    assert.deepEqual(readQuery(flagged, new URLSearchParams('dry=false')), { dry: false })
    assert.equal(ofQuery('dry=x', flagged), 'The query parameter dry must be boolean.')
  })
  test('reads headers in whichever case they are declared, and fields of forms', () => {
    const declared = Type.Object({ 'X-Count': Type.Integer() })
    assert.deepEqual(readHeaders(declared, { headers: { 'x-count': ' 3 ' } }), { 'X-Count': 3 })
    assert.equal(
      refusal(() => readHeaders(declared, { headers: {} })),
      'The header X-Count is missing.',
    )
    assert.deepEqual(readFields(declared, new Map([['X-Count', '3']])), { 'X-Count': 3 })
    assert.equal(
      refusal(() => readFields(declared, new URLSearchParams('X-Count=x'))),
      'The field X-Count must be integer.',
    )
  })
})

const notNamed = defineProblem('notNamed', 'invalid', (of: { name: string }) => `Give it the ${of.name} that it needs.`)

describe('reading a declared body', () => {
  test('points at the place that is wrong', () => {
    const names = Type.Object({ names: Type.Array(Type.String()) })
    assert.equal(ofBody(names, { names: ['a', 1] }), 'The request body at /names/1 must be string.')
    assert.equal(ofBody(names, {}), 'The request body at /names is missing.')
    assert.equal(ofBody(names, 5), 'The request body must be object.')
  })
  test('asks for it unless it is optional', () => {
    assert.equal(ofBody(Type.Object({}), undefined), 'The request needs a JSON body.')
    assert.equal(readBody(Type.Optional(Type.Object({})), undefined), undefined)
  })
  test('checks words, lengths, bounds and patterns', () => {
    assert.equal(ofBody(Type.Enum(['a', 'b']), 'c'), 'The request body must be one of a, b.')
    assert.equal(ofBody(Type.Literal('a'), 'c'), 'The request body must be a.')
    assert.equal(ofBody(Type.String({ maxLength: 1 }), 'ab'), 'The request body must not have more than 1 characters.')
    assert.equal(ofBody(Type.String({ minLength: 1 }), ''), 'The request body must not have fewer than 1 characters.')
    assert.equal(ofBody(Type.String({ pattern: '\\S' }), ' '), 'The request body must match pattern "\\S".')
    assert.equal(ofBody(Type.Number({ maximum: 1 }), 2), 'The request body must be <= 1.')
    assert.equal(ofBody(Type.Nullable(Type.Integer()), 'x'), 'The request body must be integer or null.')
    assert.equal(ofBody(Type.Record(Type.Integer()), { a: 'x' }), 'The request body at /a must be integer.')
  })
  test('takes integers that no number can hold only where they are wanted', () => {
    assert.equal(readBody(Type.Long(), 2n ** 60n), 2n ** 60n)
    assert.equal(ofBody(Type.Integer(), 2n ** 60n), 'The request body must be integer.')
  })
  test('gives what is declared and nothing else, but all of a map', () => {
    const body = Type.Object({ map: Type.Map() })
    assert.deepEqual(readBody(body, { map: { a: [1] }, other: 1 }), { map: { a: [1] } })
  })
  test('leaves out what is forgiven, in lists too', () => {
    const body = Type.Object({ name: Type.Forgiving(Type.String()), all: Type.Array(Type.Forgiving(Type.String())) })
    assert.deepEqual(readBody(body, { name: 5, all: ['a', 1, null] }), { all: ['a'] })
  })
  test('refuses with the problem that is declared, but for what is wrong further inside', () => {
    const named = Type.Object({ name: Type.Refused(Type.String(), notNamed) })
    const body = Type.Refused(Type.Object({ of: named }), () => notNamed({ name: 'object' }))
    assert.equal(ofBody(named, {}), 'Give it the name that it needs.')
    assert.equal(ofBody(named, { name: 5 }), 'Give it the name that it needs.')
    assert.equal(ofBody(body, undefined), 'Give it the object that it needs.')
    assert.equal(ofBody(body, []), 'Give it the object that it needs.')
    assert.equal(ofBody(body, { of: 5 }), 'The request body at /of must be object.')
    assert.equal(ofBody(body, { of: {} }), 'Give it the name that it needs.')
  })
  test('keeps what a schema says about reading when it is copied, and out of JSON', () => {
    const schema = { ...Type.Object({ name: Type.Refused(Type.String(), notNamed) }), examples: [{}] }
    assert.equal(ofBody(schema, {}), 'Give it the name that it needs.')
    const plain = { type: 'object', required: ['name'], properties: { name: { type: 'string' } }, examples: [{}] }
    assert.equal(JSON.stringify(schema), JSON.stringify(plain))
  })
})

describe('a handler', () => {
  const route = defineRoute({
    method: 'POST',
    path: '/things',
    under: 'api',
    summary: 'Makes a thing',
    body: Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) }),
    query: Type.Object({ deep: Type.Optional(Type.Boolean()), kind: Type.Enum(['a', 'b']) }),
    headers: Type.Object({ 'X-Count': Type.Optional(Type.Integer()) }),
    answers: { 204: 'made' },
    async handle(_exchange, _parameters, { body, query, headers }) {
      const name: string = body.name
      const size: number | undefined = body.size
      const kind: 'a' | 'b' = query.kind
      const count: number | undefined = headers['X-Count']
      // @ts-expect-error: there is no such field
      assert.equal(body.nmae, undefined)
      // @ts-expect-error: it may be absent
      const deep: boolean = query.deep
      // @ts-expect-error: a word that is not declared
      assert.notEqual(query.kind, 'c' satisfies typeof query.kind)
      assert.ok([name, size, kind, count, deep])
      return noContent()
    },
  })
  test('is given the types that its route declares, checked when it asks for them', async () => {
    const sent = new DeclaredInput(route, { body: 5, query: new URLSearchParams('kind=a'), headers: {} })
    assert.deepEqual(sent.query, { kind: 'a' })
    assert.deepEqual(sent.headers, {})
    assert.throws(() => sent.body, /must be object/)
    const right = new DeclaredInput(route, { body: { name: 'x' }, query: new URLSearchParams('kind=b'), headers: {} })
    assert.equal(right.body, right.body)
  })
})
