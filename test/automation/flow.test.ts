import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })

const chains = [
  defineChain({ id: 'describe', steps: [of('Document.SetProperty', { xpath: 'dc:description' })] }),
  defineChain({ id: 'setVariable', steps: [of('Context.SetVar', { name: 'left', value: 'by the chain' })] }),
  defineChain({ id: 'runAndShow', steps: [of('RunOperation'), of('Flow.Show')] }),
  defineChain({
    id: 'runTold',
    steps: [of('RunOperation', { id: 'showInto', parameters: { text: 'told', more: 'expr:1 + 1' } }), of('Flow.Show')],
  }),
  defineChain({ id: 'showInto', steps: [of('Context.SetVar', { name: 'seen', value: 'expr:ChainParameters' })] }),
  defineChain({ id: 'toParent', steps: [of('Document.GetParent')] }),
  defineChain({ id: 'toText', steps: [of('Flow.Show')] }),
  defineChain({
    id: 'describeItem',
    steps: [of('Context.RestoreDocumentInput', { name: 'item' }), of('describe', { value: 'an item' })],
  }),
  defineChain({ id: 'noteItem', steps: [of('Flow.Note', { word: 'expr:Context["item"]' })] }),
  defineChain({ id: 'notesAndShow', steps: [of('RunOperationOnList', { id: 'noteItem', list: 'names' }), of('Flow.Show')] }),
  defineChain({
    id: 'kindOfItem',
    steps: [of('Context.SetVar', { name: 'title', value: 'expr:Context["item"].title' })],
  }),
  defineChain({
    id: 'kinds',
    steps: [of('RunOperationOnList', { id: 'kindOfItem', list: 'documents', isolate: false }), of('Flow.Show')],
  }),
  defineChain({
    id: 'overPages',
    steps: [
      of('Repository.Query', {
        query: 'expr:SELECT * FROM Note WHERE dc:source = @{Fn.nxqlEscape(source)} AND ecm:isVersion = 0',
        pageSize: 2,
      }),
      of('RunOperationOnProvider', { id: 'eachPage', isolate: false }),
      of('Flow.Show'),
    ],
  }),
  defineChain({
    id: 'eachPage',
    steps: [
      of('Flow.Note', { word: 'expr:Documents.size()' }),
      of('Document.SetProperty', { xpath: 'dc:source', value: 'done' }),
    ],
  }),
  defineChain({
    id: 'saveLater',
    steps: [
      of('Document.SetProperty', { xpath: 'dc:description', value: 'waits', save: false }),
      of('Flow.Note', { word: 'x' }),
      of('Repository.SaveSession'),
    ],
  }),
  defineChain({ id: 'saveNever', steps: [of('Document.SetProperty', { xpath: 'dc:description', value: 'lost', save: false })] }),
]

