import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer } from '../../src/testing.ts'
import { callOnce } from '../support/call-once.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { workbenchOn } from '../support/workbench.ts'

/** Processes that serve one database. */
const arrangements = [
  { name: 'two workers of one server on SQLite', engine: 'sqlite', servers: 1, workers: 2 },
  { name: 'two servers on one SQLite file', engine: 'sqlite', servers: 2, workers: 1 },
  { name: 'two servers on one PostgreSQL', engine: 'postgres', servers: 2, workers: 1 },
] as const

const rounds = 4
/** So many requests after each change that every process answers some of them. */
const witnesses = 4

type Change = readonly [method: string, path: string, body?: object]

/** Each lets Ann in among the readers, and what undoes it. */
const changes: { readonly [kind: string]: { readonly make: Change; readonly undo: Change } } = {
  membership: { make: ['POST', '/group/readers/user/ann'], undo: ['DELETE', '/user/ann/group/readers'] },
  nesting: {
    make: ['PUT', '/group/readers', { memberGroups: ['crew'] }],
    undo: ['PUT', '/group/crew', { parentGroups: [] }],
  },
  replacement: {
    make: ['PUT', '/group/readers', { memberUsers: ['bob', 'ann'] }],
    undo: ['PUT', '/group/readers', { memberUsers: [] }],
  },
  existence: {
    make: ['POST', '/group', { id: 'passing', memberUsers: ['ann'], parentGroups: ['readers'] }],
    undo: ['DELETE', '/group/passing'],
  },
}

for (const { name, engine, servers, workers } of arrangements) {
  describe(`a change of groups in ${name}`, () => {
    let programs: readonly Program[] = []
    let secretId = ''
    let turn = 0

    before(async () => {
      const place = await filledPlace(engine)
      secretId = await furnish(place)
      const start = () => startServerProgram(place, ['--workers', String(workers)])
      programs = await Promise.all(Array.from({ length: servers }, start))
    })
    after(async () => {
      for (const program of programs) assert.equal(await stopProgram(program), 0)
    })

    /** Each call goes to the next process. */
    const call = (user: string, method: string, path: string, body?: object) =>
      callOnce(programs[turn++ % programs.length]?.url ?? '', user, method, path, body)
    const change = async (method: string, path: string, body?: object) => {
      const { status, body: answer } = await call('Administrator', method, path, body && { 'entity-type': 'group', ...body })
      assert.ok(status >= 200 && status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    }
    /** What every process says right after a change. */
    async function assertEverywhere<Seen>(look: () => Promise<Seen>, expected: Seen, when: string): Promise<void> {
      for (let witness = 0; witness < witnesses; witness++) assert.deepEqual(await look(), expected, when)
    }
    const groupsOfAnn = async () =>
      (await call('ann', 'GET', '/me')).body.extendedGroups.map((group: { name: string }) => group.name)
    const statusOfSecret = async () => (await call('ann', 'GET', `/id/${secretId}`)).status
    const foundByAnn = async () => {
      const query = encodeURIComponent("SELECT * FROM Document WHERE dc:title = 'secret'")
      return (await call('ann', 'GET', `/search/execute?query=${query}`)).body.resultsCount
    }

    for (const [kind, { make, undo }] of Object.entries(changes)) {
      test(`shows in the rights, the finds and the groups of who is concerned at once: ${kind}`, async () => {
        const without = await groupsOfAnn()
        for (let round = 0; round < rounds; round++) {
          await assertEverywhere(statusOfSecret, 403, `before ${round}`)
          await change(...make)
          await assertEverywhere(statusOfSecret, 200, `made ${round}`)
          await assertEverywhere(foundByAnn, 1, `made ${round}`)
          await assertEverywhere(async () => (await groupsOfAnn()).includes('readers'), true, `made ${round}`)
          await change(...undo)
          await assertEverywhere(statusOfSecret, 403, `undone ${round}`)
          await assertEverywhere(foundByAnn, 0, `undone ${round}`)
          await assertEverywhere(groupsOfAnn, without, `undone ${round}`)
        }
      })
    }

    test('makes an administrator of somebody, and no longer, at once', async () => {
      const isAdministrator = async () => (await call('ann', 'GET', '/me')).body.isAdministrator
      for (let round = 0; round < rounds; round++) {
        await change('POST', '/group/administrators/user/ann')
        await assertEverywhere(isAdministrator, true, `made ${round}`)
        await change('DELETE', '/group/administrators/user/ann')
        await assertEverywhere(isAdministrator, false, `undone ${round}`)
      }
    })

    test('lets power users work, and no longer, at once', async () => {
      const mayEdit = async () => (await call('ann', 'PUT', '/group/crew', { 'entity-type': 'group' })).status
      await change('POST', '/group/powerusers/user/ann')
      await assertEverywhere(mayEdit, 200, 'made')
      await change('DELETE', '/group/powerusers/user/ann')
      await assertEverywhere(mayEdit, 403, 'undone')
    })

    test('that twenty make at once in one group is made by all of them', async () => {
      const members = Array.from({ length: 20 }, (_, index) => `m${index}`)
      const added = await Promise.all(members.map((member) => call('Administrator', 'POST', `/group/crowd/user/${member}`)))
      assert.deepEqual(new Set(added.map(({ status }) => status)), new Set([201]))
      const membersNow = async () =>
        (await call('ann', 'GET', '/group/crowd/@users')).body.entries.map(({ id }: { id: string }) => id).sort()
      await assertEverywhere(membersNow, members.toSorted(), 'added')
      const removed = await Promise.all(members.map((member) => call('Administrator', 'DELETE', `/user/${member}/group/crowd`)))
      assert.deepEqual(new Set(removed.map(({ status }) => status)), new Set([200]))
      await assertEverywhere(membersNow, [], 'removed')
    })

    test('that two make against each other never leaves a group in itself', async () => {
      for (let round = 0; round < 5; round++) {
        const [one, other] = [`one-${round}`, `other-${round}`]
        for (const id of [one, other]) await change('POST', '/group', { id })
        const put = (group: string, member: string) =>
          call('Administrator', 'PUT', `/group/${group}`, { 'entity-type': 'group', memberGroups: [member] })
        const statuses = (await Promise.all([put(one, other), put(other, one)])).map(({ status }) => status)
        assert.deepEqual(statuses.toSorted(), [200, 400], `round ${round}`)
      }
    })
  })
}

/** Ann, her group, and a document that only another group may read. */
async function furnish(place: DatabasePlace): Promise<string> {
  const server = await startTestServer({ settings: place.settings })
  const bench = workbenchOn(server)
  for (const user of ['ann', 'bob']) await server.addUser(user)
  for (let index = 0; index < 20; index++) await server.addUser(`m${index}`)
  for (const [id, memberUsers] of [
    ['crew', ['ann']],
    ['readers', []],
    ['crowd', []],
  ] as const) {
    await server.as('Administrator').post('/group', { 'entity-type': 'group', id, memberUsers })
  }
  const { uid } = await bench.create('File', { 'dc:title': 'secret' })
  await bench.restrict(uid, grant('readers', 'Read'))
  await server.stop()
  return uid
}
