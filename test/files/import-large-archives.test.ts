import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { writeZip } from '../../src/base/zip/write-zip.ts'
import { callWithFiles, jsonOf } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const aZip = (files: { readonly [name: string]: string }): Promise<Buffer> =>
  buffer(
    writeZip(
      Object.entries({ '.platform-archive': '', ...files }).map(([name, text]) => {
        const bytes = Buffer.from(text)
        return { name, modified: new Date(0), content: { length: bytes.length, open: async () => Readable.from([bytes]) } }
      }),
    ),
  )

const xml = (name: string, rest: string) =>
  `<document repository="default" id="x"><system><type>File</type><path>${name}</path></system>${rest}</document>`

onEachServer('archives of large documents that are dropped into a folder', (server) => {
  const bench = workbenchOn(server)
  const drop = async (files: { readonly [name: string]: string }) => {
    const { path: currentDocument } = await bench.create('Folder')
    const file = { name: 'dropped.zip', content: await aZip(files), type: 'application/zip' }
    return callWithFiles(server, 'FileManager.Import', [file], { params: {}, context: { currentDocument } })
  }

  test('may have a file of megabytes in their XML', async () => {
    const content = `<schema name="file"><file:content><data>${'QUFB'.repeat(2_300_000)}</data></file:content></schema>`
    const answer = await drop({ 'a/document.xml': xml('a', content) })
    assert.equal(answer.status, 200, answer.text)
    const { uid } = jsonOf(answer)
    const { properties } = requireStatus(200, await server.as('Administrator').get(`/id/${uid}`, { properties: 'file' }))
    assert.equal(properties['file:content'].length, '6900000')
  })
})
