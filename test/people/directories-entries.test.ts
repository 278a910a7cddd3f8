import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { requestBytes, sendBytes } from '../support/raw-http.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const families = definePlugin({
  name: 'families',
  directories: [
    defineDirectory('family', {
      schema: 'xvocabulary',
      parentDirectory: 'family',
      dataFile: async () => [
        { id: 'ouroboros', label: 'Snake', parent: 'ouroboros' },
        { id: 'hen', label: 'Hen', parent: 'egg' },
        { id: 'egg', label: 'Egg', parent: 'hen' },
        { id: 'orphan', label: 'Orphan', parent: 'nobody' },
        ...Array.from({ length: 3_000 }, (_, age) => ({ id: `heir${age}`, label: 'Heir', parent: `heir${age - 1}` })),
      ],
    }),
    defineDirectory('keys', { schema: 'vocabulary', dataFile: async () => [{ id: 'k', label: 'label.of.nothing' }] }),
  ],
})

onEachServer(
  'an entry of a directory',
  (server) => {
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('alice', ['members'])
    })
    const get = (path: string, headers: { readonly [name: string]: string } = {}) => server.as('bob').get(path, headers)
    const create = (directory: string, properties: object) =>
      server.as('Administrator').post(`/directory/${directory}`, { 'entity-type': 'directoryEntry', properties })

    test('is shown with its directory, its id and all fields of the schema', async () => {
      const { status, body, headers } = await get('/directory/nature/article')
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /platform-entity=directoryEntry/)
      assert.deepEqual(body, {
        'entity-type': 'directoryEntry',
        directoryName: 'nature',
        id: 'article',
        properties: { id: 'article', label: 'label.directories.nature.article', obsolete: 0, ordering: 10_000_000 },
      })
    })

    test('is not found when there is none, and neither is one of a directory that is not there', async () => {
      for (const id of ['nothing', 'Article', 'article/', '%00', 'a%00b', '%ED%A0%80', 'x'.repeat(2_000), '%2e%2e%2fcountry']) {
        assertRefused(await get(`/directory/nature/${id}`), 404, 'Entry not found')
      }
      assertRefused(await get('/directory/nowhere/article'), 404, 'Directory nowhere was not found')
    })

    test('has no adapters', async () => {
      assert.equal((await get('/directory/nature/article/@children')).status, 404)
    })

    describe('whose id is a URL', () => {
      const predicate = 'http://purl.org/dc/terms/References'

      test('is found with its slashes as they are, and encoded', async () => {
        for (const path of [predicate, encodeURIComponent(predicate), 'http:%2F%2Fpurl.org/dc/terms%2FReferences']) {
          const { status, body } = await get(`/directory/predicates/${path}`)
          assert.deepEqual([status, body.id, body.properties.label], [200, predicate, 'label.relation.predicate.References'])
        }
        assert.equal((await get(`/repo/default/directory/predicates/${predicate}`)).body.id, predicate)
      })

      test('keeps a slash at its end, which makes it another', async () => {
        for (const id of ['http://address.com/', 'http://address.com', 'http://address.com//', 'a;b=c/d', 'x?y#z', 'ü 😀/%'])
          assert.equal((await create('nature', { id, label: id })).status, 201, id)
        for (const id of ['http://address.com/', 'http://address.com', 'http://address.com//', 'a;b=c/d']) {
          const shown = (await get(`/directory/nature/${id}`)).body
          assert.deepEqual([shown.id, shown.properties.label], [id, id])
        }
        for (const id of ['x?y#z', 'ü 😀/%']) assert.equal((await get(`/directory/nature/${encodeURIComponent(id)}`)).body.id, id)
        const admin = server.as('Administrator')
        assert.equal((await admin.delete('/directory/nature/http://address.com/')).status, 204)
        assertRefused(await get('/directory/nature/http://address.com/'), 404, 'Entry not found')
        for (const id of ['http://address.com', 'http://address.com//']) {
          const body = { 'entity-type': 'directoryEntry', id, properties: { label: 'Changed' } }
          assert.equal((await admin.put(`/directory/nature/${id}`, body)).body.properties.label, 'Changed')
          assert.equal((await admin.delete(`/directory/nature/${id}`)).status, 204)
        }
      })
    })

    test('of users has a blank password, the groups, and is found as it is spelled', async () => {
      const { status, body } = await get('/directory/userDirectory/alice')
      assert.equal(status, 200)
      assert.deepEqual(body.properties, {
        username: 'alice',
        password: '',
        firstName: null,
        lastName: null,
        company: null,
        email: null,
        groups: ['members'],
        tenantId: null,
      })
      const group = (await get('/directory/groupDirectory/administrators')).body
      assert.equal(group.properties.grouplabel, 'Administrators group')
      assert.deepEqual([group.properties.members, group.properties.subGroups], [['Administrator'], []])
      const listed = (await get('/directory/userDirectory')).body.entries.map(({ id }: { id: string }) => id)
      assert.deepEqual(listed, ['Administrator', 'alice', 'bob'])
      assert.doesNotMatch((await get('/directory/userDirectory')).text, /ARGON2/)
    })

    test('whose id is a number has it as text beside its properties and as a number in them', async () => {
      const created = (await create('oauth2Tokens', { id: 17, accessToken: 'one' })).body
      assert.equal(typeof created.id, 'string')
      assert.equal(created.properties.id, Number(created.id))
      const shown = (await server.as('Administrator').get(`/directory/oauth2Tokens/${created.id}`)).body
      assert.deepEqual(shown, created)
    })

    describe('with its parent fetched', () => {
      const parentOf = async (path: string, how: 'header' | 'query' | 'dotted' = 'header') => {
        const headers = { header: { 'fetch-directoryEntry': 'parent' }, dotted: { 'fetch.directoryEntry': 'parent' }, query: {} }[
          how
        ]
        const { body } = await get(`/directory/${path}${how === 'query' ? '?fetch.directoryEntry=parent' : ''}`, headers)
        return body.properties.parent
      }

      test('has the entry of the parent directory in its place', async () => {
        for (const how of ['header', 'query', 'dotted'] as const) {
          assert.deepEqual(await parentOf('country/France', how), {
            'entity-type': 'directoryEntry',
            directoryName: 'continent',
            id: 'europe',
            properties: { id: 'europe', label: 'label.directories.continent.europe', obsolete: 0, ordering: 10_000_000 },
          })
        }
        assert.equal((await get('/directory/country/France')).body.properties.parent, 'europe')
      })

      test('goes on upwards, and ends where parents go in a circle', async () => {
        const egg = await parentOf('family/hen')
        assert.deepEqual([egg.id, egg.properties.parent], ['egg', 'hen'])
        assert.equal(await parentOf('family/ouroboros'), 'ouroboros')
        const cinema = await parentOf('l10nsubjects/cinema')
        assert.deepEqual([cinema.id, cinema.properties.parent], ['art', null])
      })

      test('ends after 32 of them, so that no line of them is too long for an answer', async () => {
        let [entry, steps] = [await parentOf('family/heir2999'), 0]
        for (; typeof entry === 'object'; entry = entry.properties.parent) steps++
        assert.deepEqual([steps, entry], [32, 'heir2966'])
      })

      test('keeps the id where there is no such entry', async () => {
        assert.equal(await parentOf('family/orphan'), 'nobody')
      })

      test('does so in lists', async () => {
        const { body } = await get('/directory/country?pageSize=1', { 'fetch-directoryEntry': 'parent' })
        assert.equal(body.entries[0].properties.parent['entity-type'], 'directoryEntry')
      })
    })

    describe('with its label translated', () => {
      const labelOf = async (path: string, headers: { readonly [name: string]: string } = {}) =>
        (await get(`/directory/${path}`, { 'translate-directoryEntry': 'label', ...headers })).body.properties.label

      test('has it in the language of the request, else in English', async () => {
        assert.equal(await labelOf('nature/invoice'), 'Invoice')
        assert.equal(await labelOf('nature/invoice', { 'accept-language': 'fr-CA,en;q=0.5' }), 'Facture')
        assert.equal(await labelOf('nature/invoice', { 'accept-language': 'de,fr;q=0.4' }), 'Facture')
        assert.equal(await labelOf('nature/invoice', { 'accept-language': 'ja' }), 'Invoice')
        assert.equal((await get('/directory/nature/invoice?translate.directoryEntry=label')).body.properties.label, 'Invoice')
      })

      test('gives an entry with labels in several languages the fitting one', async () => {
        assert.equal(await labelOf('l10ncoverage/Germany'), 'Germany')
        assert.equal(await labelOf('l10ncoverage/Germany', { 'accept-language': 'fr' }), 'Allemagne')
      })

      test('translates a fetched parent too', async () => {
        const headers = { 'translate-directoryEntry': 'label', 'fetch-directoryEntry': 'parent', 'accept-language': 'fr' }
        const { body } = await get('/directory/country/Germany', headers)
        assert.deepEqual([body.properties.label, body.properties.parent.properties.label], ['Allemagne', 'Europe'])
        assert.equal(body.properties.parent.id, 'europe')
      })

      test('keeps a key that has no text', async () => {
        assert.equal(await labelOf('keys/k'), 'label.of.nothing')
      })
    })

    test('cannot be reached by a step up from another', async () => {
      const headers = [`Authorization: Basic ${Buffer.from('bob:bob').toString('base64')}`]
      const bytes = requestBytes({ method: 'GET', path: '/api/v1/directory/nature/../country/France', headers })
      const { status, json } = await sendBytes(Number(new URL(server.url).port), bytes)
      assert.deepEqual([status, json?.['message']], [404, 'Entry not found'])
    })
  },
  { plugins: [families] },
)
