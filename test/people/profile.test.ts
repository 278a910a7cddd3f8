import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { accessTo } from '../../src/core/access.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { getOrCreateUserProfile } from '../../src/features/user-profile/index.ts'
import { getOrCreateUserWorkspace } from '../../src/features/user-workspaces/index.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createPrincipal } from '../../src/model/rights/principal.ts'
import type { TestServer } from '../../src/testing.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { readAclIds } from '../support/shown-acls.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const home = '/default-domain/UserWorkspaces'
const defaults = { avatar: null, birthdate: null, phonenumber: null, gender: false, locale: null }
const wish = { 'enrichers.user': 'userprofile' }

const profileOf = (server: TestServer, user: string): Promise<Document> =>
  server.inSession(user, (session) => getOrCreateUserProfile(session, server.services))

/** The profile of a user, changed by that user over REST. */
async function fillProfile(server: TestServer, user: string, properties: object): Promise<Document> {
  const profile = await profileOf(server, user)
  requireStatus(200, await server.as(user).put(`/id/${profile.id}`, { 'entity-type': 'document', properties }))
  return profile
}

async function enriched(server: TestServer, path: string, by: string): Promise<Answered> {
  return requireStatus(200, await server.as(by).get(path, wish)).contextParameters.userprofile
}

onEachServer('the document of a profile', (server) => {
  const bench = workbenchOn(server)
  before(async () => {
    for (const user of ['ann', 'ben', 'cat', 'dan']) await server.addUser(user, ['members'])
  })

  test('is made on demand in the workspace of its user, hidden, and named by the time', async () => {
    const earliest = Date.now()
    const { id } = await profileOf(server, 'ann')
    const shown = requireStatus(200, await server.as('ann').get(`/id/${id}`, { properties: '*' }))
    assert.equal(shown.type, 'UserProfile')
    assert.match(shown.path, new RegExp(`^${home}/ann/\\d{13}$`))
    assert.ok(Number(shown.path.split('/').at(-1)) >= earliest)
    assert.deepEqual(shown.facets.toSorted(), ['HiddenInNavigation', 'UserProfile'])
    assert.equal(shown.state, 'undefined')
    assert.deepEqual([shown.properties['dc:creator'], shown.properties['userprofile:gender']], ['ann', false])
    const { entries } = requireStatus(200, await server.as('ann').get(`/path${home}/ann/@children`))
    assert.deepEqual(entries, [])
  })
  test('is made, found and changed over REST by its user, and by nobody without an account', async () => {
    const made = requireStatus(200, await server.as('dan').post('/me/profile', undefined, { properties: 'userprofile' }))
    assert.equal(made.type, 'UserProfile')
    assert.equal(made.properties['userprofile:locale'], null)
    const change = { 'entity-type': 'document', properties: { 'userprofile:locale': 'fr' } }
    requireStatus(200, await server.as('dan').put(`/id/${made.uid}`, change))
    assert.equal(requireStatus(200, await server.as('dan').post('/me/profile')).uid, made.uid)
    assert.equal((await enriched(server, '/me', 'dan')).locale, 'fr')
    assert.equal((await server.as('nobody').post('/me/profile')).status, 401)
  })
  test('is the same one whenever it is asked for', async () => {
    assert.equal((await profileOf(server, 'ann')).id, (await profileOf(server, 'ann')).id)
  })
  test('is one when many ask for it at once', async () => {
    const profiles = await Promise.all(Array.from({ length: 8 }, () => profileOf(server, 'ben')))
    assert.equal(new Set(profiles.map(({ id }) => id)).size, 1)
  })
  test('lets everybody read it, and nobody but its user change it', async () => {
    const { id } = await profileOf(server, 'ann')
    assert.deepEqual((await readAclIds(server, id))['local'], ['Everyone:Read:true:::'])
    assert.equal((await server.as('ben').get(`/id/${id}`)).status, 200)
    assert.equal((await server.as('ben').get(`/path${home}/ann`)).status, 403)
    const change = { 'entity-type': 'document', properties: { 'userprofile:phonenumber': '110' } }
    assert.equal((await server.as('ben').put(`/id/${id}`, change)).status, 403)
    requireStatus(200, await server.as('ann').put(`/id/${id}`, change))
    assert.equal((await bench.readProperties(id))['userprofile:phonenumber'], '110')
  })
  test('is made anew when the former one is in the trash', async () => {
    const former = await profileOf(server, 'cat')
    await server.inSession('cat', (session) => trashDocument(session, former.id))
    assert.notEqual((await profileOf(server, 'cat')).id, former.id)
  })
  test('is not taken from a proxy that shows the profile of somebody else', async () => {
    const shown = await profileOf(server, 'ann')
    const own = await profileOf(server, 'dan')
    const { uid } = requireStatus(200, await server.as('dan').get(`/path${home}/dan`))
    await server.asSystem((session) => session.tx.documents.remove(own.id))
    await bench.createProxy(uid, shown.id)
    const anew = await profileOf(server, 'dan')
    assert.deepEqual([anew.isProxy, anew.parentId], [false, uid])
  })
  test('is not made beforehand by who may write in the workspace, nor brought there or taken away', async () => {
    for (const user of ['gus', 'mallory']) await server.addUser(user, ['members'])
    const workspace = await server.inSession('gus', (session) => getOrCreateUserWorkspace(session, server.services))
    await bench.setAcls(workspace.id, [{ name: 'local', aces: [grant('gus', 'Everything'), grant('mallory', 'ReadWrite')] }])
    const mallory = (operation: string, input: string, params: object) =>
      operationsOn(server, 'mallory')(operation, { input, params })
    const post = (type: string) =>
      server.as('mallory').post(`/id/${workspace.id}`, { 'entity-type': 'document', type, name: 'planted', properties: {} })

    assert.equal((await post('UserProfile')).status, 403)
    const theirs = await profileOf(server, 'mallory')
    for (const operation of ['Document.Copy', 'Document.Move'])
      assert.equal((await mallory(operation, theirs.id, { target: workspace.id })).status, 403)
    const faceted = requireStatus(201, await post('Folder'))
    requireStatus(200, await mallory('Document.AddFacet', faceted.uid, { facet: 'UserProfile' }))

    const own = await profileOf(server, 'gus')
    assert.deepEqual([own.type, own.properties['dc:creator']], ['UserProfile', 'gus'])
    assert.equal((await mallory('Document.Move', own.id, { target: theirs.parentId })).status, 403)
  })
  test('is not for those who have no account', async () => {
    const repository = server.services.repositories.get('default')
    assert.ok(repository)
    for (const [name, isAnonymous] of [
      ['transient/guest@x.org', false],
      ['Guest', true],
    ] as const) {
      const principal = createPrincipal(name, [], { isAdministrator: false, isAnonymous })
      const asked = accessTo(repository, principal).write((session) => getOrCreateUserProfile(session, server.services))
      await assert.rejects(asked, { code: 'noUserWorkspace' })
    }
  })
})