onEachServer(
  'running operations from operations',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let note: Answered
    let other: Answered
    const described = async ({ uid }: Answered) => (await bench.readProperties(uid))['dc:description']

    before(async () => {
      note = await bench.create('Note', { 'dc:title': 'One' })
      other = await bench.create('Note', { 'dc:title': 'Two' })
      await server.addUser('bob', ['members'])
    })

    test('2.15 RunOperation runs what it is told on the input, drops its output and passes the input on', async () => {
      const params = { id: 'describe', parameters: { value: 'by RunOperation' } }
      const body = requireStatus(200, await call('RunOperation', { input: `doc:${note.uid}`, params }))
      assert.equal(body.uid, note.uid)
      assert.equal(await described(note), 'by RunOperation')
      assert.equal((await call('Context.RunOperation', { params: { id: 'setVariable' } })).status, 204)
    })

    test('2.15 variables that it sets are seen afterwards, unless it is isolated', async () => {
      const seen = requireStatus(200, await call('runAndShow', { params: { id: 'setVariable' } }))
      assert.equal(seen.value.variables.left, 'by the chain')
      const isolated = requireStatus(200, await call('runAndShow', { params: { id: 'setVariable', isolate: true } }))
      assert.equal('left' in isolated.value.variables, false)
    })

    test('2.15 parameters are the chain parameters of what is run, and of nothing else', async () => {
      const { value } = requireStatus(200, await call('runTold', { params: { outer: 'not told' } }))
      assert.deepEqual(value.variables.seen, { text: 'told', more: 2 })
      assert.deepEqual(value.call, { outer: 'not told' })
    })

    test('2.15 RunDocumentOperation gives the document, or the documents, that what it runs gives', async () => {
      const one = requireStatus(200, await call('RunDocumentOperation', { input: note.uid, params: { id: 'toParent' } }))
      assert.equal(one.path, workspaces)
      const input = `docs:${note.uid},${other.uid}`
      const params = { id: 'describe', parameters: 'value=by the list' }
      const many = requireStatus(200, await call('Context.RunDocumentOperation', { input, params }))
      assert.equal(many.entries.length, 2)
      assert.deepEqual([await described(note), await described(other)], ['by the list', 'by the list'])
    })

    test('2.15 RunDocumentOperation refuses what gives no document, and RunFileOperation what gives no file', async () => {
      const text = await call('RunDocumentOperation', { input: note.uid, params: { id: 'toText' } })
      assert.equal(text.status, 400)
      assert.match(text.body.message, /A map cannot be taken for a document/)
      const file = { data: 'x', name: 'x.txt', 'mime-type': 'text/plain' }
      const noFile = await call('RunFileOperation', {
        input: file,
        params: { id: 'Repository.GetDocument', parameters: { value: '/' } },
      })
      assert.equal(noFile.status, 400)
    })

    test('2.15 RunFileOperation gives the file, or the files, that what it runs gives', async () => {
      const file = { data: 'words', name: 'words.txt', 'mime-type': 'text/plain' }
      assert.equal((await call('RunFileOperation', { input: file, params: { id: 'Context.PushBlob' } })).text, 'words')
      const many = await call('Context.RunFileOperation', { input: [file, file], params: { id: 'Context.PushBlobList' } })
      assert.equal(many.text.match(/words\.txt/g)?.length, 2)
    })

    test('2.15 RunOperationOnList runs once for each item, which is in a variable, isolated from each other', async () => {
      const shown = requireStatus(200, await call('notesAndShow', { context: { names: ['a', 'b'], words: 'before' } }))
      assert.equal(shown.value.variables.words, 'before')
      assert.equal('item' in shown.value.variables, false)
      const together = requireStatus(
        200,
        await call('notesAndShow', { context: { names: ['a', 'b'] }, params: { isolate: false } }),
      )
      assert.equal(together.value.variables.words, 'a b')
    })

    test('3.21 documents in a list arrive as documents, however they were sent', async () => {
      for (const item of [{ 'entity-type': 'document', uid: other.uid }, `doc:${other.path}`]) {
        const { value } = requireStatus(200, await call('kinds', { context: { documents: [item] } }))
        assert.equal(value.variables.title, 'Two')
      }
      const params = { id: 'describeItem', list: 'documents' }
      requireStatus(204, await call('RunOperationOnList', { params, context: { documents: [note.uid, other.uid] } }))
      assert.deepEqual([await described(note), await described(other)], ['an item', 'an item'])
    })

    test('2.15 RunOperationOnListInNewTx does the same under its own name for the item', async () => {
      await bench.update(note.uid, { 'dc:description': null })
      const params = { id: 'describeItem', list: 'documents', itemName: 'item' }
      requireStatus(204, await call('RunOperationOnListInNewTx', { params, context: { documents: [note.uid] } }))
      assert.equal(await described(note), 'an item')
    })

    test('2.15 RunOperationOnProvider runs on each page that was found, also where that changes what is found', async () => {
      for (let count = 0; count < 5; count += 1) await bench.create('Note', { 'dc:source': 'paged' })
      const { value } = requireStatus(200, await call('overPages', { context: { source: 'paged' } }))
      assert.equal(value.variables.words, '2 2 1')
      assert.equal('found' in value, false)
      const again = requireStatus(200, await call('overPages', { context: { source: 'paged' } }))
      assert.equal(again.value.variables.words, '0')
    })

    test('2.15 Repository.SaveSession saves what earlier steps have left unsaved; without it that is lost', async () => {
      const file = await bench.create('File')
      requireStatus(200, await call('saveNever', { input: `doc:${file.uid}` }))
      assert.equal(await described(file), null)
      requireStatus(200, await call('saveLater', { input: `doc:${file.uid}` }))
      assert.equal(await described(file), 'waits')
      requireStatus(204, await call('Document.SaveSession'))
    })

    test('what is to be run and is not there, cannot run on the input, or is not named, is refused', async () => {
      const rows: [id: string, params: object, status: number, message: RegExp][] = [
        ['RunOperation', { id: 'NoOperation' }, 404, /There is no operation or chain NoOperation/],
        ['RunOperation', {}, 400, /Failed to inject parameter 'id'/],
        ['RunOperation', { id: 'Document.GetParent' }, 400, /no method found for operation 'Document.GetParent'/],
        ['RunOperation', { id: 'Flow.Refuse' }, 409, /Refused: it is a test/],
        ['RunOperation', { id: 'RunOperation' }, 400, /more than 50 deep/],
        ['RunOperationOnList', { id: 'noteItem' }, 400, /Failed to inject parameter 'list'/],
        ['RunOperationOnList', { id: 'noteItem', list: 'nowhere' }, 400, /The context has no variable nowhere/],
        ['RunOperationOnListInNewTx', { id: 'NoOperation', list: 'names' }, 404, /NoOperation/],
        ['RunDocumentOperation', { id: 'describe' }, 400, /no method found for operation 'RunDocumentOperation'/],
        ['RunFileOperation', { id: 'describe' }, 400, /no method found for operation 'RunFileOperation'/],
        ['RunOperationOnProvider', { id: 'describe' }, 400, /no method found for operation 'RunOperationOnProvider'/],
      ]
      for (const [id, params, status, message] of rows) {
        const answer = await call(id, { params, context: { names: ['a'] } })
        assert.equal(answer.status, status, `${id} ${answer.text}`)
        assert.match(answer.body.message, message)
      }
    })

    test('2.15 RunOperationOnProvider refuses documents that nobody has searched for', async () => {
      const { status } = await call('RunOperationOnProvider', { input: `docs:${note.uid}`, params: { id: 'describe' } })
      assert.equal(status, 400)
    })

    test('1.14 nobody runs by another operation, or by a chain that leaves it to them, what they could not call', async () => {
      const asBob = operationsOn(server, 'bob')
      const params = { id: 'RunScript', parameters: { script: '1' } }
      for (const id of ['RunOperation', 'Context.RunDocumentOperationInNewTx', 'runAndShow']) {
        assert.equal((await asBob(id, { params })).status, 404, id)
      }
      const onList = await asBob('RunOperationOnList', { params: { ...params, list: 'l' }, context: { l: ['a'] } })
      assert.equal(onList.status, 404)
      assert.equal((await call('RunOperation', { params })).status, 204)
    })

    test('what somebody may not change is refused, run by whatever operation', async () => {
      await bench.restrict(other.uid)
      const asBob = operationsOn(server, 'bob')
      const context = { documents: [other.uid] }
      assert.equal(
        (await asBob('RunOperationOnList', { params: { id: 'describeItem', list: 'documents' }, context })).status,
        403,
      )
    })
  },
  { plugins: [flowPlugin(...chains)] },
)
