import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ApiAnswer, ApiCaller } from '../../src/testing.ts'
import { shareOf } from '../support/engine-share.ts'
import { findForeignWord } from '../support/heeded-answers.ts'
import { onEachServer } from '../support/servers.ts'

for (const [turn, own] of ['nuxeo', 'platform'].entries()) {
  onEachServer(
    `a server whose vendor is ${own} says no other word`,
    (server, engine) => {
      let caller: ApiCaller
      let uid = ''
      before(async () => {
        caller = server.as('Administrator')
        const file = { 'entity-type': 'document', type: 'File', name: 'file', properties: { 'dc:title': 'File' } }
        uid = (await caller.post('/path/default-domain/workspaces', file)).body.uid
        await caller.post('/directory/oauth2Tokens', {
          'entity-type': 'directoryEntry',
          directoryName: 'oauth2Tokens',
          properties: { serviceName: 'a', [`${own}Login`]: 'Administrator' },
        })
      })

      function foreignWords(what: string, answer: ApiAnswer): readonly string[] {
        const found = findForeignWord(own, answer)
        return found === undefined ? [] : [`${what}: …${found}…`]
      }

      const samples: { readonly [variable: string]: () => string } = {
        id: () => uid,
        path: () => 'default-domain/workspaces/file',
        docId: () => uid,
        userId: () => 'Administrator',
        groupId: () => 'members',
        directoryName: () => 'oauth2Tokens',
        entryId: () => '1',
        providerName: () => 'default_search',
        repository: () => 'default',
      }
      const filled = (path: string) => path.replace(/\{(\w+)\+?\}/g, (_, name: string) => samples[name]?.() ?? 'none')

      test('in the answer to a GET of any address', async () => {
        const found: string[] = []
        const { paths } = (await caller.get('/openapi.json')).body
        // What has no end is not waited for.
        const isEndless = (path: string) => 'text/event-stream' in (paths[path].get.responses[200]?.content ?? {})
        const addresses = Object.keys(paths).filter((path) => 'get' in paths[path] && !isEndless(path))
        for (const path of shareOf(engine, addresses, turn)) {
          const headers = {
            properties: '*',
            'enrichers-document': 'acls,permissions,preview,thumbnail',
            'fetch-document': 'properties',
          }
          found.push(...foreignWords(path, await caller.call('GET', filled(path).slice(1), { headers })))
        }
        assert.deepEqual(found, [])
      })

      test('in what the server says of itself', async () => {
        const found: string[] = []
        for (const path of [
          '/openapi.json',
          '/doc',
          '/automation',
          '/automation/doc',
          '/config/types',
          '/config/schemas',
          '/config/facets',
        ]) {
          found.push(...foreignWords(path, await caller.get(path)))
        }
        for (const { name } of shareOf<{ name: string }>(engine, (await caller.get('/config/schemas')).body, turn)) {
          found.push(...foreignWords(name, await caller.get(`/config/schemas/${name}`)))
        }
        for (const path of ['', 'json/cmis', 'runningstatus', 'nowhere'])
          found.push(...foreignWords(path, await caller.call('GET', path)))
        assert.deepEqual(found, [])
      })

      test('in the documentation of any operation, and in its refusal', async () => {
        const found: string[] = []
        for (const { id } of shareOf<{ id: string }>(engine, (await caller.get('/automation')).body.operations, turn)) {
          found.push(...foreignWords(id, await caller.get(`/automation/${id}`)))
          found.push(...foreignWords(`${id} without anything`, await caller.post(`/automation/${id}`, {})))
          found.push(
            ...foreignWords(
              `${id} with nonsense`,
              await caller.post(`/automation/${id}`, { input: 'doc:/none', params: { none: 1 } }),
            ),
          )
        }
        assert.deepEqual(found, [])
      })

      test('and hears its own in questions to directories', async () => {
        const login = `${own}Login`
        const directory = { directoryName: 'oauth2Tokens', filters: `${login}=Administrator` }
        const found = await caller.post('/automation/Directory.SuggestEntries', {
          params: { ...directory, labelFieldName: login },
        })
        assert.deepEqual(
          found.body.map((entry: { [field: string]: unknown }) => [entry['displayLabel'], entry[login]]),
          [['Administrator', 'Administrator']],
        )
        const projection = { ...directory, columnName: login, fulltextFields: login, variableName: 'logins' }
        const projected = await caller.post('/automation/Directory.Projection', { params: projection })
        assert.equal(projected.status, 204, projected.text)
        const unknown = await caller.post('/automation/Directory.Projection', { params: { ...projection, columnName: 'none' } })
        assert.equal(unknown.status, 400)
      })

      test('in an entry of any directory', async () => {
        const found: string[] = []
        const listed = [await caller.get('/directory'), await caller.get('/directory?types=system')]
        for (const { name } of listed.flatMap(({ body }) => body.entries)) {
          found.push(...foreignWords(name, await caller.get(`/directory/${name}?pageSize=1000`)))
        }
        assert.deepEqual(found, [])
      })
    },
    { settings: { vendor: own, restStackEnable: true } },
  )
}
