import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const at = (value: string): ChainStep => ({ operation: 'Repository.GetDocument', params: { value } })
const keep = (name: string): ChainStep => ({ operation: 'Context.SetInputAsVar', params: { name } })
const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })

const chains = [
  defineChain({ id: 'setAndShow', steps: [of('Context.SetVar', { name: 'set' }), of('Flow.Show')] }),
  defineChain({ id: 'keepAndShow', steps: [keep('kept'), of('Flow.Show')] }),
  defineChain({
    id: 'restoreDocument',
    steps: [at(workspaces), keep('kept'), at('/'), of('Context.RestoreDocumentInput', { name: 'kept' })],
  }),
  defineChain({ id: 'stackDocuments', steps: [at(workspaces), of('Context.PushDocument'), at('/'), of('Context.PushDocument')] }),
  defineChain({ id: 'pop', steps: [of('stackDocuments'), of('Context.PopDocument')] }),
  defineChain({ id: 'popTwice', steps: [of('pop'), of('Context.PopDocument')] }),
  defineChain({ id: 'popThrice', steps: [of('popTwice'), of('Context.PopDocument')] }),
  defineChain({ id: 'pull', steps: [of('stackDocuments'), of('Context.PullDocument')] }),
  defineChain({ id: 'pullTwice', steps: [of('pull'), of('Document.Pull')] }),
  defineChain({ id: 'lists', steps: [of('Context.PushDocumentList'), at('/'), of('Context.PopDocumentList')] }),
  defineChain({ id: 'pulledLists', steps: [of('Document.PushList'), at('/'), of('Context.PullDocumentList')] }),
  defineChain({ id: 'oneFile', steps: [of('Context.PushBlob'), at('/'), of('Context.PopBlob')] }),
  defineChain({ id: 'pulledFiles', steps: [of('Blob.Push'), at('/'), of('Blob.Pull')] }),
  defineChain({ id: 'fileLists', steps: [of('Context.PushBlobList'), at('/'), of('Context.PopBlobList')] }),
  defineChain({ id: 'pulledFileLists', steps: [of('Blob.PushList'), at('/'), of('Blob.PullList')] }),
  defineChain({ id: 'unlike', steps: [of('Context.PushDocument'), of('Context.PopBlob')] }),
  defineChain({ id: 'keepFile', steps: [keep('kept'), at('/'), of('Context.RestoreBlobInput', { name: 'kept' })] }),
  defineChain({ id: 'keepFiles', steps: [keep('kept'), at('/'), of('Context.RestoreBlobsInput', { name: 'kept' })] }),
  defineChain({
    id: 'scriptedFile',
    steps: [keep('kept'), at('/'), of('Context.RestoreBlobInputFromScript', { script: 'Context["kept"]' })],
  }),
  defineChain({
    id: 'scriptedFiles',
    steps: [keep('kept'), at('/'), of('Context.RestoreBlobsInputFromScript', { script: 'Context["kept"]' })],
  }),
]

const aFile = { data: 'words', name: 'words.txt', 'mime-type': 'text/plain' }

