// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how templates write expressions
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { defineChain } from '../../src/automation/chain.ts'
import { required } from '../../src/automation/parameter.ts'
import { definePlugin } from '../../src/index.ts'
import { attach, download } from '../support/files.ts'
import { assertCallRefused, callForFile } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const joining = definePlugin({
  name: 'joining',
  chains: [
    defineChain({
      id: 'join',
      steps: [{ operation: 'Document.GetBlob' }, { operation: 'Blob.ConcatenatePDFs', params: { filename: 'all.pdf' } }],
    }),
    defineChain({
      id: 'renderTitle',
      steps: [{ operation: 'Render.Document', params: { template: '${Document.title}', mimetype: 'text/plain' } }],
    }),
    defineChain({
      id: 'joinBehind',
      params: { first: required('string') },
      steps: [
        { operation: 'Context.SetInputAsVar', params: { name: 'second' } },
        { operation: 'Repository.GetDocument', params: { value: 'expr:ChainParameters["first"]' } },
        { operation: 'Document.GetBlob' },
        { operation: 'Context.SetInputAsVar', params: { name: 'before' } },
        { operation: 'Context.RestoreDocumentInput', params: { name: 'second' } },
        { operation: 'Document.GetBlob' },
        { operation: 'Blob.ConcatenatePDFs', params: { filename: 'all.pdf', blob_to_append: 'before' } },
      ],
    }),
  ],
})

const json = { 'content-type': 'application/json' }

