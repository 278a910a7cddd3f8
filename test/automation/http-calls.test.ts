import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createEncryptedServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { defineOperation } from '../../src/automation/operation.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { certificateFiles } from '../support/encrypted-call.ts'
import { assertCallRefused, callForFile } from '../support/operation-files.ts'
import type { OperationBody } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

interface Asked {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const asked: Asked[] = []

const answer: RequestListener = async (request, response) => {
  asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await readText(request) })
  const { pathname } = new URL(request.url ?? '/', 'http://here')
  if (pathname === '/silent') return
  if (pathname === '/led') response.writeHead(302, { location: '/elsewhere' }).end()
  else if (pathname === '/missing') response.writeHead(404).end('not here')
  else if (pathname === '/large') response.end(Buffer.alloc(4_000_000))
  else {
    const named = pathname === '/named' ? { 'content-disposition': 'attachment; filename="../../of it.txt"' } : {}
    response.writeHead(200, { 'content-type': 'text/x-answer', ...named }).end(`at ${pathname}`)
  }
}

const plain = createServer(answer)
const encrypted = createEncryptedServer(
  { cert: readFileSync(certificateFiles.certificate), key: readFileSync(certificateFiles.key) },
  answer,
)
const portOf = (server: Server) => (server.address() as AddressInfo).port
const at = (path: string, host = '127.0.0.1') => `http://${host}:${portOf(plain)}${path}`

before(async () => {
  plain.listen(0)
  encrypted.listen(0)
  await Promise.all([once(plain, 'listening'), once(encrypted, 'listening')])
})
after(() => {
  for (const server of [plain, encrypted]) {
    server.closeAllConnections()
    server.close()
  }
})

const giveAnswer = { operation: 'Context.RestoreBlobInput', params: { name: 'answer' } }
const keep = (value: string) => ({ operation: 'Context.SetVar', params: { name: 'answer', value: `expr:${value}` } })
const write = { operation: 'Document.SetProperty', params: { xpath: 'dc:description', value: 'expr:"got " + answer.length' } }
const restore = { operation: 'Context.RestoreDocumentInput', params: { name: 'target' } }

const chains = [
  defineChain({ id: 'http.get', steps: [keep('HTTP.get(address)'), giveAnswer] }),
  defineChain({
    id: 'http.all',
    steps: [
      keep('HTTP.get(address, ["params": ["q": ["a b", "c"]], "headers": ["X-Key": "k"]])'),
      keep('HTTP.post(address, ["a": 1], ["auth": ["method": "basic", "username": "me", "password": "pw"]])'),
      keep('HTTP.put(address, "text", ["headers": ["Content-Type": "text/csv"]])'),
      keep('HTTP.delete(address)'),
      keep('HTTP.call("you", "secret", "post", address, ["x"], ["X-Key": "k"])'),
      keep('HTTP.call("", "", "GET", address, ["X-Key": "only"])'),
      giveAnswer,
    ],
  }),
  defineChain({ id: 'http.many', steps: Array.from({ length: 51 }, () => keep('HTTP.get(address)')) }),
  defineChain({ id: 'http.thenWrite', steps: [keep('HTTP.post(address, "x")'), restore, write] }),
  defineChain({
    id: 'http.writeFirst',
    steps: [restore, { ...write, params: { xpath: 'dc:description', value: 'lost' } }, keep('HTTP.get(address)')],
  }),
  defineChain({
    id: 'http.inWrite',
    steps: [
      restore,
      { operation: 'Document.SetProperty', params: { xpath: 'dc:description', value: 'expr:HTTP.get(address).filename' } },
    ],
  }),
  // One that waits may write: what was run before it is run once more, in a transaction.
  defineChain({
    id: 'http.twice',
    steps: [keep('HTTP.post(address, "x")'), { operation: 'HttpCalls.Write' }, restore, write],
  }),
  defineChain({ id: 'http.caught', steps: [keep('HTTP.get(address)')], catches: [{ chain: 'http.none', filter: 'true' }] }),
  defineChain({
    id: 'http.filter',
    steps: [keep('1 / "a"')],
    catches: [{ chain: 'http.none', filter: 'HTTP.get(address) != null' }],
  }),
  defineChain({ id: 'http.none', steps: [keep('"caught"')] }),
  defineChain({ id: 'http.script', access: { administrators: true }, steps: [{ operation: 'RunScript' }, giveAnswer] }),
  defineChain({ id: 'http.headers', steps: [keep('HTTP.get(address, ["headers": sent])')] }),
  defineChain({ id: 'http.file', steps: [keep('HTTP.post(address, HTTP.get(address))')] }),
]

