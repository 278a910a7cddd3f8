import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

interface Row {
  readonly schema: string
  readonly parent?: string
  readonly size?: number
  readonly has?: readonly string[]
}

const listed: { readonly [directory: string]: Row } = {
  continent: {
    schema: 'vocabulary',
    size: 7,
    has: ['europe', 'africa', 'north-america', 'south-america', 'asia', 'oceania', 'antarctica'],
  },
  country: { schema: 'xvocabulary', parent: 'continent', size: 244, has: ['France', 'United_States_of_America'] },
  l10ncoverage: { schema: 'l10nxvocabulary', parent: 'l10ncoverage', size: 251, has: ['europe', 'France'] },
  topic: { schema: 'vocabulary', size: 5, has: ['art', 'human sciences', 'society', 'daily life', 'technology'] },
  subtopic: { schema: 'xvocabulary', parent: 'topic', size: 52, has: ['architecture', 'comics', 'cinema'] },
  l10nsubjects: { schema: 'l10nxvocabulary', parent: 'l10nsubjects', size: 58, has: ['sciences', 'comics'] },
  nature: { schema: 'vocabulary', size: 37, has: ['article', 'CDRom', 'accomodationApplicationForm', 'pressReview'] },
  language: { schema: 'vocabulary', size: 11, has: ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'pt', 'ru', 'sp', 'zh'] },
  predicates: { schema: 'vocabulary', size: 5, has: ['http://purl.org/dc/terms/IsBasedOn'] },
  inverse_predicates: { schema: 'vocabulary', size: 5, has: ['http://purl.org/dc/terms/ConformsTo'] },
  WorkflowType: { schema: 'vocabulary', size: 2, has: ['validation', 'simpleReview'] },
  RetentionEvent: { schema: 'vocabulary', size: 2, has: ['documentMoved', 'documentModified'] },
  RetentionEnd: { schema: 'vocabulary', size: 2, has: ['Document.Delete', 'Document.Trash'] },
  RetentionBegin: { schema: 'vocabulary', size: 2, has: ['Document.Lock', 'Document.Unlock'] },
}

const hidden: { readonly [directory: string]: Row } = {
  subject: { schema: 'vocabulary', size: 15, has: ['arts', 'kids-and-teens'] },
  search_operators: { schema: 'vocabulary', size: 6, has: ['=', '>', '<', 'LIKE', 'BETWEEN', 'STARTSWITH'] },
  eventTypes: { schema: 'vocabulary', has: ['documentCreated', 'user_created'] },
  eventCategories: {
    schema: 'vocabulary',
    size: 8,
    has: ['eventDocumentCategory', 'PlatformAuthentication', 'userGroup', 'Retention'],
  },
  documentsLists: { schema: 'documentsLists', size: 0 },
}

/** Only administrators see what is in them. */
const secret: { readonly [directory: string]: readonly string[] } = {
  oauth2Tokens: [
    'id',
    'serviceName',
    'accessToken',
    'refreshToken',
    'platformLogin',
    'serviceLogin',
    'clientId',
    'isShared',
    'sharedWith',
    'expirationTimeMilliseconds',
    'creationDate',
  ],
  oauth2Clients: ['id', 'name', 'clientId', 'clientSecret', 'redirectURIs', 'autoGrant', 'enabled'],
  oauth2ServiceProviders: [
    'id',
    'serviceName',
    'description',
    'authorizationServerURL',
    'tokenServerURL',
    'userAuthorizationURL',
    'clientId',
    'clientSecret',
    'scopes',
    'enabled',
  ],
  authTokens: ['token', 'userName', 'applicationName', 'deviceId', 'deviceDescription', 'permission', 'creationDate'],
  oauthConsumers: [
    'consumerKey',
    'consumerSecret',
    'publicKey',
    'callbackURL',
    'description',
    'signedFetchSupport',
    'dedicatedLogin',
    'enabled',
    'allowBypassVerifier',
  ],
  oauthTokens: [
    'token',
    'tokenSecret',
    'appId',
    'callbackUrl',
    'platformLogin',
    'consumerKey',
    'verifier',
    'durationInMinutes',
    'creationDate',
    'clientToken',
    'clientId',
  ],
  digestauth: ['username', 'password'],
  aceinfo: ['id', 'repositoryName', 'docId', 'aclName', 'aceId', 'notify', 'comment'],
}

