import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Log } from '../../src/base/log.ts'
import { sweepOutbox } from '../../src/features/outbox/retention.ts'
import { basicHeader, type EventStream, openEventStream } from '../support/event-stream.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const patience = { timeout: 120_000 }
const rowsAtOnce = 40
/** All together is more than the system takes for a connection that nobody reads, by far. */
const pathBytes = 100_000
const turns = 5

/** The events of the log. */
const logged = new Set<string>()
const note = ({ event }: { readonly event?: unknown }) => void logged.add(String(event))
const log: Log = { debug: note, info: note, warn: note, error: note }

onEachServer(
  'live events and clients that are slow or late',
  (server) => {
    const bench = workbenchOn(server)
    const listen = (headers = {}) => openEventStream(server.url, { ...basicHeader('Administrator'), ...headers })
    let written = 0
    before(() => logged.clear())
    /** Long events of a document, in one transaction. */
    const write = (id: string) =>
      server.asSystem(async ({ tx }) => {
        const path = 'x'.repeat(pathBytes)
        const acpId = (await tx.documents.find(id))?.acpId ?? 0
        for (let row = 0; row < rowsAtOnce; row += 1) {
          written += 1
          await tx.tables.run(sql`
            INSERT INTO outbox_events (event, event_date, principal_name, doc_id, doc_type, doc_path, doc_acp_id, is_quiet)
            VALUES (${`long${written}`}, ${Date.now()}, ${'nobody'}, ${id}, ${'File'}, ${path}, ${acpId}, ${0})`)
        }
      })
    const long = ({ heard }: EventStream) => heard.map(({ data }) => String(data.event)).filter((name) => name.startsWith('long'))

    test(
      'a client that reads nothing is dropped, others get far more at once than is stored for them, and who comes back is told the rest',
      patience,
      async () => {
        const [slow, witness] = [await listen(), await listen()]
        const { uid } = await bench.create('File')
        await Promise.all([slow, witness].map((stream) => stream.until(({ data }) => data.documentId === uid)))
        slow.pause()
        for (let turn = 0; turn < turns; turn += 1) await write(uid)
        await witness.until(({ data }) => data.event === `long${turns * rowsAtOnce}`)
        while (!logged.has('liveEvents.dropped')) await new Promise(setImmediate)
        slow.resume()
        await slow.closed
        assert.ok(long(slow).length < turns * rowsAtOnce)
        const back = await listen({ 'Last-Event-ID': slow.lastEventId })
        await back.until(({ data }) => data.event === `long${turns * rowsAtOnce}`)
        assert.deepEqual([...long(slow), ...long(back)], long(witness))
        for (const stream of [back, witness]) stream.close()
      },
    )

    test('a client that was away for too long is told to load everything again', patience, async () => {
      const first = await listen()
      const { uid } = await bench.create('File')
      const { id } = await first.until(({ data }) => data.documentId === uid)
      const later = await bench.create('File')
      await first.until(({ data }) => data.documentId === later.uid)
      const repository = server.services.repositories.get('default')
      assert.ok(repository)
      await bench.create('File')
      await sweepOutbox(repository, { keepMilliseconds: -1, keepUnreadMilliseconds: -1 })
      const back = await listen({ 'Last-Event-ID': id })
      await back.until(({ name }) => name === 'reset')
      const last = await bench.create('File')
      await back.until(({ data }) => data.documentId === last.uid)
      assert.equal(back.heard[0]?.name, 'reset')
      assert.equal(back.heard.filter(({ name }) => name === 'reset').length, 1)
      for (const stream of [first, back]) stream.close()
    })

    test('a client that knows more than the database is told so, too', patience, async () => {
      const first = await listen()
      const { uid } = await bench.create('File')
      const { id } = await first.until(({ data }) => data.documentId === uid)
      first.close()
      await server.asSystem(({ tx }) => tx.tables.run(sql`DELETE FROM outbox_events`))
      for (let isReset = false; !isReset; ) {
        const stream = await listen({ 'Last-Event-ID': id })
        while (stream.lastEventId === '') await new Promise(setImmediate)
        isReset = await firstIsReset(stream)
        stream.close()
      }
    })
  },
  { settings: { liveEventBuffer: '64kB', liveEventKeepAlive: '300ms' }, log },
)

/** Whether a reset came with the beginning; a comment that comes later tells that none did. */
async function firstIsReset(stream: EventStream): Promise<boolean> {
  const { comments } = stream
  while (stream.heard.length === 0 && stream.comments < comments + 3) await new Promise(setImmediate)
  return stream.heard[0]?.name === 'reset'
}
