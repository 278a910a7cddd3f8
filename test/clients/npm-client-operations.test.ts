import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { defineOperation } from '../../src/automation/operation.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { onEachServer } from '../support/servers.ts'
import { type Client, createBlob, createClient, isClientDocument, refusalOf } from './npm-client.ts'

const workspaces = '/default-domain/workspaces'

/** The scripted operation that the client's own tests call. */
const returnDocumentTitle = defineOperation({
  id: 'Scripting.ReturnDocumentTitle',
  category: 'Scripting',
  description: 'Gives the title of a document.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('document', 'string', ({ properties }) => String(properties['dc:title']))],
})

const asTheOriginal = {
  settings: { vendor: 'nuxeo', basePath: '/nuxeo' },
  plugins: [definePlugin({ name: 'scripting', operations: [returnDocumentTitle] })],
}

onEachServer(
  'operations with the published npm client',
  (server) => {
    let client: Client
    before(() => {
      client = createClient(server.url, 'Administrator')
    })
    let created = 0
    const create = (type: string, properties: object = {}, parent = workspaces) =>
      client.repository().create(parent, { type, name: `${type}-${++created}`, properties })
    const aBlob = (content: string, name: string) =>
      createBlob({ content, name, mimeType: 'text/plain', size: Buffer.byteLength(content) })

    describe('an operation', () => {
      test('takes a path and parameters, and gives a document', async () => {
        const document = await client
          .operation('Document.GetChild')
          .input('/default-domain')
          .params({ name: 'workspaces' })
          .execute()
        assert.ok(isClientDocument(document))
        assert.equal(document.path, workspaces)
      })

      test('takes one parameter after another', async () => {
        const document = await client
          .operation('Document.GetChild')
          .input('/default-domain')
          .param('name', 'workspaces')
          .execute()
        assert.equal(document.title, 'Workspaces')
      })

      test('takes a document of the client', async () => {
        const document = await create('Note', { 'dc:title': 'before' })
        const updated = await client
          .operation('Document.Update')
          .schemas(['dublincore'])
          .input(document)
          .params({ properties: { 'dc:title': 'after', 'dc:subjects': ['art/dance', 'art/cinema'] } })
          .execute()
        assert.deepEqual([updated.uid, updated.get('dc:title')], [document.uid, 'after'])
        assert.deepEqual(updated.get('dc:subjects'), ['art/dance', 'art/cinema'])
      })

      test('takes a document that was never stored', async () => {
        const input = { 'entity-type': 'document', type: 'File', name: 'draft', properties: { 'dc:title': 'The title' } }
        const { value } = await client.operation('Scripting.ReturnDocumentTitle').input(input).execute()
        assert.equal(value, 'The title')
      })

      test('takes a list of documents, or of their ids, and gives a list', async () => {
        const documents = [await create('Note'), await create('Note')]
        for (const input of [documents, documents.map(({ uid }) => uid)]) {
          const { entries } = await client
            .operation('Document.Update')
            .input(input)
            .params({ properties: { 'dc:description': 'all of them' } })
            .execute()
          assert.deepEqual(
            entries.map(({ uid }: { uid: string }) => uid),
            documents.map(({ uid }) => uid),
          )
          assert.ok(entries.every(isClientDocument))
        }
      })

      test('takes a context', async () => {
        const document = await client.operation('Document.Fetch').context({ value: '/default-domain' }).execute()
        assert.equal(document.path, '/default-domain')
      })

      test('fails as the server says', async () => {
        const { status, body } = await refusalOf(
          client.operation('Document.GetChild').input('/default-domain').params({ name: 'Workspaces' }).execute(),
        )
        assert.equal(status, 404)
        assert.match(body.message, /^Failed to invoke operation: Document\.GetChild/)
        assert.equal((await refusalOf(client.operation('Noop').execute())).status, 404)
      })

      test('shows properties, enrichers and more as the client asks', async () => {
        const { uid } = await create('Note', { 'dc:title': 'shown' })
        const document = await client
          .operation('Document.Fetch')
          .params({ value: uid })
          .schemas(['dublincore'])
          .enricher('document', 'breadcrumb')
          .execute()
        assert.equal(document.get('dc:title'), 'shown')
        assert.equal(document.contextParameters['breadcrumb']['entity-type'], 'documents')
      })
    })

    describe('files', () => {
      test('are attached from a form, and fetched back', async () => {
        const { uid } = await create('File')
        const attached = await client
          .operation('Blob.AttachOnDocument')
          .param('document', uid)
          .input(aBlob('Grüße', 'naïve ✓.txt'))
          .execute()
        assert.equal(attached.status ?? 200, 200)
        const answer = await client.operation('Document.GetBlob').input(uid).execute()
        assert.equal(await text(answer.body), 'Grüße')
        assert.match(answer.headers.get('content-disposition'), /filename\*=UTF-8''na%C3%AFve%20%E2%9C%93\.txt/)
      })

      test('are not sent back to who wants nothing', async () => {
        const { uid } = await create('File')
        const answer = await client
          .operation('Blob.AttachOnDocument')
          .param('document', uid)
          .input(aBlob('x', 'x.txt'))
          .execute({ headers: { 'X-NXVoidOperation': 'true' } })
        assert.equal(answer.status, 204)
      })

      test('are sent several at once', async () => {
        const { uid } = await create('File')
        await client
          .operation('Blob.AttachOnDocument')
          .params({ document: uid, xpath: 'files:files' })
          .input([aBlob('one', 'one.txt'), aBlob('two', 'two.txt')])
          .execute()
        const document = await client.repository().schemas(['files']).fetch(uid)
        assert.deepEqual(
          document.get('files:files').map((one: { file: { name: string } }) => one.file.name),
          ['one.txt', 'two.txt'],
        )
      })

      test('of a document are given all at once', async () => {
        const { uid } = await create('File')
        const answer = await client.operation('Document.GetBlobsByProperty').input(uid).execute()
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [204, 'application/nuxeo-empty-list'])
      })
    })

    describe('a batch', () => {
      test('is imported as a whole, and by a file', async () => {
        const folder = await create('Folder')
        const batch = client.batchUpload()
        await batch.upload(aBlob('first note', 'first.txt'), aBlob('second note', 'second.txt'))
        const imported = await client
          .operation('FileManager.Import')
          .schemas(['note'])
          .context({ currentDocument: folder.path })
          .input(batch)
          .execute()
        assert.deepEqual(
          imported.entries.map(({ type, title }: { type: string; title: string }) => [type, title]),
          [
            ['Note', 'first.txt'],
            ['Note', 'second.txt'],
          ],
        )
        const { blob } = await client.batchUpload().upload(aBlob('alone', 'alone.txt'))
        const one = await client.operation('FileManager.Import').context({ currentDocument: folder.path }).input(blob).execute()
        assert.deepEqual([one.type, one.title], ['Note', 'alone.txt'])
      })
    })

    describe('a document of the client', () => {
      test('is moved, and keeps its name when told none', async () => {
        const [document, folder] = [await create('Note'), await create('Folder')]
        const moved = await document.move(folder.path)
        assert.equal(moved.path, `${folder.path}/${document.path.split('/').at(-1)}`)
        assert.equal((await moved.move(folder.path, 'renamed')).path, `${folder.path}/renamed`)
      })

      test('is locked and unlocked', async () => {
        const document = await create('Note')
        const locked = await document.lock()
        assert.equal((await locked.fetchLockStatus()).lockOwner, 'Administrator')
        const unlocked = await document.unlock()
        assert.equal((await unlocked.fetchLockStatus()).lockOwner, undefined)
      })

      test('follows a transition', async () => {
        const document = await create('Note')
        const approved = await document.followTransition('approve')
        assert.equal((approved as unknown as { state: string }).state, 'approved')
      })

      test('gets a permission and loses it', async () => {
        await server.addUser('granted')
        const document = await create('Note')
        await document.addPermission({ username: 'granted', permission: 'Write' })
        const ids = async () => {
          // The client remembers the lists of a document, so it is asked for a new one.
          const acls = await (await client.repository().fetch(document.uid)).fetchACLs()
          return acls.flatMap(({ aces }) => aces.map(({ id }) => id))
        }
        assert.ok((await ids()).some((id) => id.startsWith('granted:Write:true')))
        await document.removePermission({ user: 'granted' })
        assert.ok(!(await ids()).some((id) => id.startsWith('granted:')))
      })
    })

    test('a user is found under the name that the original server gives the operation', async () => {
      const { id } = await client.request('automation/NuxeoPrincipal.Get').get()
      assert.equal(id, 'User.Get')
    })
  },
  asTheOriginal,
)