const idFields: { readonly [directory: string]: string } = {
  authTokens: 'token',
  oauthConsumers: 'consumerKey',
  oauthTokens: 'token',
  digestauth: 'username',
}

const entry = (properties: object, more: object = {}) => ({ 'entity-type': 'directoryEntry', properties, ...more })

onEachServer('a built-in directory', (server) => {
  before(async () => {
    await server.addUser('bob')
    await server.addUser('pat', ['powerusers'])
  })

  for (const [name, { schema, parent = null, size, has = [] }] of Object.entries({ ...listed, ...hidden })) {
    test(`${name} has its schema and its entries, for every user`, async () => {
      const { body } = await server.as('bob').get(`/directory/${name}?pageSize=0`)
      if (size !== undefined) assert.equal(body.resultsCount, size)
      const ids = new Set(body.entries.map(({ id }: { id: string }) => id))
      for (const id of has) assert.ok(ids.has(id), id)
      const directories = (await server.as('bob').get('/directory')).body.entries
      const shown = directories.find((one: { name: string }) => one.name === name)
      if (name in hidden) assert.equal(shown, undefined)
      else assert.deepEqual(shown, { 'entity-type': 'directory', name, schema, idField: 'id', parent })
    })
  }

  test('of the stock server is listed when it is no system directory, and there is no other', async () => {
    const { body } = await server.as('bob').get('/directory')
    assert.deepEqual(
      body.entries.map(({ name }: { name: string }) => name),
      Object.keys(listed).sort(),
    )
  })

  const labels = {
    nature: { article: 'Article', application: 'Application', booklet: 'Booklet', invoice: 'Invoice', memo: 'Memo' },
    l10nsubjects: {
      'daily life': 'Daily life',
      gastronomy: 'Gastronomy',
      art: 'Art',
      comics: 'Comics',
      culture: 'Culture',
      society: 'Society',
      ecology: 'Ecology',
      sciences: 'Sciences',
      astronomy: 'Astronomy',
    },
    l10ncoverage: {
      europe: 'Europe',
      Portugal: 'Portugal',
      France: 'France',
      'north-america': 'North America',
      Canada: 'Canada',
    },
  }
  for (const [name, texts] of Object.entries(labels)) {
    test(`${name} has the labels that clients read in English`, async () => {
      for (const [id, label] of Object.entries(texts)) {
        const { body } = await server.as('bob').get(`/directory/${name}/${id}?translate.directoryEntry=label`)
        assert.equal(body.properties.label, label)
      }
    })
  }

  describe('of secrets', () => {
    for (const [name, fields] of Object.entries(secret)) {
      test(`${name} is for administrators only, and has its fields`, async () => {
        const key = idFields[name] ?? 'id'
        const created = await server.as('Administrator').post(`/directory/${name}`, entry({ [key]: 'secret-1' }))
        assert.equal(created.status, 201, created.text)
        assert.deepEqual(Object.keys(created.body.properties), fields)
        const { id } = created.body
        for (const user of ['bob', 'pat']) {
          assert.equal((await server.as(user).get(`/directory/${name}`)).body.resultsCount, 0)
          assertRefused(await server.as(user).get(`/directory/${name}/${id}`), 404, 'Entry not found')
          assertRefused(await server.as(user).delete(`/directory/${name}/${id}`), 403, 'Not allowed to edit directory')
        }
        const { body } = await server.as('Administrator').get(`/directory/${name}`)
        assert.ok(body.entries.some((one: { id: string }) => one.id === id))
        const names = (await server.as('Administrator').get('/directory')).body.entries.map((one: { name: string }) => one.name)
        assert.equal(names.includes(name), false)
      })
    }

    test('counts the ids of tokens, whatever id is sent, and lets them be changed by them', async () => {
      const admin = server.as('Administrator')
      const first = (await admin.post('/directory/oauth2Tokens', entry({ id: 500, accessToken: 'a' }, { id: '500' }))).body
      const second = (await admin.post('/directory/oauth2Tokens', entry({ accessToken: 'b', id: 'x' }))).body
      assert.equal(Number(second.id), Number(first.id) + 1)
      const body = entry({ accessToken: 'c' }, { id: first.id })
      const changed = (await admin.put(`/directory/oauth2Tokens/${first.id}`, body)).body
      assert.deepEqual([changed.id, changed.properties.id, changed.properties.accessToken], [first.id, Number(first.id), 'c'])
      assert.equal((await admin.put(`/directory/oauth2Tokens/${first.id}`, changed)).status, 200)
      assert.equal((await admin.delete(`/directory/oauth2Tokens/${second.id}`)).status, 204)
      const third = (await admin.post('/directory/oauth2Tokens', entry({ accessToken: 'd' }))).body
      assert.notEqual(third.id, second.id)
    })

    test('has the two clients that are trusted from the first day', async () => {
      const { body } = await server.as('Administrator').get('/directory/oauth2Clients?pageSize=0')
      const shipped = body.entries.filter((one: { properties: { clientId: string } }) => one.properties.clientId)
      assert.deepEqual(
        shipped.map(({ id, properties }: { id: string; properties: { [field: string]: unknown } }) => [id, properties]),
        [
          [
            '1',
            {
              id: 1,
              name: 'Platform Drive',
              clientId: 'platform-drive',
              clientSecret: null,
              redirectURIs: 'nxdrive://authorize',
              autoGrant: true,
              enabled: true,
            },
          ],
          [
            '2',
            {
              id: 2,
              name: 'Platform Mobile',
              clientId: 'platform-mobile',
              clientSecret: null,
              redirectURIs: 'platform://authorize',
              autoGrant: true,
              enabled: true,
            },
          ],
        ],
      )
    })

    test('shows a password as nothing, stores its digest, and keeps it when nothing is sent back', async () => {
      const admin = server.as('Administrator')
      const created = await admin.post('/directory/digestauth', entry({ username: 'dora', password: 'swordfish' }))
      assert.equal(created.body.properties.password, '')
      const stored = () => server.asSystem(({ tx }) => tx.directories.find('digestauth', 'dora'))
      const before = await stored()
      assert.match(String(before?.values['password']), /^\{ARGON2ID\}/)
      assert.equal((await admin.put('/directory/digestauth/dora', created.body)).status, 200)
      assert.deepEqual(await stored(), before)
      await admin.put('/directory/digestauth/dora', entry({ username: 'dora', password: 'other' }))
      assert.notEqual((await stored())?.values['password'], before?.values['password'])
    })
  })
})

onEachServer(
  'a deployment with a word of its own',
  (server) => {
    test('has that word in the identifiers that carry the vendor’s', async () => {
      const admin = server.as('Administrator')
      const created = (await admin.post('/directory/oauth2Tokens', entry({ acmeLogin: 'ann', platformLogin: 'no' }))).body
      assert.equal(created.properties.acmeLogin, 'ann')
      assert.equal('platformLogin' in created.properties, false)
      const sorted = await admin.get('/directory/oauth2Tokens?sortBy=acmeLogin')
      assert.deepEqual([sorted.status, sorted.body.entries.length], [200, 1])
      const clients = (await admin.get('/directory/oauth2Clients')).body.entries
      assert.deepEqual([clients[0].properties.name, clients[0].properties.clientId], ['Acme Drive', 'acme-drive'])
      const category = '/directory/eventCategories/AcmeAuthentication'
      assert.equal((await admin.get(category)).body.properties.label, 'label.directories.eventCategories.AcmeAuthentication')
      const translated = await admin.get(category, { 'translate-directoryEntry': 'label' })
      assert.equal(translated.body.properties.label, 'Authentication')
    })
  },
  { settings: { vendor: 'acme' } },
)