onEachServer('the userprofile enricher', (server) => {
  const bench = workbenchOn(server)
  before(async () => {
    for (const user of ['ann', 'ben', 'cat', 'dan', 'eve']) await server.addUser(user, ['members'])
    await fillProfile(server, 'ann', {
      'userprofile:avatar': { data: 'a face', name: 'face of ann.txt' },
      'userprofile:birthdate': '1985-10-26T09:15:30.123Z',
      'userprofile:phonenumber': '+33 1 23',
      'userprofile:gender': true,
      'userprofile:locale': 'fr_FR',
    })
  })

  test('shows the defaults of a user without a profile, and makes none', async () => {
    assert.deepEqual(await enriched(server, '/me', 'ben'), defaults)
    assert.deepEqual(await enriched(server, '/user/ben', 'ann'), defaults)
    assert.equal((await server.as('Administrator').get(`/path${home}/ben`)).status, 404)
  })
  test('shows what is stored, the avatar with a link to its bytes, to everybody', async () => {
    const { id } = await profileOf(server, 'ann')
    const { changeToken } = await bench.read(id)
    for (const [path, by] of [
      ['/me', 'ann'],
      ['/user/ann', 'ben'],
    ] as const) {
      assert.deepEqual(await enriched(server, path, by), {
        avatar: {
          name: 'face of ann.txt',
          'mime-type': 'text/plain',
          encoding: 'UTF-8',
          digestAlgorithm: 'MD5',
          digest: hash('md5', 'a face'),
          length: '6',
          data: `${server.url}nxfile/default/${id}/userprofile:avatar/face%20of%20ann.txt?changeToken=${changeToken}`,
        },
        birthdate: '1985-10-26T09:15:30.123Z',
        phonenumber: '+33 1 23',
        gender: true,
        locale: 'fr_FR',
      })
    }
  })
  for (const name of ['enrichers-user', 'X-NXenrichers.user', 'X-NXenrichers-user']) {
    test(`is asked for by ${name}, too`, async () => {
      const { contextParameters } = requireStatus(200, await server.as('ben').get('/me', { [name]: 'userprofile' }))
      assert.deepEqual(contextParameters, { userprofile: defaults })
    })
  }
  test('is asked for by a query parameter, too', async () => {
    const { contextParameters } = requireStatus(200, await server.as('ben').get('/me?enrichers.user=userprofile'))
    assert.deepEqual(contextParameters, { userprofile: defaults })
  })
  test('says nothing unless it is asked', async () => {
    for (const headers of [{}, { 'enrichers.document': 'userprofile' }, { 'enrichers.user': 'nothing' }]) {
      assert.equal('contextParameters' in requireStatus(200, await server.as('ann').get('/me', headers)), false)
    }
  })
  test('is there for each user that a search finds', async () => {
    const { entries } = requireStatus(200, await server.as('ben').get('/user/search?q=ann', wish))
    assert.deepEqual(
      entries.map(({ contextParameters }: Answered) => contextParameters.userprofile.phonenumber),
      ['+33 1 23'],
    )
  })
  test('keeps what is closed to the caller to itself', async () => {
    const { id } = await fillProfile(server, 'dan', { 'userprofile:phonenumber': 'secret' })
    assert.equal((await enriched(server, '/user/dan', 'ben')).phonenumber, 'secret')
    await bench.restrict(id, grant('dan', 'Everything'))
    assert.deepEqual(await enriched(server, '/user/dan', 'ben'), defaults)
    assert.equal((await enriched(server, '/me', 'dan')).phonenumber, 'secret')
  })
  test('takes the first profile where there are several', async () => {
    await fillProfile(server, 'eve', { 'userprofile:phonenumber': '1' })
    const second = { type: 'UserProfile', name: '0', properties: { 'userprofile:phonenumber': '2' } }
    requireStatus(201, await server.as('Administrator').post(`/path${home}/eve`, { 'entity-type': 'document', ...second }))
    assert.equal((await enriched(server, '/me', 'eve')).phonenumber, '1')
  })
  test('is null for a transient user', async () => {
    assert.equal(await enriched(server, '/user/transient/ann@x.org/666', 'ben'), null)
  })
})

