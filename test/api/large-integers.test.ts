import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ApiCaller } from '../../src/testing.ts'
import { engines } from '../support/database-place.ts'
import { shareOf } from '../support/engine-share.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

/** What JSON may say and a number of JavaScript cannot hold: by little, by more than any database, and endlessly. */
const large = ['9007199254740993', '123456789012345678901234567890', '1e400']

/** Wherever a value may be: itself, in a list, in an object. */
const places = [(number: string) => number, (number: string) => `[${number}]`, (number: string) => `{"a":${number}}`]

/** Each of the numbers once and each of the places once, for one name after the other in all pairs. */
const inPlaces = (turn: number) => large.map((number, index) => places[(index + turn) % places.length]?.(number) ?? '')

onEachServer('a number that is larger than JavaScript knows', (server, engine) => {
  const bench = workbenchOn(server)
  let caller: ApiCaller
  let uid = ''
  before(async () => {
    caller = server.as('Administrator')
    uid = (await bench.create('File')).uid
  })
  const send = (method: string, url: string, body: string) =>
    caller.call(method, url, { body, headers: { 'Content-Type': 'application/json' } })

  async function failuresOf(method: string, url: string, bodies: Iterable<string>): Promise<readonly string[]> {
    const failures: string[] = []
    for (const body of bodies) {
      const { status, text } = await send(method, url, body)
      if (status === 500) failures.push(`${method} ${url} ${body}: ${status} ${text.slice(0, 200)}`)
    }
    return failures
  }

  test('is no failure of ours in any parameter of any operation', async () => {
    const failures: string[] = []
    const { operations } = (await caller.get('/automation')).body
    for (const { id, params } of shareOf<Received>(engine, operations)) {
      const required: readonly { name: string; type: string; required: boolean }[] = params
      const others = (but: string) =>
        required
          .filter(({ name, required }) => required && name !== but)
          .map(({ name, type }) => `"${name}":${type === 'long' || type === 'integer' ? '1' : '"x"'}`)
      const bodies = [
        ...required.flatMap(({ name }) =>
          places.map(
            (place) => `{"input":"${uid}","params":{${[...others(name), `"${name}":${place(large[0] ?? '')}`].join()}}}`,
          ),
        ),
        `{"input":${large[1]},"params":{${others('').join()}}}`,
        `{"input":{"entity-type":"user","a":${large[0]},"properties":{"a":${large[1]}}},"context":{"a":${large[0]}},"params":{${others('').join()}}}`,
      ]
      failures.push(...(await failuresOf('POST', `api/v1/automation/${id}`, bodies)))
    }
    assert.deepEqual(failures, [])
  })

  test('is no failure of ours in any body', async () => {
    const { paths, components } = (await caller.get('/openapi.json')).body
    const failures: string[] = []
    for (const [path, methods] of shareOf(engine, Object.entries<{ [method: string]: Received }>(paths))) {
      if (path.includes('/automation/')) continue
      for (const method of ['post', 'put'].filter(
        (one) => methods[one]?.requestBody?.content?.['application/json'] !== undefined,
      )) {
        const { schema: declared } = methods[method].requestBody.content['application/json']
        const schema = components.schemas[declared.$ref?.split('/').at(-1)] ?? declared
        const fields = Object.entries<Received>(schema.properties ?? {})
        const fixed = fields.flatMap(([name, { const: value, type }]) =>
          value !== undefined ? [[name, JSON.stringify(value)]] : type === 'string' ? [[name, '"x"']] : [],
        )
        const bodyWith = (name: string, value: string) =>
          `{${[...new Map([...fixed, [name, value]] as [string, string][])].map(([key, text]) => `"${key}":${text}`).join()}}`
        const bodies = [...fields.map(([name]) => name), 'unknown'].flatMap((name, turn) =>
          inPlaces(turn).map((value) => bodyWith(name, value)),
        )
        const url = path.slice(1).replace(/\{\w+\}/g, uid)
        failures.push(...(await failuresOf(method.toUpperCase(), url, bodies)))
      }
    }
    assert.deepEqual(failures, [])
  })

  test('is no failure of ours in any property', async () => {
    const properties = Object.keys((await caller.get(`/id/${uid}`, { properties: '*' })).body.properties)
    const bodies = properties.flatMap((name, turn) =>
      inPlaces(turn + engines.indexOf(engine)).map((value) => `{"entity-type":"document","properties":{"${name}":${value}}}`),
    )
    assert.deepEqual(await failuresOf('PUT', `api/v1/id/${uid}`, bodies), [])
  })

  test('is kept digit for digit in a saved search', async () => {
    const saved = await send(
      'POST',
      'api/v1/search/saved',
      `{"entity-type":"savedSearch","title":"t","queryLanguage":"NXQL","query":"SELECT * FROM File","params":{"a":{"b":${large[0]}}}}`,
    )
    assert.equal(saved.status, 200, saved.text)
    assert.equal(saved.body.params.a, `{"b":${large[0]}}`)
  })

  test('is refused in an ACL', async () => {
    const refused = await send(
      'POST',
      'api/v1/automation/Document.Update',
      `{"input":"${uid}","params":{"properties":{"ecm:acl":${large[0]}}}}`,
    )
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.body.message, /Write ecm:acl as user:permission:true/)
  })
})

type Received = ReturnType<typeof JSON.parse>
