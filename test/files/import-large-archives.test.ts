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

  test('let others be answered while a hundred thousand elements are read', async () => {
    const subjects = `<schema name="dublincore"><dc:subjects>${'<i>a</i>'.repeat(199_000)}</dc:subjects></schema>`
    const file = {
      'a/document.xml': xml('a', subjects),
      'b/document.xml': xml('b', subjects),
      'c/document.xml': xml('c', subjects),
    }
    const longest = watchTurns()
    const answer = await drop(file)
    const milliseconds = longest()
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, /more than 500000 elements of XML/)
    assert.ok(milliseconds < 250, `others waited for ${milliseconds} ms of work`)
  })

  test('are refused before the texts of many fill the memory', async () => {
    const text = 'x'.repeat(8_000_000)
    const description = `<schema name="dublincore"><dc:description>${text}</dc:description></schema>`
    const documents = Array.from({ length: 8 }, (_, n) => [`d${n}/document.xml`, xml(`d${n}`, description)] as const)
    const answer = await drop(Object.fromEntries(documents))
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, /more than 30000000 characters of XML/)
  })
})

/** Gives the function that tells the longest that this thread was at work in one turn; what others of the machine do counts for nothing. */
function watchTurns(): () => number {
  let before = process.threadCpuUsage()
  let longest = 0
  let turn = setImmediate(look)
  function look() {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
    turn = setImmediate(look)
  }
  return () => {
    clearImmediate(turn)
    return longest
  }
}
