import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { engines } from '../support/database-place.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { onEachServer } from '../support/servers.ts'
import { basic, send } from '../support/tiny-server.ts'

interface Asked {
  readonly headers?: { readonly [name: string]: string }
  readonly password?: string
}

const ask = (server: TestServer, { headers = {}, password = 'Administrator' }: Asked) =>
  send(Number(new URL(server.url).port), 'GET', '/api/v1/path/', {
    user: null,
    headers: { authorization: basic('Administrator', password), ...headers },
  })

const statusOf = async (server: TestServer, asked: Asked) => (await ask(server, asked)).status

async function changePassword(server: TestServer, password: string, now = 'Administrator'): Promise<void> {
  const { status, text } = await send(Number(new URL(server.url).port), 'PUT', '/api/v1/user/Administrator', {
    user: null,
    headers: { authorization: basic('Administrator', now), 'content-type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'user', id: 'Administrator', properties: { password } }),
  })
  assert.equal(status, 200, text)
}

const foreign: readonly (readonly [what: string, headers: { readonly [name: string]: string }])[] = [
  ['another name', { host: 'evil.example' }],
  ['another name with a port', { host: 'evil.example:8080' }],
  ['a name that begins like a loopback address', { host: '127.0.0.1.evil.example' }],
  ['a name that ends like localhost', { host: 'notlocalhost' }],
  ['an address of another machine', { host: '192.0.2.1' }],
  ['a short form of an address', { host: '127.1' }],
  ['what is no name', { host: 'localhost@evil' }],
  ['a forwarded name', { 'x-forwarded-host': 'evil.example' }],
  ['a forwarded name before ours', { 'x-forwarded-host': 'evil.example, localhost' }],
  ['a virtual host', { 'platform-virtual-host': 'http://evil.example/' }],
  ['a virtual host in the words of another deployment', { 'other-virtual-host': 'http://evil.example/' }],
  ['a virtual host that is no address', { 'platform-virtual-host': 'http' }],
]

const own = ['localhost', 'LOCALHOST:8080', 'localhost.', '127.0.0.1', '127.8.7.6:1', '[::1]', '[::1]:8080']

onEachServer('while the administrator has the default password', (server) => {
  for (const [what, headers] of foreign) {
    test(`${what} is not answered`, async () => {
      const { status, json } = await ask(server, { headers: { accept: 'application/json', ...headers } })
      assert.equal(status, 421)
      assert.match(String(json?.['message']), /does not answer to the host name .*--allowed-hosts, or change the password/)
    })
  }
  test('not even what needs no password is told to another name', async () => {
    const { status } = await send(Number(new URL(server.url).port), 'GET', '/runningstatus', {
      user: null,
      headers: { host: 'evil.example' },
    })
    assert.equal(status, 421)
  })
  for (const host of own) {
    test(`${host} is answered`, async () => {
      assert.equal(await statusOf(server, { headers: { host } }), 200)
      assert.equal(await statusOf(server, { headers: { 'x-forwarded-host': host } }), 200)
    })
  }
})

onEachServer(
  'with --allowed-hosts',
  (server) => {
    test('the named hosts are answered, with the default password and with another', async () => {
      for (const host of ['dms.example.com', 'DMS.example.com:443', 'a.b.example.org', 'localhost']) {
        assert.equal(await statusOf(server, { headers: { host } }), 200, host)
      }
      for (const host of ['example.com', 'example.org', 'evilexample.org', 'evil.example']) {
        assert.equal(await statusOf(server, { headers: { host } }), 421, host)
      }
      await changePassword(server, 'its own')
      assert.equal(await statusOf(server, { headers: { host: 'dms.example.com' }, password: 'its own' }), 200)
      assert.equal(await statusOf(server, { headers: { host: 'evil.example' }, password: 'its own' }), 421)
    })
  },
  { settings: { allowedHosts: ['dms.example.com', '*.example.org'] } },
)

onEachServer(
  'from a proxy that is not among --trusted-proxies',
  (server) => {
    test('forwarded headers are passed over', async () => {
      const { status, text } = await ask(server, {
        headers: { 'x-forwarded-host': 'evil.example', 'platform-virtual-host': 'http://evil.example/', properties: 'file' },
      })
      assert.equal(status, 200)
      assert.doesNotMatch(text, /evil/)
    })
  },
  { settings: { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] } },
)

describe('a change of the password', () => {
  for (const engine of engines) {
    test(`counts at once, whichever process made it (${engine})`, async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
      const settings = { data: folder, ...(await databaseSettings(engine)) }
      const asked = await startTestServer({ settings })
      const other = await startTestServer({ settings })
      context.after(async () => {
        await Promise.all([asked.stop(), other.stop()])
        await rm(folder, { recursive: true, force: true })
      })
      const headers = { host: 'dms.example.com' }
      assert.equal(await statusOf(asked, { headers }), 421)
      await changePassword(asked, 'its own')
      assert.equal(await statusOf(asked, { headers, password: 'its own' }), 200)
      await changePassword(other, 'Administrator', 'its own')
      assert.equal(await statusOf(asked, { headers }), 421)
      await changePassword(other, 'another')
      assert.equal(await statusOf(asked, { headers, password: 'another' }), 200)
    })
  }
})