onEachServer(
  '2.5 operations that convert',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const bytesOf = (id: string, body: object) =>
      download(server, `api/v1/automation/${id}`, { method: 'POST', headers: json, body: JSON.stringify(body) })

    async function aFile(content: string | Uint8Array, name: string, type: string): Promise<string> {
      const { uid } = await bench.create('File', { 'dc:title': name })
      await attach(server, uid, content, { name, 'mime-type': type })
      return uid
    }
    async function aPdf(pages: number): Promise<string> {
      const document = await PDFDocument.create()
      for (let page = 0; page < pages; page += 1) document.addPage([100, 100 + page])
      return aFile(await document.save(), `${pages}.pdf`, 'application/pdf')
    }
    let text: string
    before(async () => {
      text = await aFile('a small text', 'small.txt', 'text/plain')
    })

    describe('Blob.Convert', () => {
      test('converts the main file of a document', async () => {
        const answer = await bytesOf('Blob.Convert', { input: `doc:${text}`, params: { mimeType: 'text/html' } })
        assert.deepEqual([answer.status, /<html[\s\S]*a small text/.test(answer.text)], [200, true], answer.text)
        assert.match(answer.headers.get('content-disposition') ?? '', /small\.html/)
      })
      test('leaves a file of that type as it is', async () => {
        const answer = await bytesOf('Blob.Convert', { input: `doc:${text}`, params: { mimeType: 'text/plain' } })
        assert.deepEqual([answer.status, answer.text], [200, 'a small text'])
      })
      test('refuses a document without a file, and a type that nobody makes', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'empty' })
        const empty = await call('Blob.Convert', { input: `doc:${uid}`, params: { mimeType: 'text/html' } })
        const unheard = await call('Blob.Convert', { input: `doc:${text}`, params: { mimeType: 'application/x-unheard' } })
        assert.deepEqual([empty.status, unheard.status], [400, 400])
      })
    })

    test('Blob.ToPDF leaves a PDF as it is, and says what is missing for others', async () => {
      const same = await bytesOf('Blob.ToPDF', { input: `doc:${await aPdf(1)}` })
      assert.deepEqual([same.status, same.bytes.toString('latin1', 0, 5)], [200, '%PDF-'])
      const missing = await call('Blob.ToPDF', { input: `doc:${text}` })
      assert.equal(missing.status, 400)
      assert.match(missing.body.message, /is not available/)
    })

    describe('Blob.RunConverter', () => {
      const run = (converter: string) =>
        download(server, `api/v1/id/${text}/@blob/file:content/@op/Blob.RunConverter`, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ params: { converter } }),
        })
      test('runs the converter that is named', async () => {
        const answer = await run('any2html')
        assert.deepEqual([answer.status, /a small text/.test(answer.text)], [200, true], answer.text)
      })
      test('says that there is no such converter, or that it does not take the file', async () => {
        const [unheard, wrong] = [await run('unheard'), await run('pdf2text')]
        assert.deepEqual([unheard.status, /is not registered/.test(unheard.text)], [404, true], unheard.text)
        assert.deepEqual([wrong.status, /pdf2text.*text\/plain/.test(wrong.text)], [400, true], wrong.text)
      })
    })

    describe('Blob.ConcatenatePDFs', () => {
      const join = (ids: readonly string[], chain = 'join') =>
        bytesOf(chain, { input: `docs:${ids.join(',')}`, params: { filename: 'all.pdf' } })
      const heights = async (bytes: Uint8Array) => (await PDFDocument.load(bytes)).getPages().map((page) => page.getHeight())

      test('joins the pages of files in their order', async () => {
        const answer = await join([await aPdf(2), await aPdf(3)])
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(await heights(answer.bytes), [100, 101, 100, 101, 102])
        assert.equal(answer.headers.get('content-type'), 'application/pdf')
        assert.match(answer.headers.get('content-disposition') ?? '', /all\.pdf/)
      })
      test('puts the file of a variable first', async () => {
        const [first, second] = [await aPdf(1), await aPdf(3)]
        const answer = await bytesOf('joinBehind', { input: `doc:${second}`, params: { first } })
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(await heights(answer.bytes), [100, 100, 101, 102])
      })
      test('leaves one alone as it is, and refuses what is no PDF', async () => {
        const alone = await join([await aPdf(2)])
        assert.deepEqual(await heights(alone.bytes), [100, 101])
        assert.equal((await join([await aPdf(2), text])).status, 400)
      })
    })

    describe('Render.Document', () => {
      const render = (template: string, params: object = {}, user = 'Administrator') =>
        callForFile(server, 'Render.Document', { input: text, params: { template, ...params } }, { user })

      test('fills a template with a document', async () => {
        const answer = await render('<t>${Document.title}, ${CurrentUser.name}</t>', { filename: 'a.xml' })
        assert.deepEqual([answer.status, answer.text], [200, '<t>small.txt, Administrator</t>'])
        assert.match(answer.headers.get('content-type') ?? '', /^text\/xml/)
        assert.match(answer.headers.get('content-disposition') ?? '', /a\.xml/)
        const other = await render('@{Document.title}', { type: 'mvel', mimetype: 'text/plain' })
        assert.deepEqual([other.status, other.text], [200, 'small.txt'])
      })
      test('knows those in the folder of the server by their names', async () => {
        const answer = await render('template:cover.ftl')
        assert.deepEqual([answer.status, answer.text.trim()], [200, '<cover>none</cover>'])
        for (const name of ['unheard', '../operations.test.ts', '.', ''])
          assertCallRefused(await render(`template:${name}`), 400, /There is no template/)
      })
      test('takes a template of the caller from administrators alone, and from chains', async () => {
        await server.addUser('ann', ['members', 'administrators-of-nothing'])
        assertCallRefused(await render('${Document.title}', {}, 'ann'), 403, /Only administrators and chains/)
        const named = await render('template:cover.ftl', {}, 'ann')
        assert.equal(named.status, 200, named.text)
        const declared = await callForFile(server, 'renderTitle', { input: text }, { user: 'ann' })
        assert.deepEqual([declared.status, declared.text], [200, 'small.txt'])
      })
      test('says what is wrong with a template', async () => {
        assertCallRefused(await render('\n<#if true>'), 400, /The template is wrong in line 2: a condition has no end/)
        assertCallRefused(await render('${Document.'), 400, /./)
        assertCallRefused(await render('<#list 3 as x></#list>'), 400, /3 in the template is no list/)
        assertCallRefused(await render('a', { type: 'perl' }), 400, /type must be one of ftl, mvel/)
      })
    })

    test('Render.DocumentFeed fills one template with all documents, in the charset that is asked for', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'caf\u00e9' })
      const template = '<#list Documents as d>[${d.title}]</#list>'
      const feed = (params: object) =>
        callForFile(server, 'Render.DocumentFeed', { input: `docs:${text},${uid}`, params: { template, ...params } })
      assert.equal((await feed({})).text, '[small.txt][caf\u00e9]')
      const latin = await feed({ charset: 'ISO-8859-1' })
      assert.equal(latin.bytes.toString('latin1'), '[small.txt][caf\u00e9]')
      assertCallRefused(await feed({ charset: 'EBCDIC' }), 400, /charset must be UTF-8 or ISO-8859-1/)
    })
  },
  { settings: { conversionPath: '/nowhere', renderTemplates: join(import.meta.dirname, 'templates') }, plugins: [joining] },
)
