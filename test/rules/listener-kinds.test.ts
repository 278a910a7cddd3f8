import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Log, silentLog } from '../../src/base/log.ts'
import { systemAccess } from '../../src/core/access.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { DocumentEvent, Listener, ToldEvent } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { until } from '../support/event-recorder.ts'
import { aDocument } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const bundles: (readonly ToldEvent[])[] = []
const seenAfterCommit: { readonly event: DocumentEvent; readonly isStored: boolean }[] = []
const retried: unknown[] = []
let failsStill = 0

/** Writes in a transaction of its own to whatever was created, where that is still there. */
const annotator: Listener = {
  name: 'annotator',
  when: 'asynchronous',
  events: ['documentCreated', 'documentModified', 'documentRemoved'],
  async handle(bundle, repository) {
    bundles.push(bundle)
    if (failsStill > 0) {
      failsStill--
      throw new Error('not this time')
    }
    for (const { name, documentId } of bundle) {
      if (name !== 'documentCreated') continue
      await systemAccess(repository).write(async (session) => {
        const document = await session.tx.documents.findForUpdate(documentId)
        if (document === undefined || document.isVersion) return
        await saveDocument(session, documentId, { 'dc:source': 'annotated' })
      })
    }
  },
}
/** Takes its time, and then looks whether what it was told of is there. */
const slow: Listener = {
  name: 'slow',
  when: 'afterCommit',
  events: ['documentCreated', 'sessionSaved'],
  async handle(event, { store }) {
    await wait(30)
    seenAfterCommit.push({ event, isStored: (await store.reader.documents.find(event.document.id)) !== undefined })
  },
}
const refuser: Listener = {
  name: 'refuser',
  when: 'inline',
  events: ['sessionSaved'],
  handle({ document }) {
    if (document.properties['dc:title'] === 'refuse me') throw new Error('refused at the end')
  },
}
const log: Log = { ...silentLog, info: ({ event, kind }) => event === 'job.retried' && retried.push(kind) }

onEachServer(
  'kinds of listeners',
  (server) => {
    const bench = workbenchOn(server)
    beforeEach(() => {
      bundles.length = 0
      seenAfterCommit.length = 0
      retried.length = 0
      failsStill = 0
    })
    const namesIn = (bundle: readonly ToldEvent[] | undefined) => bundle?.map(({ name }) => name)
    const bundleOf = async (documentId: string) => {
      const find = () => bundles.find((bundle) => bundle.some((event) => event.documentId === documentId))
      await until(() => find() !== undefined)
      return find() ?? []
    }

    /** Is told of in every way until its very end, and then rolled back. */
    const refuse = (name: string) =>
      server.as('Administrator').post('/path/', aDocument({ name, properties: { 'dc:title': 'refuse me' } }))

    describe('16 synchronous after the commit', () => {
      test('the answer waits for it, and what it is told of is stored by then', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(
          seenAfterCommit
            .filter(({ event }) => event.document.id === uid)
            // What the asynchronous listener saves may have been told of meanwhile.
            .slice(0, 2)
            .map(({ event, isStored }) => [event.name, event.document.id, isStored]),
          [
            ['documentCreated', uid, true],
            ['sessionSaved', uid, true],
          ],
        )
      })
      test('nothing is told of what was rolled back', async () => {
        assert.equal((await refuse('never told')).status, 500)
        assert.ok(!seenAfterCommit.some(({ event }) => event.document.name === 'never told'))
      })
    })

    describe('16 asynchronous', () => {
      test('it is told after the answer, with what can be written down of the event', async () => {
        const { uid } = await bench.create('Folder', {}, { name: 'told' })
        const [event, ...others] = await bundleOf(uid)
        assert.deepEqual(others, [])
        assert.ok(event)
        const { time, sessionId, properties, ...rest } = event
        assert.deepEqual(rest, {
          name: 'documentCreated',
          principal: 'Administrator',
          isByServer: false,
          repository: 'default',
          documentId: uid,
          documentLifeCycle: 'project',
          category: 'eventDocumentCategory',
          comment: null,
        })
        assert.deepEqual([properties['destinationName'], properties['destinationExists']], ['told', false])
        assert.match(sessionId, /^[0-9a-f-]{36}$/)
        assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000)
      })
      test('it gets the events of one request together, in their order, and only those it listens to', async () => {
        const { uid } = await bench.create('Note')
        const bundle = await bundleOf(uid)
        assert.deepEqual(namesIn(bundle), ['documentCreated', 'documentCreated'])
        assert.equal(new Set(bundle.map(({ sessionId }) => sessionId)).size, 1)
        assert.equal(bundle[1]?.documentId, uid)
      })
      test('it writes in a transaction of its own', async () => {
        const { uid } = await bench.create('File')
        for (let attempt = 0; (await bench.readProperties(uid))['dc:source'] !== 'annotated'; attempt++) {
          assert.ok(attempt < 500, 'annotated in the end')
          await wait(10)
        }
      })
      test('it is handed no documents: of a change the plain facts remain', async () => {
        const { uid } = await bench.create('File')
        bundles.length = 0
        await bench.update(uid, { 'dc:title': 'new' })
        const find = () => bundles.flat().find(({ name, documentId }) => name === 'documentModified' && documentId === uid)
        await until(() => find() !== undefined)
        const event = find()
        assert.deepEqual(Object.keys(event?.properties ?? {}).sort(), ['destinationName', 'documentIsDirty'])
      })
      test('it hears nothing of what was rolled back', async () => {
        assert.equal((await refuse('never told')).status, 500)
        await bundleOf((await bench.create('File')).uid)
        assert.ok(!bundles.flat().some(({ properties }) => properties['destinationName'] === 'never told'))
      })
      test('15 it bears that the document is gone by then', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await server.as('Administrator').delete(`/id/${uid}`)).status, 204)
        await until(() => bundles.some((bundle) => namesIn(bundle)?.includes('documentRemoved')))
        await wait(50)
        assert.deepEqual(retried, [])
        assert.deepEqual(await server.asSystem(({ tx }) => tx.jobs.list({ state: 'parked' }, 10)), [])
      })
      test('it is told again when it fails', async () => {
        failsStill = 1
        const { uid } = await bench.create('File')
        await until(() => bundles.filter((bundle) => bundle.some(({ documentId }) => documentId === uid)).length >= 2)
        assert.deepEqual(retried, ['tellListener'])
      })
    })
  },
  { plugins: [definePlugin({ name: 'kinds', listeners: [annotator, slow, refuser] })], log },
)