onEachServer(
  'the context of a call',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let one: Answered
    let two: Answered

    before(async () => {
      one = await bench.create('Note')
      two = await bench.create('Note')
      await server.addUser('bob', ['members'])
    })

    const uids = (body: Answered) => body.entries.map(({ uid }: { uid: string }) => uid)

    test('2.14 Context.SetVar sets a variable of any type and passes its input on', async () => {
      for (const value of ['a', 5, true, [1, 'x'], { a: { b: null } }, 1.5]) {
        const shown = requireStatus(200, await call('setAndShow', { params: { value } }))
        assert.deepEqual(shown.value.variables.set, value)
      }
      const passed = requireStatus(
        200,
        await call('Context.SetVar', { input: `doc:${one.uid}`, params: { name: 'x', value: 1 } }),
      )
      assert.equal(passed.uid, one.uid)
    })

    test('2.14 Context.SetVar without a value takes the variable away, and without a name it is refused', async () => {
      const { value } = requireStatus(200, await call('setAndShow', { context: { set: 'before' } }))
      assert.equal(value.variables.set, null)
      const { status, body } = await call('Context.SetVar', { params: { value: 1 } })
      assert.equal(status, 400)
      assert.match(body.message, /Failed to inject parameter 'name'/)
    })

    test('3.22 variables may be null, and one with the name of a parameter stands in for it', async () => {
      const { value } = requireStatus(200, await call('Flow.Show', { context: { nothing: null, text: 'from the context' } }))
      assert.equal(value.variables.nothing, null)
      assert.equal(value.text, 'from the context')
    })

    test('2.14 Context.SetInputAsVar keeps the input, and Context.RestoreDocumentInput goes on with it', async () => {
      assert.equal(requireStatus(200, await call('restoreDocument')).path, workspaces)
      const kept = requireStatus(200, await call('keepAndShow', { input: `doc:${one.uid}` }))
      assert.equal(kept.value.variables.kept, one.uid)
    })

    test('2.14 a document in a variable may be sent as clients name documents', async () => {
      for (const sent of [one.uid, `doc:${one.uid}`, one.path, { 'entity-type': 'document', uid: one.uid }]) {
        const body = requireStatus(
          200,
          await call('Context.RestoreDocumentInput', { params: { name: 'd' }, context: { d: sent } }),
        )
        assert.equal(body.uid, one.uid)
      }
    })

    test('2.14 Context.RestoreDocumentsInput goes on with the documents in a variable', async () => {
      for (const sent of [[one.uid, { 'entity-type': 'document', uid: two.uid }], `docs:${one.uid},${two.uid}`]) {
        const body = requireStatus(
          200,
          await call('Context.RestoreDocumentsInput', { params: { name: 'd' }, context: { d: sent } }),
        )
        assert.deepEqual(uids(body), [one.uid, two.uid])
      }
    })

    test('2.14 files in variables are gone on with', async () => {
      for (const id of ['keepFile', 'scriptedFile']) assert.equal((await call(id, { input: aFile })).text, 'words', id)
      for (const id of ['keepFiles', 'scriptedFiles']) {
        const { headers, text } = await call(id, { input: [aFile, aFile] })
        assert.match(headers.get('content-type') ?? '', /^multipart\/mixed/, id)
        assert.equal(text.match(/words\.txt/g)?.length, 2)
      }
    })

    test('2.14 a variable that is not there, or holds something else, is refused', async () => {
      const rows: [id: string, context: object, status: number, message: RegExp][] = [
        ['Context.RestoreDocumentInput', {}, 400, /The context has no variable v/],
        ['Context.RestoreDocumentInput', { v: null }, 400, /The context has no variable v/],
        ['Context.RestoreDocumentInput', { v: 5 }, 400, /A number cannot be taken for a document/],
        ['Context.RestoreDocumentInput', { v: '/nowhere' }, 404, /\/nowhere$/],
        ['Context.RestoreDocumentsInput', { v: { a: 1 } }, 400, /A map cannot be taken for a document/],
        ['Context.RestoreBlobInput', { v: 5 }, 400, /A number cannot be taken for a blob/],
        ['Context.RestoreBlobsInput', { v: true }, 400, /A boolean cannot be taken for a blob/],
      ]
      for (const [id, context, status, message] of rows) {
        const answer = await call(id, { params: { name: 'v' }, context })
        assert.equal(answer.status, status, answer.text)
        assert.match(answer.body.message, message)
      }
    })

    test('2.14 Context.Restore…FromScript goes on with what an expression gives', async () => {
      const restored = await call('Context.RestoreDocumentInputFromScript', {
        params: { script: 'Context["d"]' },
        context: { d: one.path },
      })
      assert.equal(requireStatus(200, restored).uid, one.uid)
      const documents = await call('Context.RestoreDocumentsInputFromScript', {
        params: { script: '[Context["d"], This]' },
        context: { d: one.path },
        input: `doc:${two.uid}`,
      })
      assert.deepEqual(uids(requireStatus(200, documents)), [one.uid, two.uid])
      const wrong = await call('Context.RestoreDocumentInputFromScript', { params: { script: '1 +' } })
      assert.equal(wrong.status, 400)
    })

    test('1.14 what takes a script is not there for those who are no administrators', async () => {
      const asBob = operationsOn(server, 'bob')
      for (const kind of ['Document', 'Documents', 'Blob', 'Blobs']) {
        const answer = await asBob(`Context.Restore${kind}InputFromScript`, { params: { script: '1' } })
        assert.equal(answer.status, 404, answer.text)
      }
    })

    test('2.14 pushing passes the input on, popping takes the last back, pulling the first', async () => {
      assert.equal(requireStatus(200, await call('Context.PushDocument', { input: one.uid })).uid, one.uid)
      assert.equal(requireStatus(200, await call('pop')).path, '/')
      assert.equal(requireStatus(200, await call('popTwice')).path, workspaces)
      assert.equal(requireStatus(200, await call('pull')).path, workspaces)
      assert.equal(requireStatus(200, await call('pullTwice')).path, '/')
    })

    test('2.14 lists of documents, files and lists of files have stacks of their own', async () => {
      const documents = `docs:${one.uid},${two.uid}`
      for (const id of ['lists', 'pulledLists']) {
        assert.deepEqual(uids(requireStatus(200, await call(id, { input: documents }))), [one.uid, two.uid])
      }
      for (const id of ['oneFile', 'pulledFiles']) assert.equal((await call(id, { input: aFile })).text, 'words', id)
      for (const id of ['fileLists', 'pulledFileLists']) {
        assert.equal((await call(id, { input: [aFile, aFile] })).text.match(/words\.txt/g)?.length, 2, id)
      }
      const unlike = await call('unlike', { input: one.uid })
      assert.equal(unlike.status, 400)
      assert.match(unlike.body.message, /no blob was pushed before/)
    })

    test('2.14 taking back from an empty stack is refused', async () => {
      const ids = ['Document', 'DocumentList', 'Blob', 'BlobList'].flatMap((kind) => [
        `Context.Pop${kind}`,
        `Context.Pull${kind}`,
      ])
      for (const id of [...ids, 'popThrice']) {
        const { status, body } = await call(id)
        assert.equal(status, 400, id)
        assert.match(body.message, /There is nothing to take back/)
      }
    })

    test('2.14 pushing what is no document, or no file, is refused', async () => {
      for (const [id, input, status] of [
        ['Context.PushDocument', undefined, 400],
        ['Context.PushDocument', '/nowhere', 404],
        ['Context.PushDocumentList', 5, 400],
        ['Context.PushBlob', 'no file', 400],
        ['Context.PushBlobList', true, 400],
      ] as const) {
        assert.equal((await call(id, { input })).status, status, id)
      }
    })
  },
  { plugins: [flowPlugin(...chains)] },
)
