import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { runIfDue } from '../../src/core/jobs/schedule.ts'
import { archiveBefore, dailyArchive } from '../../src/features/audit/retention.ts'
import { startTestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { commandLineAt } from '../support/command-line.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { onEachServer } from '../support/servers.ts'

const day = 24 * 3_600_000
const [first, second, today] = [Date.parse('2020-01-01T10:00:00Z'), Date.parse('2020-01-02T10:00:00Z'), Date.now()]

const insert = (eventId: string, date: number) => sql`
  INSERT INTO audit_entries (event_id, event_date, log_date, principal_name) VALUES (${eventId}, ${date}, ${date}, ${'ann'})`

onEachServer('the archive of the audit log', (server) => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-archive-'))
    await server.asSystem(async ({ tx }) => {
      for (let index = 0; index < 1_200; index += 1) await tx.tables.run(insert('old', first + index))
      await tx.tables.run(insert('older', second))
      await tx.tables.run(insert('new', today))
    })
  })
  const repository = () => {
    const found = server.services.repositories.get('default')
    assert.ok(found)
    return found
  }
  const count = async (eventId: string) =>
    Number((await repository().store.reader.tables.get(sql`SELECT count(*) FROM audit_entries WHERE event_id = ${eventId}`))?.[0])

  test('has a file a day with all rows that are too old, which are then deleted and no others', async () => {
    assert.equal(await archiveBefore(repository(), folder, second + day), 1_201)
    const files = (await readdir(folder)).toSorted()
    assert.deepEqual(
      files.map((name) => name.replace(/-\d+\.jsonl$/, '')),
      ['default-2020-01-01', 'default-2020-01-02'],
    )
    const lines = (await readFile(join(folder, files[0] ?? ''), 'utf8')).trimEnd().split('\n')
    assert.equal(lines.length, 1_200)
    const { id, ...entry } = JSON.parse(lines[0] ?? '')
    assert.equal(typeof id, 'number')
    assert.equal(entry['entity-type'], 'logEntry')
    assert.deepEqual([entry.eventId, entry.eventDate, entry.extended], ['old', '2020-01-01T10:00:00.000Z', {}])
    assert.deepEqual([await count('old'), await count('older'), await count('new')], [0, 0, 1])
    assert.equal(await archiveBefore(repository(), folder, second + day), 0)
  })

  test('leaves the newest row, whose number would come again', async () => {
    await server.asSystem(({ tx }) => tx.tables.run(insert('last', first)))
    await archiveBefore(repository(), folder, second)
    assert.equal(await count('last'), 1)
  })
})

describe('a server that is told how long to keep the audit log', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    test(`moves what is older to files by itself, with its first look and then once a day (${engine})`, async () => {
      const place = await filledPlace(engine)
      const archive = join(place.folder, 'old-rows')
      const settings = { ...place.settings, auditKeepDays: 30, auditArchive: archive }
      const before = await startTestServer({ settings: place.settings })
      await before.asSystem(async ({ tx }) => {
        for (const [name, date] of [
          ['old', first],
          ['recent', today - 29 * day],
          ['new', today],
        ] as const)
          await tx.tables.run(insert(name, date))
      })
      await before.stop()
      const server = await startTestServer({ settings })
      try {
        const repository = server.services.repositories.get('default')
        assert.ok(repository)
        const rows = async (eventId: string) =>
          Number(
            (await repository.store.reader.tables.get(sql`SELECT count(*) FROM audit_entries WHERE event_id = ${eventId}`))?.[0],
          )
        const archived = async () => {
          const files = (await readdir(archive).catch(() => [])).toSorted()
          const texts = await Promise.all(files.map((name) => readFile(join(archive, name), 'utf8')))
          return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line).eventId)
        }
        for (const patience = AbortSignal.timeout(60_000); (await rows('old')) > 0; await wait(20)) assert.ok(!patience.aborted)
        assert.deepEqual(await archived(), ['old'])
        assert.equal(await rows('recent'), 1)
        await untilIdle(server)
        await runIfDue(repository, dailyArchive)
        const clock = repository as { now: () => string }
        const { now } = clock
        assert.equal(await rows('recent'), 1, 'not twice in a day')
        clock.now = () => new Date(Date.now() + 2 * day).toISOString()
        await runIfDue(repository, dailyArchive)
        await untilIdle(server)
        clock.now = now
        assert.deepEqual(await archived(), ['old', 'recent'])
        assert.equal(await rows('recent'), 0)
      } finally {
        await server.stop()
      }
    })
  }
})

describe('quire audit export', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    test(`writes the rows of a period, a line each (${engine})`, async () => {
      const place = await filledPlace(engine)
      const server = await startTestServer({ settings: place.settings })
      await server.asSystem(async ({ tx }) => {
        for (const [name, date] of [
          ['a', first],
          ['b', second],
          ['c', second + day],
        ] as const)
          await tx.tables.run(insert(name, date))
      })
      await server.stop()
      const { run } = commandLineAt(place)
      const events = (text: string) => text.split('\n').map((line) => JSON.parse(line).eventId)
      const { code, printed, complained } = await run([
        'audit',
        'export',
        '--from',
        '2020-01-01T10:00:00Z',
        '--before',
        '2020-01-03T10:00:00Z',
      ])
      assert.equal(code, 0, complained)
      assert.deepEqual(events(printed), ['a', 'b'])
      const all = await run(['audit', 'export', '--repository', 'default'])
      assert.deepEqual(events(all.printed).slice(0, 3), ['a', 'b', 'c'])
      const file = join(place.folder, 'log.jsonl')
      assert.equal((await run(['audit', 'export', '--before', '2020-01-02', '--output', file])).code, 0)
      assert.deepEqual(events((await readFile(file, 'utf8')).trimEnd()), ['a'])
      assert.notEqual((await run(['audit', 'export', '--output', file])).code, 0)
      assert.notEqual((await run(['audit', 'export', '--from', 'soon'])).code, 0)
      assert.equal((await run(['audit', 'export', '--repository', 'other'])).code, 2)
    })
  }
})
