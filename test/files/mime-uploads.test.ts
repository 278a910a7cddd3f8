import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { beginBatch, fileOf } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const pdf = '%PDF-1.7\n'

onEachServer('the types of files that were uploaded', (server) => {
  const bench = workbenchOn(server)
  const typeAfter = async (content: string, headers: { [name: string]: string }) => {
    const batch = await beginBatch(server)
    assert.equal((await batch.send(0, content, headers)).status, 201)
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
    return (await bench.readProperties(uid))['file:content']['mime-type']
  }

  const rows: readonly [what: string, content: string, headers: { [name: string]: string }, type: string][] = [
    [
      'pdf for a type is the type with its first half',
      'no PDF',
      { 'X-File-Name': 'file.pdf', 'X-File-Type': 'pdf' },
      'application/pdf',
    ],
    ['without a type the name says it, whatever the bytes are', 'no PDF', { 'X-File-Name': 'file.pdf' }, 'application/pdf'],
    ['an empty type is none', 'no PDF', { 'X-File-Name': 'file.pdf', 'X-File-Type': '' }, 'application/pdf'],
    ['without a type and a name that says it the bytes do', pdf, { 'X-File-Name': 'plan' }, 'application/pdf'],
    ['without a type and a name the bytes say it', pdf, {}, 'application/pdf'],
    ['another name of a type becomes the one that is stored', 'x', { 'X-File-Type': 'image/pjpeg' }, 'image/jpeg'],
    [
      'a type that nobody knows is kept',
      pdf,
      { 'X-File-Name': 'a.pdf', 'X-File-Type': 'application/x-unheard' },
      'application/x-unheard',
    ],
    ['nothing at all is any bytes', '', {}, 'application/octet-stream'],
  ]
  for (const [what, content, headers, type] of rows) {
    test(`5.3 ${what}`, async () => assert.equal(await typeAfter(content, headers), type))
  }

  test('5.3 a part of a form without a type is known by its name once it is saved', async () => {
    const batch = await beginBatch(server)
    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n'
    await batch.send(0, form, { 'content-type': 'multipart/form-data; boundary=b' })
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
    const { name, 'mime-type': type } = (await bench.readProperties(uid))['file:content']
    assert.deepEqual([name, type], ['a.txt', 'text/plain'])
  })

  test('5.3 a file that takes the place of another is known by its name', async () => {
    const { uid } = await bench.create('File')
    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="plan"\r\n\r\n%PDF-1.7\r\n--b--\r\n'
    const { status } = await server.as('Administrator').call('PUT', `api/v1/id/${uid}/@blob/file:content`, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: form,
    })
    assert.equal(status, 200)
    const properties = await bench.readProperties(uid)
    assert.deepEqual([properties['file:content']['mime-type'], properties['common:icon']], ['application/pdf', '/icons/pdf.png'])
  })
})
