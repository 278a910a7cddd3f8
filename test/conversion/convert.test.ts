import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '6.1 @convert',
  (server) => {
    const bench = workbenchOn(server)

    async function aFile(content: string | Uint8Array, facts: Parameters<typeof attach>[3]): Promise<string> {
      const { uid } = await bench.create('File', { 'dc:title': 'file' })
      await attach(server, uid, content, facts)
      return uid
    }
    const aText = () => aFile('a <small> text', { name: 'small.txt', 'mime-type': 'text/plain' })
    const convert = (uid: string, query: string, asked?: Parameters<typeof download>[2]) =>
      download(server, `api/v1/id/${uid}/@convert${query}`, asked)
    const messageOf = ({ text }: { readonly text: string }) => String(JSON.parse(text).message)

    describe('of a small text into HTML', () => {
      for (const query of ['?format=html', '?type=text/html', '?converter=any2html']) {
        test(`by ${query}`, async () => {
          const { status, headers, text } = await convert(await aText(), query)
          assert.equal(status, 200, text)
          assert.match(text, /<html[\s\S]*a &lt;small&gt; text/)
          assert.match(headers.get('content-type') ?? '', /^text\/html/)
          assert.match(headers.get('content-disposition') ?? '', /small\.html/)
          assert.equal(headers.get('last-modified'), null)
        })
      }

      test('of a file that is named by its place', async () => {
        const answer = await download(server, `api/v1/id/${await aText()}/@blob/file:content/@convert?format=html`)
        assert.deepEqual([answer.status, /a &lt;small&gt; text/.test(answer.text)], [200, true])
      })

      test('of the text of a note', async () => {
        const { uid } = await bench.create('Note', { 'dc:title': 'note', 'note:note': 'noted', 'note:mime_type': 'text/plain' })
        const answer = await convert(uid, '?format=html')
        assert.deepEqual([answer.status, /noted/.test(answer.text)], [200, true])
      })

      test('of a form that is posted', async () => {
        const answer = await convert(await aText(), '', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'format=html&converter=&type=',
        })
        assert.deepEqual([answer.status, /a &lt;small&gt; text/.test(answer.text)], [200, true], answer.text)
      })
    })

    describe('is refused', () => {
      const refusals: [query: string, status: number, words: RegExp][] = [
        ['', 400, /converter, type and format/],
        ['?converter=', 400, /converter, type and format/],
        ['?converter=any2html&type=text/html', 400, /converter and type/],
        ['?format=unheard', 400, /unheard/],
        ['?converter=unheard', 404, /is not registered/],
        ['?type=application/x-unheard', 400, /application\/x-unheard/],
      ]
      for (const [query, status, words] of refusals) {
        test(`with ${query || 'nothing'}`, async () => {
          const answer = await convert(await aText(), query)
          assert.equal(answer.status, status, answer.text)
          assert.match(messageOf(answer), words)
        })
      }

      test('of a file that the converter does not take, naming both', async () => {
        const uid = await aFile('GIF89a', { name: 'a.gif', 'mime-type': 'image/gif' })
        const answer = await convert(uid, '?converter=any2html')
        assert.equal(answer.status, 400)
        assert.match(messageOf(answer), /any2html.*image\/gif/)
      })

      test('of a document without a file', async () => {
        const { uid } = await bench.create('Folder', { 'dc:title': 'folder' })
        assert.equal((await convert(uid, '?format=html')).status, 400)
      })
    })

    describe('6.6 asynchronously', () => {
      const schedule = (uid: string, body: string, place = 'api/v1') =>
        download(server, `${place}/id/${uid}/@convert`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        })

      test('is answered at once, polled, and fetched as often as wanted', async () => {
        const scheduled = await schedule(await aText(), 'format=html&async=true')
        assert.equal(scheduled.status, 202, scheduled.text)
        const { conversionId, pollingURL, resultURL, ...rest } = JSON.parse(scheduled.text)
        assert.deepEqual(rest, { 'entity-type': 'conversionScheduled' })
        assert.equal(scheduled.headers.get('location'), pollingURL)
        assert.equal(pollingURL, `${server.url}api/v1/conversions/${conversionId}/poll`)
        assert.equal(resultURL, `${server.url}api/v1/conversions/${conversionId}/result`)
        let status = ''
        while (status !== 'completed') {
          const polled = await download(server, pollingURL)
          assert.equal(polled.status, 200, polled.text)
          const body = JSON.parse(polled.text)
          assert.ok(['scheduled', 'running', 'completed'].includes(body.status))
          assert.deepEqual(body, { 'entity-type': 'conversionStatus', conversionId, status: body.status, resultURL })
          status = body.status
        }
        for (const _ of [1, 2]) assert.match((await download(server, resultURL)).text, /a &lt;small&gt; text/)
      })

      test('has addresses of the form that the request had', async () => {
        const scheduled = await schedule(await aText(), 'format=html&async=true', 'site/api/v1')
        assert.match(JSON.parse(scheduled.text).pollingURL, /\/site\/api\/v1\/conversions\/.*\/poll$/)
      })

      test('tells at once what cannot be', async () => {
        assert.equal((await schedule(await aText(), 'async=true')).status, 400)
        assert.equal((await schedule(await aText(), 'async=true&converter=unheard')).status, 404)
      })

      test('is not there when it was never asked for, or by somebody else', async () => {
        assert.equal((await download(server, 'api/v1/conversions/unheard/poll')).status, 404)
        assert.equal((await download(server, 'api/v1/conversions/unheard/result')).status, 404)
        await server.addUser('eve')
        const { pollingURL, resultURL } = JSON.parse((await schedule(await aText(), 'format=html&async=true')).text)
        for (const url of [pollingURL, resultURL]) assert.equal((await download(server, url, { user: 'eve' })).status, 404)
      })
    })
  },
  { settings: { conversionPath: '/nowhere' } },
)
