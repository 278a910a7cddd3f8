import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { everyCsvLine } from '../../src/base/csv/csv-records.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { bulkOn } from '../support/bulk.ts'
import { download } from '../support/files.ts'
import { callForFile, callWithFiles, jsonOf } from '../support/operation-files.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'
import { readArchived } from '../support/zip-archive.ts'

async function rowsOf(text: string): Promise<readonly { readonly [column: string]: string }[]> {
  const pieces = (async function* () {
    yield text
  })()
  const [header, ...lines] = await Array.fromAsync(everyCsvLine(pieces, { maxCells: 1_000, maxLength: 1_000_000 }))
  return lines.map(({ cells }) => Object.fromEntries((header?.cells ?? []).map((column, index) => [column, cells[index] ?? ''])))
}

onEachServer('the bulk action csvExport', (server) => {
  const { bench, run, start, filesInFolder } = bulkOn(server)
  before(() => server.addUser('bob', ['members']))
  const fetched = async (url: string, user = 'bob') => download(server, new URL(url).pathname.slice(1), { user })
  const exported = async (query: string, parameters: object = {}) => {
    const status = await run({ action: 'csvExport', query, parameters: JSON.stringify(parameters) })
    assert.deepEqual(
      [status.state, status.error, typeof status.result?.url],
      ['COMPLETED', false, 'string'],
      JSON.stringify(status),
    )
    return fetched(status.result.url)
  }

  test('writes a line for each document, with its place, its type and its Dublin Core', async () => {
    const { folder, files, query } = await filesInFolder(3)
    await bench.update(files[0].uid, { 'dc:subjects': ['art/comics', 'art/culture'], 'dc:description': 'a, "b"\nc\\d' })
    const { status, headers, text } = await exported(query)
    assert.deepEqual(
      [status, headers.get('content-type'), headers.get('content-disposition')],
      [200, 'text/csv;charset=UTF-8', 'attachment; filename=export.csv'],
    )
    assert.match(text, /^name,type,ecm:uuid,ecm:path,ecm:lifeCycleState,ecm:versionLabel,ecm:isVersion,/)
    const row = (await rowsOf(text)).find((one) => one['ecm:uuid'] === files[0].uid)
    assert.deepEqual(
      [row?.['ecm:path'], row?.['type'], row?.['dc:title'], row?.['dc:subjects'], row?.['dc:description']],
      [`${folder.path}/f0`, 'File', 'file 0', 'art/comics|art/culture', 'a, "b"\nc\\d'],
    )
    assert.equal((await rowsOf(text)).length, 3)
  })

  test('can be fetched once, and counts the documents it has read', async () => {
    const { query } = await filesInFolder(2)
    const { result, processed, total } = await run({ action: 'csvExport', query })
    assert.deepEqual([processed, total], [2, 2])
    assert.equal((await fetched(result.url)).status, 200)
    assert.equal((await fetched(result.url)).status, 404)
  })

  test('has the columns that are asked for, and is packed when that is wanted', async () => {
    const { files, query } = await filesInFolder(1)
    const { bytes, headers } = await exported(query, { xpaths: ['dc:title', 'files:files'], schemas: ['uid'], zip: true })
    assert.equal(headers.get('content-type'), 'application/zip')
    const [row] = await rowsOf(readArchived(bytes, 'export.csv').text)
    assert.equal(row?.['dc:title'], 'file 0')
    assert.equal(row?.['files:files'], '')
    assert.equal('dc:description' in (row ?? {}), false)
    assert.equal(row?.['ecm:uuid'], files[0].uid)
  })

  test('has the numbers of versions, of what can have versions', async () => {
    const { folder, files } = await filesInFolder(1)
    await bench.change(files[0].uid, { majorVersion: 2, minorVersion: 3 })
    const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}' OR ecm:uuid = '${folder.uid}'`
    const rows = await rowsOf((await exported(query, { schemas: ['uid'] })).text)
    const numbers = rows.map((row) => [row['type'], row['uid:major_version'], row['uid:minor_version']]).toSorted()
    assert.deepEqual(numbers, [
      ['File', '2', '3'],
      ['Folder', '', ''],
    ])
  })

  test('has no cell that a spreadsheet takes for a formula, and is read back as it was', async () => {
    const { folder, files, query } = await filesInFolder(1)
    const titles = ['=cmd|x!A1', '+1', '-1', '@SUM(A1)', "'=quoted", '\t=tab', 'plain']
    for (const [index, title] of titles.entries()) {
      await bench.update(files[0].uid, { 'dc:title': title, 'dc:description': `-${index}` })
      const { text } = await exported(query)
      for (const row of await rowsOf(text)) {
        assert.doesNotMatch(row['dc:title'] ?? '', /^[=+\-@\t]/)
        assert.equal(row['dc:description'], `'-${index}`)
      }
      await bench.update(files[0].uid, { 'dc:title': 'overwritten' })
      const csv = { name: 'export.csv', content: text, type: 'text/csv' }
      const answer = await callWithFiles(server, 'CSV.Import', [csv], { params: { path: '/', documentMode: true } })
      assert.equal(answer.status, 200, answer.text)
      await untilIdle(server)
      const log = jsonOf(await callForFile(server, 'CSV.ImportLog', { input: jsonOf(answer).value })).value
      assert.deepEqual(
        log.map((line: { status: string; message: string }) => [line.status, line.message]),
        [['SUCCESS', `${folder.path}/f0 was updated.`]],
      )
      assert.equal((await bench.readProperties(files[0].uid))['dc:title'], title)
    }
  })

  test('is told how it can be imported where ids are not kept', async () => {
    const { query } = await filesInFolder(1)
    const csv = { name: 'export.csv', content: (await exported(query)).text, type: 'text/csv' }
    const answer = await callWithFiles(server, 'CSV.Import', [csv], { params: { path: '/' } })
    await untilIdle(server)
    const [line] = jsonOf(await callForFile(server, 'CSV.ImportLog', { input: jsonOf(answer).value })).value
    assert.match(line.message, /documentMode .* Send that, or leave the column ecm:uuid empty/)
  })

  test('has nothing that the user who asked for it may not read', async () => {
    const { files, query } = await filesInFolder(3)
    await bench.restrict(files[1].uid)
    const { text } = await exported(query)
    assert.deepEqual((await rowsOf(text)).map((row) => row['ecm:uuid']).toSorted(), [files[0].uid, files[2].uid].toSorted())
    await bench.restrict(files[0].uid, grant('bob', 'Browse'))
    const less = await exported(query)
    assert.deepEqual(
      (await rowsOf(less.text)).map((row) => row['ecm:uuid']),
      [files[2].uid],
    )
  })

  describe('is refused at once', () => {
    const wrong: readonly [parameters: object, message: RegExp][] = [
      [{ schemas: ['nonsense'] }, /there is no nonsense/],
      [{ schemas: 7 }, /schemas of csvExport must be a list/],
      [{ xpaths: [{}] }, /xpaths of csvExport must be a list/],
      [{ xpaths: ['no:field'] }, /no:field/],
      [{ zip: 'yes' }, /zip of csvExport must be true or false/],
      [{ xpaths: Array.from({ length: 1_001 }, (_, index) => `files:files/${index}/file`) }, /no more than 1000/],
    ]
    for (const [parameters, message] of wrong) {
      test(`with ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
        assertRefused(await server.as('bob').post('/search/bulk/csvExport?query=SELECT * FROM File', parameters), 400, message)
      })
    }
  })

  test('of nothing is a header alone', async () => {
    const { text } = await exported("SELECT * FROM File WHERE dc:title = 'there is none'", { xpaths: ['dc:title'] })
    assert.match(text, /^name,[^\r\n]*,dc:title\r\n$/)
  })

  test('is given up when its user aborts it', async () => {
    const { query } = await filesInFolder(1)
    const { commandId } = await start({ action: 'csvExport', query })
    requireStatus(200, await server.as('bob').put(`/bulk/${commandId}/abort`, {}))
    await untilIdle(server)
    const status = requireStatus(200, await server.as('bob').get(`/bulk/${commandId}`))
    assert.ok(['ABORTED', 'COMPLETED'].includes(status.state))
  })
})
