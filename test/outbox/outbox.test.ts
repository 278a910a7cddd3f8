import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { systemAccess } from '../../src/core/access.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { announce } from '../../src/core/event.ts'
import type { Repository } from '../../src/core/session.ts'
import { followOutbox, newestPosition, type OutboxEvent, readOutbox } from '../../src/features/outbox/index.ts'
import { moveReader, removeReader, sweepOutbox } from '../../src/features/outbox/retention.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

function repositoryOf({ services }: TestServer): Repository {
  const repository = services.repositories.get('default')
  assert.ok(repository)
  return repository
}

const insertRow = (event: string) => sql`
  INSERT INTO outbox_events (event, event_date, principal_name, is_quiet) VALUES (${event}, ${Date.now()}, ${'nobody'}, ${0})`

onEachServer('the outbox', (server) => {
  const bench = workbenchOn(server)
  const repository = () => repositoryOf(server)
  let start = 0
  const eventsSince = async (after: number): Promise<readonly OutboxEvent[]> =>
    (await readOutbox(repository(), after, 1_000)).events
  /** What the body leads to, whatever was before. */
  const appendedBy = async (body: () => Promise<unknown>) => {
    const after = await newestPosition(repository())
    await body()
    return eventsSince(after)
  }
  before(async () => {
    await server.addUser('ann', ['members'])
    start = await newestPosition(repository())
  })

  test('has what happened to a document, who did it and when', async () => {
    const [created] = await appendedBy(() => bench.create('File', { 'dc:title': 'x' }, { name: 'told' }))
    assert.equal(created?.event, 'documentCreated')
    assert.equal(created.repository, 'default')
    assert.equal(created.principalName, 'Administrator')
    assert.equal(created.isQuiet, false)
    assert.ok(Math.abs(Date.parse(created.date) - Date.now()) < 60_000)
    const { id = '', type, path, lifeCycle, parentId, changeToken } = created.document ?? {}
    assert.deepEqual([type, path, lifeCycle], ['File', '/default-domain/workspaces/told', 'project'])
    const shown = await bench.read(id)
    assert.deepEqual([parentId, changeToken], [shown.parentRef, shown.changeToken])
  })
  test('has all events of a transaction in the order in which they happened', async () => {
    const { uid } = await bench.create('File')
    const events = await appendedBy(() =>
      server.asSystem(async (session) => {
        const document = await readDocument(session, uid)
        for (const event of ['documentLocked', 'documentUnlocked', 'documentTrashed']) await announce(session, event, document)
      }),
    )
    assert.deepEqual(
      events.map(({ event }) => event),
      ['documentLocked', 'documentUnlocked', 'documentTrashed'],
    )
    const positions = events.map(({ position }) => position)
    assert.deepEqual(
      positions,
      positions.toSorted((one, other) => one - other),
    )
  })
  test('tells by which entries a document was read that is gone', async () => {
    const { uid } = await bench.create('File')
    await bench.restrict(uid)
    const acpId = await server.asSystem(async ({ tx }) => (await tx.documents.find(uid))?.acpId)
    const events = await appendedBy(() => server.as('Administrator').delete(`/id/${uid}`))
    const removed = events.find(({ event }) => event === 'documentRemoved')
    assert.deepEqual([removed?.document?.id, removed?.document?.acpId], [uid, acpId])
  })
  test('has nothing of a transaction that is rolled back, nor of a part of it', async () => {
    const { uid } = await bench.create('File')
    const failing = () =>
      server.asSystem(async (session) => {
        await announce(session, 'documentLocked', await readDocument(session, uid))
        throw new Error('no')
      })
    assert.deepEqual(await appendedBy(() => assert.rejects(failing)), [])
    const partly = await appendedBy(() =>
      server.asSystem(async (session) => {
        const document = await readDocument(session, uid)
        await announce(session, 'documentLocked', document)
        const forget = session.events.mark()
        await session.tx
          .attempt(async () => {
            await announce(session, 'documentUnlocked', document)
            throw new Error('no')
          })
          .catch(forget)
      }),
    )
    assert.deepEqual(
      partly.map(({ event }) => event),
      ['documentLocked'],
    )
  })
  test('marks what the server does by the way', async () => {
    const { uid } = await bench.create('File')
    const [quiet] = await appendedBy(() =>
      server.asSystem(async (session) => {
        await announce(session, 'documentModified', await readDocument(session, uid), { options: { audit: false } })
      }),
    )
    assert.equal(quiet?.isQuiet, true)
  })
  test('has users and groups, and neither reads nor sign-ins', async () => {
    const events = await appendedBy(async () => {
      const group = { 'entity-type': 'group', groupname: 'outboxed', grouplabel: 'Outboxed' }
      requireStatus(201, await server.as('Administrator').post('/group', group))
      requireStatus(200, await server.as('ann').get('/path/default-domain'))
      requireStatus(200, await server.as('ann').get('/search/lang/NXQL/execute?query=SELECT * FROM Document'))
    })
    assert.deepEqual(
      events.map(({ event, document, extended }) => [event, document, extended]),
      [['group_created', undefined, '{"id":"outboxed"}']],
    )
  })
  test('is read page by page', async () => {
    const after = await newestPosition(repository())
    await systemAccess(repository()).write(async ({ tx }) => {
      for (let row = 0; row < 7; row += 1) await tx.tables.run(insertRow(`paged${row}`))
    })
    const names: string[] = []
    for (let position = after, hasMore = true; hasMore; ) {
      const page = await readOutbox(repository(), position, 3)
      names.push(...page.events.map(({ event }) => event))
      ;({ position, hasMore } = page)
    }
    assert.deepEqual(names, ['paged0', 'paged1', 'paged2', 'paged3', 'paged4', 'paged5', 'paged6'])
  })

  describe('followed by a reader', () => {
    /** What a follower sees until it has seen the last. */
    async function followUntil(last: string, after: number, from = repository()): Promise<readonly string[]> {
      const end = new AbortController()
      const seen: string[] = []
      for await (const page of followOutbox(from, { after, pageSize: 5, signal: end.signal })) {
        seen.push(...page.events.map(({ event }) => event))
        if (seen.includes(last)) end.abort()
      }
      return seen
    }

    test('shows every event of many writers at once, each once and those of one in its order', async () => {
      const after = await newestPosition(repository())
      const seen = followUntil('end', after)
      const write = async (writer: number) => {
        for (let turn = 0; turn < 15; turn += 1) {
          const isUndone = (turn + writer) % 4 === 0
          await systemAccess(repository())
            .write(async ({ tx }) => {
              await tx.tables.run(insertRow(`${writer}-${turn}`))
              if (isUndone) throw new Error('no')
            })
            .catch(() => {})
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
      await systemAccess(repository()).write(({ tx }) => tx.tables.run(insertRow('end')))
      const names = await seen
      for (let writer = 0; writer < 8; writer += 1) {
        const kept = Array.from({ length: 15 }, (_, turn) => turn).filter((turn) => (turn + writer) % 4 !== 0)
        assert.deepEqual(
          names.filter((name) => name.startsWith(`${writer}-`)),
          kept.map((turn) => `${writer}-${turn}`),
        )
      }
      assert.equal(names.length, new Set(names).size)
    })
    test('waits for a transaction that has a smaller number and commits later', async () => {
      if (repository().store.engine === 'sqlite') return
      const after = await newestPosition(repository())
      const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const slow = systemAccess(repository()).write(async ({ tx }) => {
        await tx.tables.run(insertRow('slow'))
        written.resolve()
        await released.promise
      })
      await written.promise
      await systemAccess(repository()).write(({ tx }) => tx.tables.run(insertRow('fast')))
      const early = await readOutbox(repository(), after, 10)
      assert.deepEqual([early.events, early.hasMore, early.position], [[], true, after])
      released.resolve()
      await slow
      assert.deepEqual(
        (await eventsSince(after)).map(({ event }) => event),
        ['slow', 'fast'],
      )
    })
    test('goes on over what was rolled back', async () => {
      const after = await newestPosition(repository())
      const undone = systemAccess(repository()).write(async ({ tx }) => {
        await tx.tables.run(insertRow('undone'))
        throw new Error('no')
      })
      await assert.rejects(undone)
      await systemAccess(repository()).write(({ tx }) => tx.tables.run(insertRow('done')))
      assert.deepEqual(
        (await eventsSince(after)).map(({ event }) => event),
        ['done'],
      )
    })
    test('ends with its signal, also while nothing happens', async () => {
      const end = new AbortController()
      const following = followOutbox(repository(), { after: await newestPosition(repository()), signal: end.signal })
      const next = following.next()
      end.abort()
      assert.equal((await next).done, true)
    })
  })

  describe('is swept', () => {
    const far = { keepMilliseconds: -1, keepUnreadMilliseconds: 1_000_000_000 }
    const positionOf = async (tables = repository().store.reader.tables) =>
      Number((await tables.get(sql`SELECT min(id) FROM outbox_events`))?.[0])

    test('up to the slowest reader, and never of its last event', async () => {
      await bench.create('File')
      const newest = await newestPosition(repository())
      const passed = newest - 2
      await server.asSystem(({ tx }) => moveReader(tx.tables, 'slow reader', passed))
      assert.equal(await sweepOutbox(repository(), far), 0)
      assert.equal(await positionOf(), passed + 1)
      const page = await readOutbox(repository(), start, 100)
      assert.equal(page.isLossy, true)
      assert.equal((await readOutbox(repository(), passed, 100)).isLossy, false)
      await server.asSystem(({ tx }) => removeReader(tx.tables, 'slow reader'))
      await sweepOutbox(repository(), far)
      assert.equal(await positionOf(), newest)
    })
    test('of what nobody read for too long, and says how much that was', async () => {
      await server.asSystem(async ({ tx }) => {
        await moveReader(tx.tables, 'absent reader', 0)
        for (let row = 0; row < 3; row += 1) await tx.tables.run(insertRow('unread'))
      })
      const newest = await newestPosition(repository())
      assert.equal(await sweepOutbox(repository(), { keepMilliseconds: -1, keepUnreadMilliseconds: 1_000_000_000 }), 0)
      assert.ok((await sweepOutbox(repository(), { keepMilliseconds: -1, keepUnreadMilliseconds: -1 })) >= 2)
      assert.equal(await positionOf(), newest)
      await server.asSystem(({ tx }) => removeReader(tx.tables, 'absent reader'))
    })
    test('of nothing that is younger than it is to stay', async () => {
      await bench.create('File')
      const oldest = await positionOf()
      await sweepOutbox(repository(), { keepMilliseconds: 3_600_000, keepUnreadMilliseconds: 3_600_000 })
      assert.equal(await positionOf(), oldest)
    })
  })
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the outbox of several processes (${engine})`, () => {
    test('tells each of what the others have done', async (context) => {
      const { settings } = await filledPlace(engine)
      const [one, other] = [await startTestServer({ settings }), await startTestServer({ settings })]
      context.after(() => Promise.all([one.stop(), other.stop()]))
      const end = new AbortController()
      const following = followOutbox(repositoryOf(other), {
        after: await newestPosition(repositoryOf(other)),
        signal: end.signal,
      })
      const next = following.next()
      const { uid } = await workbenchOn(one).create('File')
      const { value } = await next
      end.abort()
      assert.equal(value?.events[0]?.document?.id, uid)
    })
    test('is not written where it is switched off', async (context) => {
      const server = await startTestServer({ settings: { ...(await databaseSettings(engine)), outbox: false } })
      context.after(() => server.stop())
      const before = await newestPosition(repositoryOf(server))
      await workbenchOn(server).create('File')
      assert.equal(await newestPosition(repositoryOf(server)), before)
    })
  })
}
