import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenApiOperation } from '../../rest/openapi/openapi.ts'
import { curlLine, shellWord } from './curl-line.ts'

const anOperation = (given: Partial<OpenApiOperation>): OpenApiOperation => ({
  operationId: 'x',
  tags: ['x'],
  summary: 'x',
  parameters: [],
  responses: {},
  ...given,
})
const inPath = (name: string, example?: string) =>
  ({ name, in: 'path', required: true, schema: {}, ...(example !== undefined && { example }) }) as const
const json = (schema: object) => ({ requestBody: { required: true, content: { 'application/json': { schema: { ...schema } } } } })
const lineOf = (method: string, path: string, given: Partial<OpenApiOperation> = {}) =>
  curlLine('http://h/dms/', method, path, anOperation(given), {
    Named: { type: 'object', required: ['name'], properties: { name: { type: 'string', const: 'x' } } },
  })

describe('a line for curl', () => {
  test('has examples in the path, and capitals for what the reader fills in', () => {
    const parameters = [inPath('docPath', 'a/b'), inPath('executionId')]
    assert.equal(
      lineOf('get', '/api/{docPath}/@x/{executionId}', { parameters }),
      'curl -u Administrator http://h/dms/api/a/b/@x/EXECUTION_ID',
    )
  })
  test('names no user where no credentials are needed', () =>
    assert.equal(lineOf('get', '/status', { security: [] }), 'curl http://h/dms/status'))
  test('sends what a search needs, encoded', () => {
    const query = { name: 'query', in: 'query', required: false, example: "SELECT 'x'", schema: {} } as const
    const page = { name: 'page', in: 'query', required: false, schema: {} } as const
    assert.equal(
      lineOf('get', '/s', { parameters: [query, page] }),
      `curl -u Administrator -G http://h/dms/s --data-urlencode 'query=SELECT '\\''x'\\'''`,
    )
  })
  for (const [what, schema, body] of [
    ['the example of the schema', { type: 'object', examples: [{ a: "it's" }] }, `'{"a":"it'\\''s"}'`],
    ['what is required', { type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: {} } }, `'{"a":1}'`],
    ['what another schema says', { $ref: '#/components/schemas/Named' }, `'{"name":"x"}'`],
    ['an empty object where anything goes', {}, `'{}'`],
  ] as const) {
    test(`sends ${what} as JSON`, () =>
      assert.equal(
        lineOf('post', '/p', json(schema)),
        `curl -u Administrator http://h/dms/p -H 'Content-Type: application/json' -d ${body}`,
      ))
  }
  test('names the method wherever curl would choose another', () => {
    assert.equal(lineOf('delete', '/p'), 'curl -u Administrator -X DELETE http://h/dms/p')
    assert.equal(lineOf('post', '/p'), 'curl -u Administrator -X POST http://h/dms/p')
    assert.match(lineOf('put', '/p', json({})), /^curl -u Administrator -X PUT /)
  })
  test('sends a file by itself or in a form', () => {
    const bytes = { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
    const form = { requestBody: { required: true, content: { 'multipart/form-data': { schema: {} } } } }
    assert.match(lineOf('post', '/p', bytes), / -H 'X-File-Name: FILE' --data-binary @FILE$/)
    assert.match(lineOf('post', '/p', form), / -F file=@FILE$/)
  })
  test('is one word to the shell for each thing that it says, whatever is in it', () => {
    assert.equal(shellWord('http://h/a@b'), 'http://h/a@b')
    for (const text of ['a;rm -rf', '$(x)', 'a b', '', '`x`', 'a\nb']) assert.equal(shellWord(text), `'${text}'`)
    assert.equal(shellWord("'; x '"), `''\\''; x '\\'''`)
  })
})