onEachServer(
  'the userprofile enricher of an anonymous user',
  (server) => {
    test('is null', async () => {
      await server.addUser('ann')
      assert.equal(await enriched(server, '/user/Guest', 'ann'), null)
      assert.deepEqual(await enriched(server, '/me', 'ann'), defaults)
    })
  },
  { settings: { userAnonymousEnable: true } },
)

onEachServer(
  'the userprofile enricher as it was before',
  (server) => {
    test('shows three fields, the avatar as its address', async () => {
      await server.addUser('ann', ['members'])
      assert.deepEqual(await enriched(server, '/me', 'ann'), { birthdate: null, phonenumber: null, avatar: null })
      const { id } = await fillProfile(server, 'ann', {
        'userprofile:avatar': { data: 'a face', name: 'face.txt' },
        'userprofile:birthdate': '1985-10-26T09:15:30.123Z',
        'userprofile:phonenumber': '+33 1 23',
      })
      const shown = await enriched(server, '/me', 'ann')
      assert.deepEqual(Object.keys(shown), ['birthdate', 'phonenumber', 'avatar'])
      assert.deepEqual([shown.birthdate, shown.phonenumber], ['1985-10-26T09:15:30Z', '+33 1 23'])
      assert.ok(shown.avatar.startsWith(`${server.url}nxfile/default/${id}/userprofile:avatar/face.txt?`))
    })
  },
  { settings: { userprofileEnricherCompatibility: true } },
)

onEachServer('the language of a translated label', (server) => {
  const bench = workbenchOn(server)
  let article: string

  const labelFor = async (user: string, headers: { [name: string]: string } = {}): Promise<string> => {
    const asked = { properties: 'dublincore', 'fetch.document': 'dc:nature', 'translate.directoryEntry': 'label', ...headers }
    const { properties } = requireStatus(200, await server.as(user).get(`/id/${article}`, asked))
    return properties['dc:nature'].properties.label
  }

  before(async () => {
    for (const user of ['ann', 'ben', 'cat']) await server.addUser(user, ['members'])
    article = (await bench.create('File', { 'dc:nature': 'invoice' })).uid
  })

  describe('without Accept-Language', () => {
    test('is English for a user without a profile, and for one that has no language in it', async () => {
      assert.equal(await labelFor('ann'), 'Invoice')
      await profileOf(server, 'ann')
      assert.equal(await labelFor('ann'), 'Invoice')
    })
    for (const locale of ['fr', 'fr_FR', 'fr-CA']) {
      test(`is French for a user whose profile says ${locale}`, async () => {
        await fillProfile(server, 'ben', { 'userprofile:locale': locale })
        assert.equal(await labelFor('ben'), 'Facture')
        assert.equal(await labelFor('ben', { 'Accept-Language': '*' }), 'Facture')
      })
    }
    for (const locale of ['xx', '']) {
      test(`is English for a user whose profile says '${locale}'`, async () => {
        await fillProfile(server, 'cat', { 'userprofile:locale': locale })
        assert.equal(await labelFor('cat'), 'Invoice')
      })
    }
  })

  test('is that of Accept-Language, whatever the profile says', async () => {
    await fillProfile(server, 'ben', { 'userprofile:locale': 'fr_FR' })
    assert.equal(await labelFor('ben', { 'Accept-Language': 'en' }), 'Invoice')
    assert.equal(await labelFor('ben', { 'Accept-Language': 'de' }), 'Invoice')
    assert.equal(await labelFor('ann', { 'Accept-Language': 'de, fr;q=0.5' }), 'Facture')
  })
})
