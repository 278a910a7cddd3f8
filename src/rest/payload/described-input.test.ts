import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../base/problem.ts'
import { Type } from '../openapi/schema.ts'
import { checkInput } from './described-input.ts'

const description = {
  summary: 'Finds things',
  query: Type.Object({
    q: Type.String(),
    limit: Type.Optional(Type.Integer({ minimum: 0 })),
    deep: Type.Optional(Type.Boolean()),
    kind: Type.Optional(Type.Array(Type.String())),
  }),
  body: Type.Optional(Type.Object({ names: Type.Array(Type.String()) })),
  answers: {},
}

const refusal = async (query: string, body?: { names: unknown[] }) => {
  try {
    await checkInput(description, { query: new URLSearchParams(query), body: body as never })
    return undefined
  } catch (error) {
    assert(error instanceof Problem)
    assert.equal(error.kind, 'invalid')
    return error.message
  }
}

describe('checking a request against its description', async () => {
  test('lets numbers, booleans and lists pass as the text they arrive as', async () => {
    assert.equal(await refusal('q=x&limit=12&deep=true&kind=a&kind=b'), undefined)
    for (const deep of ['false', '1', '0']) assert.equal(await refusal(`q=x&deep=${deep}`), undefined)
  })
  test('takes an empty value for none, except where text is wanted', async () => {
    assert.equal(await refusal('q=&limit='), undefined)
  })
  test('does not mind parameters that are not declared', async () => {
    assert.equal(await refusal('q=x&other=1'), undefined)
  })
  test('names the parameter that is missing', async () => {
    assert.equal(await refusal('limit=1'), 'The query parameter q is missing.')
  })
  test('names the parameter that is wrong and says how', async () => {
    assert.equal(await refusal('q=x&limit=soon'), 'The query parameter limit must be integer.')
    assert.equal(await refusal('q=x&limit=-1'), 'The query parameter limit must be >= 0.')
    assert.equal(await refusal('q=x&limit=1.5'), 'The query parameter limit must be integer.')
    assert.equal(await refusal('q=x&deep=perhaps'), 'The query parameter deep must be boolean.')
  })
  test('points at the place in the body that is wrong', async () => {
    assert.equal(await refusal('q=x', { names: ['a', 1] }), 'The request body at /names/1 must be string.')
  })
  test('asks for a body unless it is optional', async () => {
    const needed = { ...description, body: Type.Object({}) }
    await assert.rejects(
      async () => checkInput(needed, { query: new URLSearchParams('q=x'), body: undefined }),
      /needs a JSON body/,
    )
  })
})
