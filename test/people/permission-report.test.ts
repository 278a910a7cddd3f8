import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { type Ace, deny, grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { AnswerBody } from '../../src/testing.ts'
import { aDocument, assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const people = ['ann', 'ben', 'cid', 'dan', 'eve']
/** In no directory, and in the crew without being listed there. */
const declared = definePlugin({ name: 'declared', virtualUsers: [{ name: 'robot', password: 'robot', groups: ['crew'] }] })
const root = '/default-domain/workspaces/report'
const places = ['', '/team', '/team/plans', '/team/plans/note', '/open', '/open/shut'].map((way) => `${root}${way}`)

/** What each place says itself; the crew is in the fleet. */
const entries: { readonly [place: string]: readonly Ace[] } = {
  [root]: [deny('Everyone', 'Everything')],
  [`${root}/team`]: [grant('fleet', 'Read'), grant('dan', 'ReadWrite')],
  [`${root}/team/plans`]: [deny('ben', 'Read'), grant('eve', 'Read', { end: '2001-01-01T00:00:00.000Z' })],
  [`${root}/team/plans/note`]: [grant('ben', 'Write'), grant('gone', 'Read')],
  [`${root}/open`]: [grant('members', 'Read')],
  [`${root}/open/shut`]: [deny('cid', 'Everything'), grant('eve', 'Everything')],
}

onEachServer(
  'the report of permissions',
  (server) => {
    const admin = () => server.as('Administrator')
    before(async () => {
      for (const name of people) await server.addUser(name, ['members'])
      const group = (id: string, more: object) =>
        admin().post('/group', { 'entity-type': 'group', id, grouplabel: `The ${id}`, ...more })
      assert.equal((await group('crew', { memberUsers: ['ann', 'ben'] })).status, 201)
      assert.equal((await group('fleet', { memberUsers: ['cid'], memberGroups: ['crew'] })).status, 201)
      for (const place of places) {
        const [, parent = '', name = ''] = /^(.*)\/([^/]+)$/.exec(place) ?? []
        assert.equal((await admin().post(`/path${parent}`, aDocument({ type: 'Workspace', name }))).status, 201)
        const { uid } = (await admin().get(`/path${place}`)).body
        await server.asSystem((session) => setAcls(session, uid, [{ name: 'local', aces: entries[place] ?? [] }]))
      }
    })
    const everyPage = async (path: string, pageSize: number): Promise<AnswerBody[]> => {
      const all: AnswerBody[] = []
      for (let page = 0; ; page += 1) {
        const { status, body } = await admin().get(`${path}&pageSize=${pageSize}&currentPageIndex=${page}`)
        assert.equal(status, 200)
        all.push(...body.entries)
        if ((page + 1) * pageSize >= body.resultsCount) return all
      }
    }
    const canRead = async (user: string, place: string) => (await server.as(user).get(`/path${place}`)).status === 200

    describe('on a document', () => {
      for (const place of places)
        test(`names just those who can read ${place}`, async () => {
          const found = await everyPage(`/management/permissions/people?document=${place}`, 3)
          const names = found.map(({ name }) => name)
          assert.equal(new Set(names).size, names.length)
          for (const user of [...people, 'robot']) assert.equal(names.includes(user), await canRead(user, place), user)
          assert.ok(found.some(({ name, isAdministrator }) => name === 'Administrator' && isAdministrator))
          for (const { name, isAdministrator, reason } of found) {
            if (isAdministrator) continue
            // The entry that is told is one of the place that is told, and grants it.
            assert.equal(reason.ace.granted, true)
            assert.ok(place === reason.place.path || place.startsWith(`${reason.place.path}/`), name)
            const own = entries[reason.place.path] ?? []
            assert.ok(
              own.some(({ username, permission }) => username === reason.ace.username && permission === reason.ace.permission),
            )
          }
        })

      test('tells of all whom entries name whether they can, and through which entry', async () => {
        const place = `${root}/team/plans`
        const found = await everyPage(`/management/permissions/named?document=${place}`, 2)
        const shown = found.map(({ name, kind, label, isGranted, reason }) => [name, kind, label, isGranted, reason?.place.path])
        assert.deepEqual(shown, [
          ['ben', 'user', 'ben', false, place],
          ['fleet', 'group', 'The fleet', true, `${root}/team`],
          ['dan', 'user', 'dan', true, `${root}/team`],
          ['Everyone', 'everyone', 'Everyone', false, root],
        ])
        const note = await everyPage(`/management/permissions/named?document=${place}/note`, 50)
        assert.deepEqual(
          note.filter(({ name }) => name === 'gone').map(({ kind }) => kind),
          ['unknown'],
        )
      })

      test('takes another permission, and the id in place of the path', async () => {
        const { uid } = (await admin().get(`/path${root}/team/plans/note`)).body
        const found = await everyPage(`/management/permissions/people?document=${uid}&permission=Write`, 50)
        const names = found.filter(({ isAdministrator }) => !isAdministrator).map(({ name }) => name)
        assert.deepEqual(names.sort(), ['ben', 'dan'])
      })
    })

    describe('on a person', () => {
      for (const user of people)
        test(`has the places that name ${user} or one of the groups, and says what can be read there`, async () => {
          const found = await everyPage(`/management/permissions/places?name=${user}`, 2)
          const below = found.filter(({ place }) => place.path.startsWith(root))
          const groups = (await admin().get(`/user/${user}`)).body.extendedGroups.map(({ name }: { name: string }) => name)
          const names = new Set([user, 'Everyone', ...groups])
          const expected = places.filter((place) => entries[place]?.some(({ username }) => names.has(username)))
          assert.deepEqual(
            below.map(({ place }) => place.path),
            expected.sort(),
          )
          for (const { place, canRead: can, aces } of below) {
            assert.equal(can, await canRead(user, place.path), place.path)
            const own = (entries[place.path] ?? []).filter(({ username }) => names.has(username))
            assert.deepEqual(
              aces.map((ace: AnswerBody) => [ace.username, ace.permission, ace.granted]),
              own.map(({ username, permission, granted }) => [username, permission, granted]),
            )
          }
        })

      test('is one on a group as well, with the groups that it is in', async () => {
        const { body } = await admin().get('/management/permissions/places?name=crew')
        assert.deepEqual([body.kind, body.label, [...body.names].sort()], ['group', 'The crew', ['Everyone', 'crew', 'fleet']])
        assert.ok(body.entries.some(({ place }: AnswerBody) => place.path === `${root}/team`))
      })
    })

    test('is for administrators, and refuses what is not there or not valid', async () => {
      const ways = [`named?document=${root}`, `people?document=${root}`, 'places?name=ann', 'named', 'places']
      for (const way of ways)
        assertRefused(
          await server.as('ann').get(`/management/permissions/${way}`),
          403,
          'Only administrators are told who may do what.',
        )
      assert.equal((await admin().get('/management/permissions/people?document=/nosuch')).status, 404)
      assertRefused(
        await admin().get('/management/permissions/places?name=nosuch'),
        404,
        'There is neither a user nor a group nosuch.',
      )
      for (const wrong of [`people?document=${root}&pageSize=201`, 'people', 'places?name=ann&currentPageIndex=-1'])
        assert.equal((await admin().get(`/management/permissions/${wrong}`)).status, 400, wrong)
    })
  },
  { plugins: [declared], settings: { securityAllowNegativeAcl: true } },
)