const writeWhileWaiting = defineOperation({
  id: 'HttpCalls.Write',
  category: 'HttpCalls',
  description: 'Writes after it has waited.',
  effect: 'waits',
  params: {},
  run: ({ on }) => [
    on('void', 'void', async (_, { context }) => {
      await context.write(async ({ tx }) => void (await tx.directories.nextId('http-calls')))
    }),
  ],
})

const settings = {
  automationHttpTimeout: '1s',
  uploadMaxBytes: '1MB',
  notificationDeliveryInsecureHosts: ['127.0.0.1', '127.0.0.2', '169.254.169.254', 'no-such-host.invalid'],
  notificationDeliveryAllowedAddresses: ['127.0.0.1', '::1'],
  notificationDeliveryCertificates: join(import.meta.dirname, '../support/tls/ca.pem'),
}

onEachServer(
  '1.12 HTTP in chains and scripts',
  (server) => {
    const bench = workbenchOn(server)
    const call = (id: string, body: OperationBody = {}, user = 'Administrator') => callForFile(server, id, body, { user })
    const run = (id: string, address: string, more: object = {}, user?: string) =>
      call(id, { context: { address, ...more } }, user)
    const lines = () => asked.map(({ line }) => line)
    before(() => server.addUser('ann', ['members']))
    beforeEach(() => void asked.splice(0))

    test('gives the answer as a file, to whomever the chain is open for', async () => {
      const { status, text, headers } = await run('http.get', at('/a/b.txt'), {}, 'ann')
      assert.deepEqual([status, text], [200, 'at /a/b.txt'])
      assert.match(headers.get('content-type') ?? '', /^text\/x-answer/)
      assert.match(headers.get('content-disposition') ?? '', /b\.txt/)
      assert.match((await run('http.get', at('/named'))).headers.get('content-disposition') ?? '', /''of%20it\.txt$/)
    })

    test('sends what it is told, in each of its ways', async () => {
      assert.equal((await run('http.all', at('/x'))).text, 'at /x')
      assert.deepEqual(lines(), ['GET /x?q=a+b&q=c', 'POST /x', 'PUT /x', 'DELETE /x', 'POST /x', 'GET /x'])
      assert.deepEqual(
        asked.map(({ body }) => body),
        ['', '{"a":1}', 'text', '', '["x"]', ''],
      )
      const sent = (name: string) => asked.map(({ headers }) => headers[name])
      assert.deepEqual(sent('x-key'), ['k', undefined, undefined, undefined, 'k', 'only'])
      const [json, me, you] = ['application/json', 'Basic bWU6cHc=', 'Basic eW91OnNlY3JldA==']
      assert.deepEqual(sent('content-type'), [undefined, json, 'text/csv', undefined, json, undefined])
      assert.deepEqual(sent('authorization'), [undefined, me, undefined, undefined, you, undefined])
      assert.deepEqual([...new Set(sent('host'))], [`127.0.0.1:${portOf(plain)}`])
    })

    test('speaks TLS to those whom it trusts', async () => {
      const { text } = await run('http.get', `https://localhost:${portOf(encrypted)}/over`)
      assert.equal(text, 'at /over')
      assertCallRefused(await run('http.get', `https://127.0.0.1:${portOf(encrypted)}/`), 422, /gave no answer/)
    })

    const refusals: readonly [what: string, address: () => string, status: number, words: RegExp][] = [
      ['an address of this machine', () => at('/x', '127.0.0.2'), 400, /is not called: it is no address of the public network/],
      ['one of IPv6 that stands for it', () => `https://[::ffff:127.0.0.2]:${portOf(encrypted)}/`, 400, /is not called/],
      ['one that is only a number', () => `https://${0x7f000002}/`, 400, /is not called/],
      ['one of the network of the house', () => 'https://10.0.0.1/', 400, /is not called/],
      ['what clouds tell their machines', () => 'http://169.254.169.254/latest/meta-data', 400, /is not called/],
      ['a name that there is not, in the same words', () => 'http://no-such-host.invalid/', 400, /is not called/],
      ['a host that may not do without TLS', () => 'http://192.0.2.1/', 400, /is not encrypted, and not named/],
      ['what is neither http nor https', () => 'file:///etc/passwd', 400, /neither an http nor an https address/],
      ['an address with a password in it', () => at('/x').replace('//', '//me:secret@'), 400, /^(?!.*secret).*not passed on/],
      ['no address', () => 'nothing', 400, /needs an address/],
      ['what leads elsewhere', () => at('/led'), 400, /status 302, and nobody is led on/],
      ['what is not there', () => at('/missing?key=secret'), 400, /^(?!.*secret).*was answered with status 404/],
      ['more than may be uploaded', () => at('/large'), 413, /larger than the 10\d+ bytes/],
      ['who says nothing', () => at('/silent'), 422, /gave no answer, or not in time/],
      ['who is not there', () => 'http://127.0.0.1:1/', 422, /gave no answer/],
    ]
    for (const [what, address, status, words] of refusals) {
      test(`refuses ${what}`, async () => {
        assertCallRefused(await run('http.get', address()), status, words)
        assert.ok(!lines().includes('GET /elsewhere'))
      })
    }

    test('sends no header that says where a message ends or to whom it is, nothing that breaks a line, and no file', async () => {
      for (const sent of [{ Host: 'other' }, { 'Transfer-Encoding': 'chunked' }, { 'Proxy-Authorization': 'x' }, { 'a b': 'x' }])
        assertCallRefused(await run('http.headers', at('/x'), { sent }), 400, /HTTP does not send a header/)
      assertCallRefused(await run('http.headers', at('/x'), { sent: { 'x-a': 'b\r\nx-c: d' } }), 400, /cannot be sent/)
      assertCallRefused(await run('http.file', at('/x')), 400, /HTTP sends no files/)
      assert.deepEqual(lines(), ['GET /x'])
    })

    test('is called so many times, and no more', async () => {
      assertCallRefused(await run('http.many', at('/x')), 400, /HTTP can be called 50 times at most/)
      assert.equal(asked.length, 50)
    })

    describe('and transactions', () => {
      const describedAs = async (uid: string) => (await bench.readProperties(uid))['dc:description']

      test('calls before the first step that writes', async () => {
        const { uid } = await bench.create('Note')
        assert.equal((await run('http.thenWrite', at('/x'), { target: uid })).status, 200)
        assert.equal(await describedAs(uid), 'got 5')
        assert.deepEqual(lines(), ['POST /x'])
      })

      for (const chain of ['http.writeFirst', 'http.inWrite', 'http.caught']) {
        test(`does not call with one open, and says what to do: ${chain}`, async () => {
          const { uid } = await bench.create('Note')
          const refused = await run(chain, at('/x'), { target: uid })
          if (chain !== 'http.caught') assertCallRefused(refused, 400, /nothing may wait for that with a transaction open/)
          assert.equal(await describedAs(uid), null)
          assert.deepEqual(lines(), [])
        })
      }

      test('asks nobody twice when its steps run once more', async () => {
        const { uid } = await bench.create('Note')
        assert.equal((await run('http.twice', at('/x'), { target: uid })).status, 200)
        assert.equal(await describedAs(uid), 'got 5')
        assert.deepEqual(lines(), ['POST /x'])
      })
    })

    describe('is for those who write chains, and administrators with RunScript:', () => {
      test('a script of an administrator calls, and one that draws a number besides is told that it cannot', async () => {
        const script = 'Context["answer"] = HTTP.get(address)'
        const sent = (text: string) => ({ params: { script: text }, context: { address: at('/x') } })
        assert.equal((await call('http.script', sent(script))).text, 'at /x')
        assertCallRefused(
          await call('http.script', sent(`${script}; Fn.getNextId("n")`)),
          400,
          /Fn\.getNextId gives each number once/,
        )
        assert.equal((await call('RunScript', sent(script), 'ann')).status, 404)
        assert.equal(asked.length, 2)
      })

      const expression = () => `HTTP.get("${at('/x')}") != null`
      const doors: readonly [what: string, id: string, body: () => OperationBody][] = [
        ['a condition', 'Document.Filter', () => ({ input: '/default-domain', params: { condition: expression() } })],
        ['a template', 'Render.Document', () => ({ input: '/default-domain', params: { template: `\${${expression()}}` } })],
        ...['Document', 'Documents', 'Blob', 'Blobs'].map((kind): (typeof doors)[number] => [
          `what ${kind.toLowerCase()} to go on with`,
          `Context.Restore${kind}InputFromScript`,
          () => ({ params: { script: `expr:${expression()}` } }),
        ]),
      ]
      for (const [what, id, body] of doors) {
        test(`${what} that is sent does not (${id})`, async () => {
          const variables = { HTTP: { get: 'nothing' } }
          const refused = await call(id, body())
          assertCallRefused(refused, 400, /there is no HTTP/)
          await call(id, { ...body(), context: variables })
          assert.deepEqual(lines(), [])
        })
      }

      test('what a caller sends is a text, whatever it says', async () => {
        await run('http.get', 'expr:HTTP.get(address)')
        const params = { name: 'answer', value: `expr:HTTP.get("${at('/x')}")` }
        await call('Context.SetVar', { params })
        await call('http.none', { context: { answer: params.value } })
        assert.deepEqual(lines(), [])
      })

      test('and a condition of a chain for its failures is none that waits', async () => {
        assert.ok((await run('http.filter', at('/x'))).status >= 400)
        assert.deepEqual(lines(), [])
      })
    })
  },
  { plugins: [definePlugin({ name: 'http-calls', chains, operations: [writeWhileWaiting] })], settings },
)
