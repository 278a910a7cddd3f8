import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { importDocument } from '../../src/core/documents/import-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import type { Listener, WriteSession } from '../../src/core/session.ts'
import { validationFailed } from '../../src/model/properties/validation.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { aDocument, changesTo, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

/** Breaks a rule when the title asks for it. */
const spoiler: Listener = {
  name: 'spoiler',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification', 'aboutToImport'],
  handle({ document }) {
    if (document.properties['dc:title'] !== 'spoil me') return undefined
    return { ...document, properties: { ...document.properties, 'vs:short': 'far too long' } }
  },
}

onEachServer(
  'validation',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    before(async () => {
      folder = await bench.create('Folder')
    })
    const create = async (properties = {}) => bench.create('Strict', properties, { parent: folder.path })
    const put = (uid: string, properties: { [name: string]: unknown }) =>
      server.as('Administrator').put(`/id/${uid}`, changesTo(properties))
    const assertInvalid = (answer: ApiAnswer, ...fields: readonly string[]) => {
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body['entity-type'], 'validation_report')
      const named = answer.body.violations.map(({ path }: { path: { field_name: string }[] }) => path[0]?.field_name)
      assert.deepEqual(named.sort(), [...fields].sort())
    }
    const inSession = <Result>(body: (session: WriteSession, parent: Answered) => Promise<Result>) =>
      server.inSession('Administrator', async (session) => body(session, await readDocument(session, folder.uid)))
    const assertInvalidInSession = (attempt: Promise<unknown>, ...fields: readonly string[]) =>
      assert.rejects(attempt, (error) => {
        assert.ok(validationFailed.is(error), String(error))
        assert.deepEqual(error.details.violations.map(({ path }) => path[0]?.fieldName).sort(), [...fields].sort())
        return true
      })
    /** A document that breaks two rules, as only trusted code can store it. */
    const createBroken = () =>
      inSession(async (session, parent) => {
        const properties = { 'vs:short': 'far too long', 'vs:color': 'blue' }
        return createDocument(session, { parent, type: 'Strict', name: 'broken', properties, options: { validation: false } })
      })

    describe('13 is active by default when', () => {
      test('a document is created: for all properties of all schemas, sent or not', async () => {
        const post = (properties: object, type = 'Strict') =>
          server.as('Administrator').post(`/id/${folder.uid}`, aDocument({ type, properties }))
        assertInvalid(
          await post({ 'vs:short': 'far too long', 'dc:description': 'x'.repeat(2001) }),
          'vs:short',
          'dc:description',
        )
        assertInvalid(await post({}, 'Mandatory'), 'man:code', 'man:parts', 'man:size')
      })
      test('a document is saved: for what changes and nothing else', async () => {
        const { id } = await createBroken()
        requireStatus(200, await put(id, { 'dc:title': 'described' }))
        requireStatus(200, await put(id, { 'vs:short': 'far too long' }))
        assertInvalid(await put(id, { 'vs:short': 'another that is too long', 'dc:title': 'no' }), 'vs:short')
        requireStatus(200, await put(id, { 'vs:short': 'abc' }))
        assert.equal((await bench.readProperties(id))['vs:color'], 'blue')
      })
      test('a document is saved through a proxy', async () => {
        const { uid } = await create()
        const proxy = await bench.createProxy(folder.uid, uid)
        assertInvalid(await put(proxy, { 'vs:short': 'far too long' }), 'vs:short')
        assert.equal((await bench.readProperties(uid))['vs:short'], null)
      })
      test('several documents are changed at once', async () => {
        const [one, other] = [await create(), await create()]
        assertInvalid(await put(one.uid, { 'vs:age': 150 }), 'vs:age')
        const bulk = server.as('Administrator').put(`/bulk;id=${one.uid};id=${other.uid}`, changesTo({ 'vs:age': -1 }))
        assertInvalid(await bulk, 'vs:age')
        for (const { uid } of [one, other]) assert.equal((await bench.readProperties(uid))['vs:age'], null)
      })
      test('a document is imported: for what comes with it and nothing else', async () => {
        const imported = (properties: { [name: string]: string }) =>
          inSession((session, parent) =>
            importDocument(session, { id: crypto.randomUUID(), parent, type: 'Mandatory', name: 'imported', properties }),
          )
        await assertInvalidInSession(imported({ 'dc:nature': 'nonsense' }), 'dc:nature')
        assert.equal((await imported({ 'dc:title': 'without what is mandatory' })).type, 'Mandatory')
      })
      test('a listener changes a document that is created, saved or imported', async () => {
        const spoilt = { 'dc:title': 'spoil me' }
        const posted = await server
          .as('Administrator')
          .post(`/id/${folder.uid}`, aDocument({ type: 'Strict', properties: spoilt }))
        assertInvalid(posted, 'vs:short')
        const { uid } = await create()
        assertInvalid(await put(uid, spoilt), 'vs:short')
        const imported = inSession((session, parent) =>
          importDocument(session, { id: crypto.randomUUID(), parent, type: 'Strict', name: 'imported', properties: spoilt }),
        )
        await assertInvalidInSession(imported, 'vs:short')
      })
      test('a reference changes: it must lead somewhere', async () => {
        const { uid } = await create()
        for (const properties of [
          { 'dc:nature': 'nope' },
          { 'dc:subjects': ['art/cinema', 'art/nope'] },
          { 'vs:owner': 'nobody' },
        ]) {
          assertInvalid(await put(uid, properties), Object.keys(properties)[0] ?? '')
        }
        const good = {
          'dc:nature': 'article',
          'dc:subjects': ['art/cinema'],
          'dc:coverage': 'europe/France',
          'vs:owner': 'Administrator',
        }
        requireStatus(200, await put(uid, good))
        requireStatus(200, await put(uid, { 'dc:creator': 'long gone', 'dc:contributors': ['long gone'] }))
      })
    })

    describe('13 leaves alone', () => {
      test('copies, versions, restored and published documents: what was stored once is stored again', async () => {
        const { id } = await createBroken()
        const shown = await inSession(async (session, parent) => {
          const copy = await copyDocument(session, id, { parentId: parent.id })
          const { version } = await checkInDocument(session, id)
          await saveDocument(session, id, { 'dc:title': 'changed' })
          const restored = await restoreVersion(session, id, version.id)
          const section = await session.tx.documents.findByPath('/default-domain/sections')
          const proxy = await publishDocument(session, id, section?.id ?? '')
          return [copy, version, restored, proxy].map(({ properties }) => properties['vs:short'])
        })
        assert.deepEqual(new Set(shown), new Set(['far too long']))
      })
      test('null, whatever the rule, unless it is that there must be something', async () => {
        const { uid } = await create({ 'vs:short': 'abc', 'vs:color': 'red', 'vs:age': 3 })
        requireStatus(
          200,
          await put(uid, { 'vs:short': null, 'vs:color': null, 'vs:age': null, 'vs:born': null, 'vs:owner': null }),
        )
        const mandatory = { 'man:code': 'c', 'man:parts': ['p'], 'man:size': { width: 1, height: null } }
        const created = await bench.create('Mandatory', mandatory, { parent: folder.path })
        for (const [name, nothing] of [
          ['man:code', null],
          ['man:parts', []],
          ['man:parts', null],
          ['man:size', null],
          ['man:size', { width: null, height: null }],
        ] as const) {
          assertInvalid(await put(created.uid, { [name]: nothing }), name)
        }
      })
    })

    describe('13 is for trusted code to switch off', () => {
      const quiet = { validation: false }
      test('when it creates, saves or imports', async () => {
        const { id } = await createBroken()
        await inSession(async (session, parent) => {
          await saveDocument(session, id, { 'dc:nature': 'nonsense' }, quiet)
          const properties = { 'dc:nature': 'nonsense' }
          await importDocument(session, { id: crypto.randomUUID(), parent, type: 'File', name: 'i', properties, options: quiet })
        })
        assert.equal((await bench.readProperties(id))['dc:nature'], 'nonsense')
      })
      test('and not for a client, whatever it sends', async () => {
        const { uid } = await create()
        const body = { ...changesTo({ 'vs:age': -1 }), validation: false, options: quiet, contextParameters: quiet }
        const headers = { validation: 'false', 'DocumentValidationService.Forcing': 'TURN_OFF' }
        assertInvalid(await server.as('Administrator').put(`/id/${uid}`, body, headers), 'vs:age')
      })
    })

    test('13 a refusal in a session says the property and what is wrong with it', async () => {
      const { uid } = await create()
      const save = (properties: { [name: string]: string }) => inSession((session) => saveDocument(session, uid, properties))
      await assert.rejects(
        save({ 'dc:nature': 'nope' }),
        /^validationFailed: Constraint violation thrown on property dc:nature: '.+'$/,
      )
      const message = /^validationFailed: 2 constraint violation\(s\) thrown. First one is thrown on property .+: '.+'$/
      await assert.rejects(save({ 'dc:nature': 'nope', 'vs:short': 'far too long' }), message)
    })
    test('4 what is too long is refused at its first character too many', async () => {
      const { uid } = await create()
      requireStatus(200, await put(uid, { 'dc:description': 'x'.repeat(2000) }))
      assertInvalid(await put(uid, { 'dc:description': 'x'.repeat(2001) }), 'dc:description')
      assert.equal((await bench.read(uid, inFull)).properties['dc:description'].length, 2000)
    })
  },
  { plugins: [specimens, definePlugin({ name: 'spoiling', listeners: [spoiler] })] },
)
