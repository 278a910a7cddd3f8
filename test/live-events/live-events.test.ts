import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { setImmediate as round } from 'node:timers/promises'
import { grant } from '../../src/model/rights/acl.ts'
import {
  basicHeader,
  type EventStream,
  type EventStreamHeaders,
  openEventStream,
  RefusedStream,
} from '../support/event-stream.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const patience = { timeout: 60_000 }

onEachServer(
  'GET /events',
  (server) => {
    const bench = workbenchOn(server)
    const open: EventStream[] = []
    const listen = async (user = 'ann', query = '', headers: EventStreamHeaders = {}) => {
      const stream = await openEventStream(server.url, { ...basicHeader(user), ...headers }, query)
      open.push(stream)
      return stream
    }
    /** Comes to whoever can read what everybody can; what happened before it was told before it. */
    let markers = 0
    const mark = async (...streams: readonly EventStream[]) => {
      const { uid } = await bench.create('File', {}, { name: `marker-${++markers}` })
      await Promise.all(streams.map((stream) => stream.until(({ data }) => data.documentId === uid)))
    }
    const told = ({ heard }: EventStream, uid: string) =>
      heard.filter(({ data }) => data.documentId === uid).map(({ data }) => data.event)
    const closeAll = () => {
      for (const stream of open.splice(0)) stream.close()
    }
    const statusOf = (opening: Promise<unknown>) =>
      opening.then(
        () => 200,
        (error: unknown) => (error instanceof RefusedStream ? error.status : Promise.reject(error)),
      )
    before(async () => {
      for (const user of ['ann', 'bob', 'eve']) await server.addUser(user, ['members'])
    })
    afterEach(closeAll)

    test('tells of a document who did what to it, where it is and what its token is now', patience, async () => {
      const stream = await listen()
      const { uid } = await bench.create('File', { 'dc:title': 'first' }, { name: 'told "once" ä' })
      const { parentRef } = await bench.read(uid)
      const updated = await bench.update(uid, { 'dc:title': 'second' })
      const event = await stream.until(({ data }) => data.documentId === uid && data.event === 'documentModified')
      const { id, date, ...fields } = event.data
      assert.deepEqual(fields, {
        'entity-type': 'event',
        event: 'documentModified',
        repository: 'default',
        documentId: uid,
        parentId: parentRef,
        previousParentId: null,
        path: `${workspaces}/told "once" ä`,
        type: 'File',
        principal: 'Administrator',
        changeToken: updated.changeToken,
      })
      assert.equal(event.name, 'message')
      assert.equal(event.id, id)
      assert.match(id, /^[\w-]{22}$/)
      assert.ok(Math.abs(Date.parse(date) - Date.now()) < 60 * 60_000)
      assert.deepEqual(told(stream, uid), ['documentCreated', 'documentModified'])
    })

    test('is a stream that nobody stores or holds back, with its position at once', patience, async () => {
      const stream = await listen()
      assert.equal(stream.headers['content-type'], 'text/event-stream')
      assert.equal(stream.headers['cache-control'], 'no-store')
      assert.equal(stream.headers['x-accel-buffering'], 'no')
      assert.equal(stream.headers['content-encoding'], undefined)
      while (stream.lastEventId === '') await round()
      assert.match(stream.retry ?? '', /^\d+$/)
      assert.deepEqual(stream.heard, [])
    })

    test('says now and then that it is alive, and where it is by then', patience, async () => {
      const stream = await listen('eve')
      while (stream.comments < 2) await round()
      const before = stream.lastEventId
      const { comments } = stream
      while (stream.comments < comments + 2) await round()
      assert.notEqual(stream.lastEventId, before)
    })

    test('begins with what happens from then on', patience, async () => {
      const { uid } = await bench.create('File')
      const stream = await listen()
      await mark(stream)
      const later = await listen()
      await mark(stream, later)
      assert.deepEqual(told(later, uid), [])
      assert.equal(later.heard.length, 1)
    })

    describe('the rights', () => {
      test('keep what somebody may not read from them, and nothing else', patience, async () => {
        const [ann, bob, boss] = await Promise.all([listen('ann'), listen('bob'), listen('Administrator')])
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('ann', 'Read'))
        await mark(ann, bob, boss)
        await bench.update(uid, { 'dc:title': 'for ann' })
        await mark(ann, bob, boss)
        assert.deepEqual(told(ann, uid).at(-1), 'documentModified')
        assert.ok(!told(bob, uid).includes('documentModified'))
        assert.ok(told(boss, uid).includes('documentModified'))
      })

      test('count as they were then and as they are now', patience, async () => {
        const first = await listen('bob')
        const { lastEventId } = await settled(first)
        const { uid: taken } = await bench.create('File')
        const { uid: given } = await bench.create('File')
        await bench.restrict(given, grant('ann', 'Read'))
        await bench.update(given, { 'dc:title': 'not for bob yet' })
        await bench.setAcls(given, [{ name: 'local', aces: [grant('bob', 'Read')] }])
        await bench.restrict(taken, grant('ann', 'Read'))
        await mark(first)
        const late = await listen('bob', '', { 'Last-Event-ID': lastEventId })
        await mark(first, late)
        assert.deepEqual(told(late, taken), [])
        assert.ok(!told(late, given).includes('documentModified'))
        assert.ok(!told(first, given).includes('documentModified'))
      })

      test('of a group that somebody joins or leaves count with the next event', patience, async () => {
        const group = { 'entity-type': 'group', groupname: 'readers', grouplabel: 'Readers' }
        requireStatus(201, await server.as('Administrator').post('/group', group))
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('readers', 'Read'))
        const stream = await listen('bob')
        await bench.update(uid, { 'dc:title': '1' })
        // Who may know of it is found out when it is told.
        await mark(stream)
        requireStatus(201, await server.as('Administrator').post('/user/bob/group/readers'))
        await bench.update(uid, { 'dc:title': '2' })
        await mark(stream)
        requireStatus(200, await server.as('Administrator').delete('/user/bob/group/readers'))
        await bench.update(uid, { 'dc:title': '3' })
        await mark(stream)
        assert.deepEqual(told(stream, uid), ['documentModified'])
      })

      test('of a document that is gone are those that it had when it was removed', patience, async () => {
        const [ann, bob] = await Promise.all([listen('ann'), listen('bob')])
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('ann', 'Read'))
        await mark(ann, bob)
        const { lastEventId } = ann
        await bench.update(uid, { 'dc:title': 'last words' })
        requireStatus(204, await server.as('Administrator').delete(`/id/${uid}`))
        await mark(ann, bob)
        assert.equal(told(ann, uid).at(-1), 'documentRemoved')
        assert.ok(!told(bob, uid).includes('documentRemoved'))
        const late = await listen('ann', '', { 'Last-Event-ID': lastEventId })
        await mark(late)
        assert.deepEqual(told(late, uid), ['documentRemoved'])
      })

      describe('of those who could read what was removed by a group', () => {
        const boss = () => server.as('Administrator')
        const join = async (user: string) => requireStatus(201, await boss().post(`/user/${user}/group/gone`))
        const leave = async (user: string) => requireStatus(200, await boss().delete(`/user/${user}/group/gone`))
        const remove = async () => {
          const { uid } = await bench.create('File')
          await bench.restrict(uid, grant('gone', 'Read'))
          requireStatus(204, await boss().delete(`/id/${uid}`))
          return uid
        }
        const isToldOf = (stream: EventStream, uid: string) => told(stream, uid).includes('documentRemoved')
        const isReset = ({ heard }: EventStream) => heard.some(({ name }) => name === 'reset')
        before(async () => {
          requireStatus(201, await boss().post('/group', { 'entity-type': 'group', groupname: 'gone', grouplabel: 'Gone' }))
          await join('ann')
        })

        test('are those of the members of then, and of nobody who joins afterwards', patience, async () => {
          const [ann, bob] = await Promise.all([listen('ann'), listen('bob')])
          await mark(ann, bob)
          const { lastEventId } = bob
          const uid = await remove()
          await join('bob')
          await mark(ann, bob)
          const late = await listen('bob', `?document=${uid}`, { 'Last-Event-ID': lastEventId })
          await late.until(({ name }) => name === 'reset')
          const later = await remove()
          await mark(ann, bob)
          assert.deepEqual([isReset(ann), isToldOf(ann, uid), isToldOf(ann, later)], [false, true, true])
          assert.deepEqual([isReset(bob), isToldOf(bob, uid), isToldOf(bob, later)], [false, false, true])
          assert.deepEqual(told(late, uid), [])
          await leave('bob')
        })

        test('are not those of who had left and comes back', patience, async () => {
          await join('bob')
          const bob = await listen('bob')
          await mark(bob)
          const { lastEventId } = bob
          await leave('bob')
          const uid = await remove()
          await join('bob')
          await mark(bob)
          const late = await listen('bob', '', { 'Last-Event-ID': lastEventId })
          await mark(late)
          assert.deepEqual([isToldOf(bob, uid), told(late, uid), isReset(late)], [false, [], true])
          await leave('bob')
        })

        test('are told as before to a client that comes back while groups are what they were', patience, async () => {
          const [ann, bob] = await Promise.all([listen('ann'), listen('bob')])
          await mark(ann, bob)
          const [annId, bobId] = [ann.lastEventId, bob.lastEventId]
          const uid = await remove()
          const again = await listen('ann', '', { 'Last-Event-ID': annId })
          const other = await listen('bob', '', { 'Last-Event-ID': bobId })
          await mark(again, other)
          assert.deepEqual([told(again, uid), isReset(again)], [['documentRemoved'], false])
          assert.deepEqual([isToldOf(other, uid), isReset(other)], [false, false])
        })
      })

      test('at the new place decide about what is moved, which says where it came from', patience, async () => {
        const closed = await bench.create('Folder')
        await bench.restrict(closed.uid, grant('ann', 'Read'))
        const { uid } = await bench.create('File')
        const { parentRef } = await bench.read(uid)
        const [ann, bob, there] = await Promise.all([listen('ann'), listen('bob'), listen('ann', `?parent=${parentRef}`)])
        const move = { params: { target: closed.path }, input: `doc:${uid}` }
        requireStatus(200, await server.as('Administrator').post('/automation/Document.Move', move))
        await mark(ann, bob, there)
        const moved = ann.heard.find(({ data }) => data.event === 'documentMoved')?.data
        assert.deepEqual([moved?.documentId, moved?.parentId, moved?.previousParentId], [uid, closed.uid, parentRef])
        assert.deepEqual(told(bob, uid), [])
        assert.deepEqual(told(there, uid), ['documentMoved'])
      })

      test(
        'at the old place decide who is told where something came from, and who can ask for it by that',
        patience,
        async () => {
          const closed = await bench.create('Folder')
          await bench.restrict(closed.uid, grant('ann', 'Read'))
          const { uid } = await bench.create('File', {}, { parent: closed.path })
          await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
          const open = await bench.create('Folder')
          const from = `?parent=${closed.uid}`
          const [ann, annThere, bob, bobThere] = await Promise.all([
            listen('ann'),
            listen('ann', from),
            listen('bob'),
            listen('bob', from),
          ])
          const move = { params: { target: open.path }, input: `doc:${uid}` }
          requireStatus(200, await server.as('Administrator').post('/automation/Document.Move', move))
          await Promise.all([mark(ann, bob), annThere.until(({ data }) => data.event === 'documentMoved')])
          const origin = (stream: EventStream) =>
            stream.heard.filter(({ data }) => data.event === 'documentMoved').map(({ data }) => data.previousParentId)
          assert.deepEqual([ann, annThere, bob, bobThere].map(origin), [[closed.uid], [closed.uid], [null], []])
        },
      )

      test('of administrators show what happens to users, and those of others do not', patience, async () => {
        const [boss, ann] = await Promise.all([listen('Administrator'), listen('ann')])
        const user = { 'entity-type': 'user', id: 'newcomer', properties: { username: 'newcomer', email: 'n@example.com' } }
        requireStatus(201, await server.as('Administrator').post('/user', user))
        await mark(boss, ann)
        const created = boss.heard.find(({ data }) => data.event === 'user_created')?.data
        assert.deepEqual([created?.documentId, created?.path, created?.type], [null, null, null])
        assert.ok(!ann.heard.some(({ data }) => data.event === 'user_created'))
      })
    })

    describe('a client that comes back', () => {
      test('is told what it missed, once and in order', patience, async () => {
        const witness = await listen()
        const first = await listen()
        await bench.create('File')
        await mark(first)
        first.close()
        const uids: string[] = []
        for (let count = 0; count < 5; count += 1) uids.push((await bench.create('File')).uid)
        const second = await listen('ann', '', { 'Last-Event-ID': first.lastEventId })
        const [last] = [await bench.create('File')]
        await mark(second, witness)
        const ids = ({ heard }: EventStream) => heard.map(({ data }) => data.documentId)
        assert.deepEqual([...ids(first), ...ids(second)], ids(witness))
        assert.ok(uids.every((uid) => ids(second).includes(uid)) && ids(second).includes(last?.uid))
        assert.ok(second.heard.every(({ name }) => name === 'message'))
      })

      test('may say where it was by a parameter, which the header overrules', patience, async () => {
        const first = await settled(await listen())
        const { uid } = await bench.create('File')
        await mark(first)
        const again = await listen('ann', `?lastEventId=${first.heard.at(-2)?.id ?? ''}x&lastEventId=`, {
          'Last-Event-ID': first.lastEventId,
        })
        const back = await listen('ann', `?document=${uid}&lastEventId=${encodeURIComponent(first.heard[0]?.id ?? '')}`)
        await bench.update(uid, { 'dc:title': 'x' })
        await Promise.all([again, back].map((stream) => stream.until(({ data }) => data.event === 'documentModified')))
        assert.deepEqual(told(back, uid).at(-1), 'documentModified')
        assert.ok(again.heard.every(({ name }) => name === 'message'))
      })

      test('goes on from a keep-alive as from an event', patience, async () => {
        const quiet = await listen('ann', '?type=Picture')
        const witness = await listen()
        await mark(witness)
        const { comments } = quiet
        while (quiet.comments < comments + 2) await round()
        const { uid } = await bench.create('File')
        const back = await listen('ann', '', { 'Last-Event-ID': quiet.lastEventId })
        await mark(back)
        assert.equal(back.heard[0]?.data.documentId, uid)
      })

      for (const [what, id] of [
        ['is garbage', 'garbage'],
        ['is a number', '12'],
        ['is the id of another server', 'AAAAAAAAAAAAAAAAAAAAAA'],
        ['is very long', 'x'.repeat(4_000)],
      ] as const) {
        test(`is told to load everything again where its id ${what}`, patience, async () => {
          const stream = await listen('ann', '', { 'Last-Event-ID': id })
          const reset = await stream.until(({ name }) => name === 'reset')
          assert.deepEqual(reset.data, { 'entity-type': 'reset', reload: true })
          await mark(stream)
          assert.equal(stream.heard.length, 2)
          const again = await listen('ann', '', { 'Last-Event-ID': reset.id })
          await mark(again)
          assert.ok(again.heard.every(({ name }) => name === 'message'))
        })
      }
    })

    describe('the filters', () => {
      test('choose by event, type, document, parent and path, and all of them hold', patience, async () => {
        const folder = await bench.create('Folder', {}, { name: 'a, b' })
        const file = await bench.create('File', {}, { parent: folder.path })
        const filtered = await Promise.all(
          [
            '?event=documentModified,documentRemoved',
            '?type=File',
            `?document=${file.uid}`,
            `?parent=${folder.uid}`,
            `?path=${encodeURIComponent(folder.path)}&path=/nowhere`,
            `?type=Folder&document=${file.uid}`,
          ].map((query) => listen('ann', query)),
        )
        const witness = await listen()
        const inner = await bench.create('Folder', {}, { parent: folder.path })
        await bench.update(file.uid, { 'dc:title': 'x' })
        const last = await bench.create('Folder')
        await witness.until(({ data }) => data.documentId === last.uid)
        await bench.update(file.uid, { 'dc:title': 'y' })
        const heardUntil = async (index: number, count: number) => {
          const stream = filtered[index]
          while ((stream?.heard.length ?? 0) < count) await round()
          return stream?.heard.map(({ data }) => [data.event, data.documentId])
        }
        const modified = ['documentModified', file.uid]
        const created = ['documentCreated', inner.uid]
        assert.deepEqual(await heardUntil(0, 2), [modified, modified])
        assert.deepEqual(await heardUntil(1, 2), [modified, modified])
        assert.deepEqual(await heardUntil(2, 2), [modified, modified])
        assert.deepEqual(await heardUntil(3, 3), [created, modified, modified])
        assert.deepEqual(await heardUntil(4, 3), [created, modified, modified])
        assert.deepEqual(await heardUntil(5, 0), [])
      })

      for (const [query, message] of [
        ['?path=nowhere', /begin with a slash/],
        [`?document=${Array.from({ length: 51 }, (_, index) => index).join()}`, /more than 50 values/],
        [`?event=${'x'.repeat(2_001)}`, /more than 2000 characters/],
      ] as const) {
        test(`refuse what is beyond their bounds: ${query.slice(0, 20)}`, async () => {
          const { status, body } = await server.as('ann').get(`/events${query}`)
          assert.equal(status, 400)
          assert.match(body.message, message)
        })
      }
    })

    describe('other requests', () => {
      test('of somebody without credentials are 401', async () => {
        assert.equal(await statusOf(openEventStream(server.url, {})), 401)
        assert.equal(await statusOf(openEventStream(server.url, { authorization: 'Basic YW5uOndyb25n' })), 401)
      })
      test('with HEAD have the head alone', async () => {
        const response = await fetch(new URL('api/v1/events', server.url), { method: 'HEAD', headers: basicHeader('ann') })
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('content-type'), 'text/event-stream')
        assert.equal(await response.text(), '')
      })
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        test(`with ${method} are 405`, async () => {
          const { status, headers } = await server.as('ann').call(method, 'api/v1/events')
          assert.deepEqual([status, headers.get('allow')], [405, 'HEAD, GET, OPTIONS'])
        })
      }
      test('beyond the number of streams of a user are 429, until one is closed', patience, async () => {
        closeAll()
        const streams: EventStream[] = []
        await untilSo(async () => {
          const status = await statusOf(listen('eve').then((stream) => streams.push(stream)))
          return status === 429
        })
        assert.equal(streams.length, 12)
        const { status, body } = await server.as('eve').get('/events')
        assert.equal(status, 429)
        assert.match(body.message, /12 streams of live events.*Close one/)
        await listen('bob')
        streams[0]?.close()
        await untilSo(async () => (await statusOf(listen('eve'))) === 200)
      })
      test('for a repository that is not there are 404', async () => {
        assert.equal((await server.as('ann').get('/repo/none/events')).status, 404)
      })
    })

    /** With its position known. */
    async function settled(stream: EventStream): Promise<EventStream> {
      await mark(stream)
      return stream
    }
  },
  { settings: { liveEventKeepAlive: '100ms', liveEventStreamsPerUser: 12 } },
)

async function untilSo(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await round()
}
