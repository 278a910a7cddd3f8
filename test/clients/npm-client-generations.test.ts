import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
// @ts-expect-error: none of the generations declares types; those of `npm-client.ts` hold for what is used here
import Generation4 from 'nuxeo'
// @ts-expect-error
import Generation1 from 'nuxeo-1'
// @ts-expect-error
import Generation2 from 'nuxeo-2'
// @ts-expect-error
import Generation3 from 'nuxeo-3'
import { onEachServer } from '../support/servers.ts'
import type { Client } from './npm-client.ts'

const generations: readonly (readonly [name: string, library: Generation])[] = [
  ['1.2', Generation1],
  ['2.2', Generation2],
  ['3.18', Generation3],
  ['4.0', Generation4],
]

interface Generation {
  new (options: { baseURL: string; auth: object }): Client
  readonly Blob: new (blob: { content: unknown; name: string; mimeType: string; size: number }) => object
}

/** Before 3.0 this is called `login`. */
async function logIn(client: Client & { login?(): Promise<unknown> }): Promise<void> {
  await (client.login?.() ?? client.connect())
}

onEachServer(
  'each generation of the published npm client',
  (server) => {
    for (const [name, Library] of generations) {
      describe(name, () => {
        const connect = () =>
          new Library({
            baseURL: server.url,
            auth: { method: 'basic', username: 'Administrator', password: 'Administrator' },
          })
        const aBlob = (name: string, content: string | Buffer) =>
          new Library.Blob({ content, name, mimeType: 'text/plain', size: Buffer.byteLength(content) })
        const aFile = (client: Client) =>
          client.repository().create('/default-domain/workspaces', { type: 'File', name: 'a', properties: {} })

        test('logs in, makes a document and changes it', async () => {
          const client = connect()
          await logIn(client)
          assert.ok(client.connected)
          const file = await aFile(client)
          const saved = await client.repository().update({ uid: file.uid, properties: { 'dc:title': 'Grüße' } })
          assert.equal(saved.title, 'Grüße')
        })

        test('sends a file to an operation', async () => {
          const client = connect()
          const { uid } = await aFile(client)
          await client.operation('Blob.AttachOnDocument').param('document', uid).input(aBlob('a.txt', 'one\r\ntwo\n')).execute()
          const { properties } = await client.repository().schemas(['*']).fetch(uid)
          assert.deepEqual([properties['file:content'].name, properties['file:content'].length], ['a.txt', '9'])
        })

        test('sends several files to an operation, and gets them again', async () => {
          const client = connect()
          const { uid } = await aFile(client)
          const blobs = [aBlob('one.txt', 'one'), aBlob('two.txt', Buffer.from('two'))]
          const attach = client.operation('Blob.AttachOnDocument').params({ document: uid, xpath: 'files:files' })
          await attach.input(blobs).execute()
          const { properties } = await client.repository().schemas(['*']).fetch(uid)
          const names = properties['files:files'].map(({ file }: { file: { name: string } }) => file.name)
          assert.deepEqual(names, ['one.txt', 'two.txt'])
        })

        test('uploads a batch and works on it', async () => {
          const client = connect()
          const { uid } = await aFile(client)
          const { blob } = await client.batchUpload().upload(aBlob('batch.txt', 'from a batch') as never)
          await client.operation('Blob.AttachOnDocument').param('document', uid).input(blob).execute()
          const answer = await client.operation('Document.GetBlob').input(uid).execute()
          assert.equal(await text(Readable.from(answer.body)), 'from a batch')
        })
      })
    }
  },
  { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } },
)
