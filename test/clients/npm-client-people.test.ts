import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { getOrCreateUserProfile } from '../../src/features/user-profile/index.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'
import { type Client, createClient, isClientEntry, isClientGroup, isClientUser, refusalOf } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }

onEachServer(
  'people and vocabularies with the published npm client',
  (server) => {
    let administrator: Client
    let alice: Client
    before(async () => {
      await server.addUser('alice', ['members'])
      administrator = createClient(server.url, 'Administrator')
      alice = createClient(server.url, 'alice')
    })

    describe('connecting', () => {
      test('tells the profile of the user, which has exactly five fields', async () => {
        const { user } = await administrator.connect()
        assert.deepEqual(Object.keys(user.contextParameters?.['userprofile']).toSorted(), [
          'avatar',
          'birthdate',
          'gender',
          'locale',
          'phonenumber',
        ])
      })
      test('tells what the user has stored in it', async () => {
        const profile = await server.inSession('alice', (session) => getOrCreateUserProfile(session, server.services))
        const stored = await alice.repository().fetch(profile.id)
        await stored.set({ 'userprofile:phonenumber': '+33 1', 'userprofile:avatar': { data: 'a face', name: 'a.txt' } }).save()
        const { user } = await alice.connect()
        const { avatar, ...others } = user.contextParameters?.['userprofile'] ?? {}
        assert.deepEqual(others, { birthdate: null, gender: false, locale: null, phonenumber: '+33 1' })
        assert.ok(avatar.data.startsWith(`${server.url}nxfile/default/${profile.id}/userprofile:avatar/a.txt`))
      })
    })

    describe('users', () => {
      const newUser = (username: string, others: object = {}) => ({
        properties: { username, firstName: 'Lee', lastName: 'Roy', email: 'lee@example.org', password: username, ...others },
      })

      test('are fetched', async () => {
        const user = await administrator.users().fetch('Administrator')
        assert.ok(isClientUser(user))
        assert.deepEqual([user.id, user.get('username'), user.isAdministrator], ['Administrator', 'Administrator', true])
        assert.ok(user.extendedGroups.some(({ name, url }) => name === 'administrators' && url === 'group/administrators'))
      })
      test('are created, and can sign in', async () => {
        const user = await administrator.users().create(newUser('leeroy', { groups: ['members'] }))
        assert.ok(isClientUser(user))
        assert.deepEqual(user.properties, {
          username: 'leeroy',
          firstName: 'Lee',
          lastName: 'Roy',
          company: null,
          email: 'lee@example.org',
          groups: ['members'],
          tenantId: null,
        })
        assert.equal((await createClient(server.url, 'leeroy').connect()).user.id, 'leeroy')
      })
      test('are changed, by what was set and nothing else', async () => {
        await administrator.users().create(newUser('changing'))
        const user = await administrator.users().fetch('changing')
        const saved = await user.set({ firstName: 'Leeroy', company: 'Acme' }).save()
        assert.deepEqual([saved.get('firstName'), saved.get('lastName'), saved.get('company')], ['Leeroy', 'Roy', 'Acme'])
        const updated = await administrator.users().update({ id: 'changing', properties: { lastName: 'Jenkins' } })
        assert.deepEqual([updated.get('firstName'), updated.get('lastName')], ['Leeroy', 'Jenkins'])
      })
      test('are removed', async () => {
        await administrator.users().create(newUser('leaving'))
        assert.equal((await administrator.users().delete('leaving')).status, 204)
        const { status, body } = await refusalOf(administrator.users().fetch('leaving'))
        assert.deepEqual([status, body.message], [404, 'user does not exist'])
      })
      test('that are there already are refused with 409', async () => {
        await administrator.users().create(newUser('twice'))
        const { status, body } = await refusalOf(administrator.users().create(newUser('twice')))
        assert.deepEqual([status, body.message], [409, 'User already exists'])
      })
      test('are not changed by just anybody', async () => {
        assert.equal((await refusalOf(alice.users().create(newUser('mine')))).status, 403)
        assert.equal((await refusalOf(alice.users().update({ id: 'alice', properties: { firstName: 'A' } }))).status, 403)
        assert.equal((await refusalOf(alice.users().delete('Administrator'))).status, 403)
      })
      test('have their profile when the client asks for it', async () => {
        const user = await alice.users().enricher('user', 'userprofile').fetch('Administrator')
        assert.equal(user.contextParameters?.['userprofile'].gender, false)
      })
    })

    describe('groups', () => {
      test('are fetched, without their members', async () => {
        const group = await administrator.groups().fetch('administrators')
        assert.ok(isClientGroup(group))
        assert.deepEqual([group.groupname, group.grouplabel], ['administrators', 'Administrators group'])
        assert.equal(group.memberUsers, undefined)
      })
      test('are fetched with their members when the client asks for them', async () => {
        const group = await administrator
          .groups()
          .fetchProperties({ group: ['memberUsers', 'memberGroups'] })
          .fetch('administrators')
        assert.deepEqual([group.memberUsers, group.memberGroups], [['Administrator'], []])
      })
      test('are created with and without members', async () => {
        const empty = await administrator.groups().create({ groupname: 'empty', grouplabel: 'Empty' })
        assert.ok(isClientGroup(empty))
        assert.deepEqual([empty.groupname, empty.grouplabel], ['empty', 'Empty'])
        await administrator.groups().create({ groupname: 'full', memberUsers: ['alice'], memberGroups: ['empty'] })
        const full = await administrator
          .groups()
          .fetchProperties({ group: ['memberUsers', 'memberGroups'] })
          .fetch('full')
        assert.deepEqual([full.memberUsers, full.memberGroups], [['alice'], ['empty']])
      })
      test('are changed, and keep the members that were not sent', async () => {
        const groups = () => administrator.groups().fetchProperties({ group: ['memberUsers', 'memberGroups'] })
        await groups().create({ groupname: 'team', grouplabel: 'Team', memberUsers: ['alice'] })
        await groups().update({ groupname: 'team', grouplabel: 'The team' })
        const team = await groups().fetch('team')
        assert.deepEqual([team.grouplabel, team.memberUsers], ['The team', ['alice']])
        team.memberUsers = ['Administrator', 'alice']
        team.grouplabel = 'All of us'
        await team.save()
        const saved = await groups().fetch('team')
        assert.deepEqual([saved.grouplabel, saved.memberUsers], ['All of us', ['Administrator', 'alice']])
      })
      test('are removed', async () => {
        await administrator.groups().create({ groupname: 'leaving', grouplabel: 'Leaving' })
        assert.equal((await administrator.groups().delete('leaving')).status, 204)
        const { status, body } = await refusalOf(administrator.groups().fetch('leaving'))
        assert.deepEqual([status, body.message], [404, 'group does not exist'])
      })
    })

    describe('directories', () => {
      const entry = (id: string, others: object = {}) => ({ properties: { id, label: `${id} label`, ...others } })

      test('are listed with all their entries', async () => {
        const { entries } = await alice.directory('continent').fetchAll()
        assert.ok(entries.every(isClientEntry))
        assert.deepEqual(entries.map(({ id }) => id).toSorted(), [
          'africa',
          'antarctica',
          'asia',
          'europe',
          'north-america',
          'oceania',
          'south-america',
        ])
      })
      test('are paged', async () => {
        const page = (offset: number) => alice.directory('continent').fetchAll({ queryParams: { pageSize: 3, offset } })
        const pages = await Promise.all([0, 3, 6].map(page))
        assert.deepEqual(
          pages.map(({ entries }) => entries.length),
          [3, 3, 1],
        )
      })
      test('give an entry', async () => {
        const article = await alice.directory('nature').fetch('article')
        assert.ok(isClientEntry(article))
        assert.deepEqual([article.directoryName, article.id], ['nature', 'article'])
        assert.deepEqual(article.properties, {
          id: 'article',
          label: 'label.directories.nature.article',
          obsolete: 0,
          ordering: 10_000_000,
        })
      })
      test('give labels in English when they are to be translated', async () => {
        const article = await alice
          .directory('nature')
          .translateProperties({ directoryEntry: ['label'] })
          .fetch('article')
        assert.equal(article.get('label'), 'Article')
      })
      test('give labels in the language of the client, else in that of the profile', async () => {
        const translated = () => alice.directory('nature').translateProperties({ directoryEntry: ['label'] })
        assert.equal((await translated().header('Accept-Language', 'fr').fetch('invoice')).get('label'), 'Facture')
        const { id } = await server.inSession('alice', (session) => getOrCreateUserProfile(session, server.services))
        const properties = { 'userprofile:locale': 'fr' }
        requireStatus(200, await server.as('alice').put(`/id/${id}`, { 'entity-type': 'document', properties }))
        assert.equal((await translated().fetch('invoice')).get('label'), 'Facture')
      })
      test('take a new entry, with the defaults of what was not sent', async () => {
        const created = await administrator.directory('nature').create(entry('foo'))
        assert.deepEqual([created.id, created.get('label'), created.properties['obsolete']], ['foo', 'foo label', 0])
        const { status } = await refusalOf(administrator.directory('nature').create(entry('foo')))
        assert.equal(status, 409)
      })
      for (const [what, prepare] of [
        ['a client that knows the version of the server', (client: Client) => client.connect()],
        ['a client that does not', async (client: Client) => client],
      ] as const) {
        test(`change an entry by ${what}`, async () => {
          const client = await prepare(createClient(server.url, 'Administrator'))
          const id = what.replaceAll(' ', '-')
          await client.directory('nature').create(entry(id))
          const saved = await (await client.directory('nature').fetch(id)).set({ label: 'other', ordering: 50 }).save()
          assert.deepEqual([saved.get('label'), saved.get('ordering')], ['other', 50])
          const updated = await client.directory('nature').update({ id, properties: { label: 'third' } })
          assert.deepEqual([updated.get('label'), updated.get('ordering')], ['third', 50])
        })
      }
      for (const id of ['leaving', 'http://address.com/']) {
        test(`let go of the entry ${id}`, async () => {
          await administrator.directory('nature').create(entry(id))
          assert.equal((await administrator.directory('nature').fetch(id)).id, id)
          assert.equal((await administrator.directory('nature').delete(id)).status, 204)
          const { status, body } = await refusalOf(administrator.directory('nature').fetch(id))
          assert.deepEqual([status, body.message], [404, 'Entry not found'])
        })
      }
      test('count the entries of a directory of tokens, and know them by text', async () => {
        const tokens = () => administrator.directory('oauth2Tokens')
        const created = await tokens().create({ properties: { accessToken: 'a token', nuxeoLogin: 'alice' } })
        assert.equal(typeof created.id, 'string')
        assert.equal(String(created.properties['id']), created.id)
        const saved = await (await tokens().fetch(created.id)).set({ accessToken: 'another' }).save()
        assert.deepEqual([saved.id, saved.get('accessToken')], [created.id, 'another'])
        assert.equal((await tokens().delete(created.id)).status, 204)
      })
      test('are changed by nobody without the right', async () => {
        const { status, body } = await refusalOf(alice.directory('nature').create(entry('mine')))
        assert.deepEqual([status, body.message], [403, 'Not allowed to edit directory'])
      })
    })
  },
  asTheOriginal,
)
