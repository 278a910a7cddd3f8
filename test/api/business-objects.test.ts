import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineBusinessObject } from '../../src/automation/business-object.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { operationBenchOn, type Role, unknownId } from '../support/operation-bench.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const cards = definePlugin({
  name: 'cards',
  businessObjects: [
    defineBusinessObject({
      name: 'NoteCard',
      fields: { title: 'dc:title', description: 'dc:description', note: 'note:note' },
      types: ['Note'],
    }),
    defineBusinessObject({ name: 'FileCard', fields: { title: 'dc:title', file: 'file:content', subjects: 'dc:subjects' } }),
  ],
})

onEachServer(
  '8 @bo',
  (server) => {
    const bench = operationBenchOn(server)
    let folder: Answered
    let note: Answered
    before(async () => {
      folder = await bench.make('Folder')
      note = await bench.make('Note', { 'dc:title': 'Plan', 'note:note': 'text' }, { parent: folder.path, name: 'plan' })
      await bench.make('File', { 'dc:title': 'no note' }, { parent: folder.path })
    })
    const at = (uid: string, tail: string) => `/id/${uid}/@bo/${tail}`
    const sent = (value: object, name = 'NoteCard') => ({ 'entity-type': name, value })
    const shown = (value: object, name = 'NoteCard') => ({ ...value, 'entity-type': name, value })
    const planned = () => ({ type: 'Note', id: note.uid, title: 'Plan', description: null, note: 'text' })

    describe('GET', () => {
      test('shows the document as the object, in value and beside it', async () => {
        assert.deepEqual(requireStatus(200, await server.as('reader').get(at(note.uid, 'NoteCard'))), shown(planned()))
        const byPath = await server.as('reader').get(`/path${note.path}/@bo/BusinessBean`)
        assert.deepEqual(requireStatus(200, byPath), shown(planned(), 'BusinessBean'))
      })
      test('shows those of a page that can be shown so, with the place of the page', async () => {
        const more = await bench.make('Note', { 'dc:title': 'Another' }, { parent: folder.path })
        const list = `/path${folder.path}/@children/@bo/NoteCard?sortBy=dc:title&sortOrder=asc`
        const all = requireStatus(200, await server.as('reader').get(list))
        assert.deepEqual([all['entity-type'], all.resultsCount, all.isPaginable], ['adapters', 3, true])
        assert.deepEqual(
          all.entries.map(({ value }: Answered) => value.title),
          ['Another', 'Plan'],
        )
        const page = requireStatus(200, await server.as('reader').get(`${list}&pageSize=1&currentPageIndex=0`))
        assert.deepEqual([page.entries.length, page.entries[0].id, page.currentPageSize], [1, more.uid, 1])
        await server.as('Administrator').delete(`/id/${more.uid}`)
      })
      test('shows a file with its address and no more than the document does', async () => {
        const body = {
          'entity-type': 'document',
          type: 'File',
          name: 'filed',
          properties: { 'file:content': { name: 'a.txt', data: 'hello' } },
        }
        const file = requireStatus(201, await server.as('Administrator').post(`/id/${folder.uid}`, body, { properties: '*' }))
        const card = requireStatus(200, await server.as('reader').get(at(file.uid, 'FileCard')))
        assert.deepEqual([card.value.file, card.value.subjects], [file.properties['file:content'], []])
        await server.as('Administrator').delete(`/id/${file.uid}`)
      })
    })

    describe('PUT', () => {
      test('saves what was sent and leaves the rest', async () => {
        const value = { id: note.uid, type: 'Note', description: 'new', unknown: 1 }
        const saved = requireStatus(200, await server.as('writer').put(at(note.uid, 'NoteCard'), sent(value)))
        assert.deepEqual(saved, shown({ ...planned(), description: 'new' }))
        requireStatus(200, await server.as('writer').put(at(note.uid, 'NoteCard'), sent({ description: null })))
        assert.deepEqual(requireStatus(200, await server.as('writer').get(at(note.uid, 'NoteCard'))), shown(planned()))
      })
      test('takes a file', async () => {
        const file = await bench.make()
        const value = { file: { name: 'sent.txt', data: 'bytes' }, subjects: ['art/cinema'] }
        const saved = requireStatus(200, await server.as('writer').put(at(file.uid, 'FileCard'), sent(value, 'FileCard')))
        assert.deepEqual(
          [saved.value.file.name, saved.value.file.length, saved.value.subjects],
          ['sent.txt', '5', ['art/cinema']],
        )
      })
    })

    describe('POST', () => {
      test('makes a document of that name below the target, and answers 200', async () => {
        const value = { type: 'Note', title: 'Made', note: 'of a card' }
        const made = requireStatus(200, await server.as('writer').post(at(folder.uid, 'NoteCard/card'), sent(value)))
        const { id } = made.value
        assert.deepEqual(made, shown({ type: 'Note', id, title: 'Made', description: null, note: 'of a card' }))
        assert.equal((await bench.read(id)).path, `${folder.path}/card`)
        await server.as('Administrator').delete(`/id/${id}`)
      })
    })

    interface Row {
      readonly as?: Role
      readonly method?: 'get' | 'put' | 'post'
      readonly uid?: () => string
      readonly tail?: string
      readonly body?: unknown
      readonly status: number
      readonly message: RegExp
    }
    const rows: { readonly [sentence: string]: Row } = {
      'an unknown object': { tail: 'NoSuch', status: 404, message: /^Unable to find \[NoSuch\] adapter$/ },
      'no object at all': { tail: '', status: 404, message: /^Unable to find \[\] adapter$/ },
      'an object of another type': {
        uid: () => folder.uid,
        tail: 'NoteCard',
        status: 404,
        message: /cannot be shown as NoteCard/,
      },
      'an unknown document': { uid: () => unknownId, status: 404, message: new RegExp(unknownId) },
      'a stranger': { as: 'stranger', status: 403, message: /Privilege 'Read'/ },
      'a stranger who asks for an unknown object': { as: 'stranger', tail: 'NoSuch', status: 403, message: /Privilege 'Read'/ },
      'a reader who saves': { as: 'reader', method: 'put', body: { title: 'x' }, status: 403, message: /WriteProperties/ },
      'a body of another object': {
        method: 'put',
        body: 'BusinessBean',
        status: 400,
        message: /Expected is NoteCard but was BusinessBean/,
      },
      'a body of another document': {
        method: 'put',
        body: { id: unknownId },
        status: 400,
        message: /but the address is that of/,
      },
      'an id that is no text': { method: 'put', body: { id: 7 }, status: 400, message: /must have a text in id/ },
      'a value of a wrong type': { method: 'put', body: { title: { a: 1 } }, status: 400, message: /dc:title/ },
      'a new one without a name': {
        method: 'post',
        uid: () => folder.uid,
        body: { type: 'Note' },
        status: 400,
        message: /@bo\/NoteCard\/\{name\}/,
      },
      'a new one without a type': {
        method: 'post',
        uid: () => folder.uid,
        tail: 'NoteCard/x',
        body: {},
        status: 400,
        message: /must have a text in type/,
      },
      'a new one of an unknown type': {
        method: 'post',
        uid: () => folder.uid,
        tail: 'NoteCard/x',
        body: { type: 'Nothing' },
        status: 400,
        message: /Nothing does not exist/,
      },
      'a new one of another type': {
        method: 'post',
        uid: () => folder.uid,
        tail: 'NoteCard/x',
        body: { type: 'File' },
        status: 404,
        message: /A File cannot be shown as NoteCard/,
      },
      'a new one where the caller may add none': {
        as: 'reader',
        method: 'post',
        uid: () => folder.uid,
        tail: 'NoteCard/x',
        body: { type: 'Note' },
        status: 403,
        message: /AddChildren/,
      },
    }
    for (const [sentence, { as = 'writer', method = 'get', uid, tail = 'NoteCard', body, status, message }] of Object.entries(
      rows,
    )) {
      test(`refuses ${sentence}`, async () => {
        const address = at(uid?.() ?? note.uid, tail)
        const entity = typeof body === 'string' ? sent({}, body) : sent((body ?? {}) as object)
        const caller = server.as(as)
        assertRefused(method === 'get' ? await caller.get(address) : await caller[method](address, entity), status, message)
        assert.deepEqual((await bench.listChildren(folder.uid)).length, 2)
      })
    }
    for (const [sentence, body] of [
      ['an empty body', ''],
      ['no JSON', '{'],
      ['a list', '[]'],
      ['no value', '{"entity-type":"NoteCard"}'],
    ] as const) {
      test(`refuses ${sentence}`, async () => {
        const headers = { 'content-type': 'application/json' }
        const url = `api/v1${at(note.uid, 'NoteCard')}`
        assert.equal((await server.as('writer').call('PUT', url, { headers, body })).status, 400)
      })
    }
    test('refuses what is neither a document nor a list of them', async () => {
      assertRefused(await server.as('writer').get('/user/writer/@bo/NoteCard'), 400, /'bo' cannot be applied/)
    })
    test('refuses to save a list', async () => {
      const answer = await server.as('writer').put(`/path${folder.path}/@children/@bo/NoteCard`, sent({ title: 'x' }))
      assertRefused(answer, 400, /not on a list/)
    })
    test('shows nothing of what the caller cannot read on a page', async () => {
      const hidden = await bench.make('Note', {}, { parent: folder.path })
      await bench.restrict(hidden.uid, grant('owner', 'Everything'))
      const page = requireStatus(200, await server.as('reader').get(`/path${folder.path}/@children/@bo/NoteCard`))
      assert.ok(!JSON.stringify(page).includes(hidden.uid))
    })
  },
  { plugins: [cards] },
)
