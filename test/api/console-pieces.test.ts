import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import invoices from '../../examples/invoices/invoices.ts'
import { defineDocumentType, definePlugin } from '../../src/index.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'

describe('what plugins add to the console', () => {
  let server: TestServer
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-pieces-'))
    await mkdir(join(folder, 'own/deep'), { recursive: true })
    await writeFile(join(folder, 'secret.js'), 'secret')
    for (const name of ['piece.js', 'deep/part.mjs', 'settings.ts', 'page.html', '.hidden.js'])
      await writeFile(join(folder, 'own', name), `// ${name}`)
    await symlink('../secret.js', join(folder, 'own/link.js'))
    const guarded = definePlugin({
      name: 'guarded',
      requires: ['invoices'],
      documentTypes: [defineDocumentType('CreditNote', { extends: 'Invoice' })],
      console: {
        folder: pathToFileURL(`${join(folder, 'own')}/`),
        pages: [{ name: 'board', label: 'Board', file: 'piece.js', groups: ['powerusers'] }],
      },
    })
    server = await startTestServer({ plugins: [invoices, guarded] })
    await server.addUser('bob', ['members'])
    await server.addUser('ann', ['powerusers'])
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const pieces = async (user = 'Administrator') => (await server.as(user).get('/console')).body
  const fetchFile = (address: string, { user = 'bob', headers = {} }: { user?: string; headers?: Record<string, string> } = {}) =>
    fetch(new URL(address, server.url), {
      headers: { Authorization: `Basic ${btoa(`${user}:${user}`)}`, ...headers },
    })
  const versionOf = async (plugin: string): Promise<string> => {
    const { widgets, pages } = await pieces()
    return [...widgets, ...pages].find((one) => one.plugin === plugin).address.split('/')[3]
  }

  test('is told with all texts in both languages, and for a type with those that extend it', async () => {
    const { apiVersion, layouts, tabs, actions, widgets } = await pieces('bob')
    assert.equal(apiVersion, 1)
    const [layout] = layouts
    assert.deepEqual(layout.types, ['Invoice', 'CreditNote'])
    assert.deepEqual(layout.groups[0].label, { en: 'Invoice', fr: 'Facture' })
    assert.deepEqual(layout.groups[0].fields[0], { field: 'dc:title', width: 'full' })
    assert.equal(layout.groups[0].fields[2].widget, 'amount-field')
    assert.deepEqual(layout.columns[0], {
      field: 'inv:customer',
      schema: 'invoice',
      width: 160,
      isSortable: true,
      label: { en: 'Customer', fr: 'Client' },
    })
    assert.deepEqual(tabs[0].when, { type: ['Invoice', 'CreditNote'] })
    assert.deepEqual(actions[0].when, { all: [{ type: ['Invoice', 'CreditNote'] }, { state: 'open' }] })
    assert.match(widgets[0].address, /^ui\/pieces\/invoices\/[\w-]{22}\/amount-field\.js$/)
  })

  test('names a page only to whom it is for, and to administrators', async () => {
    const pagesOf = async (user: string) => (await pieces(user)).pages.map(({ name }: { name: string }) => name)
    assert.deepEqual(await pagesOf('bob'), ['late'])
    assert.deepEqual(await pagesOf('ann'), ['late', 'board'])
    assert.deepEqual(await pagesOf('Administrator'), ['late', 'board'])
  })

  test('is for those who have signed in', async () => {
    const address = `ui/pieces/guarded/${await versionOf('guarded')}/piece.js`
    for (const path of ['api/v1/console', address]) {
      const { status } = await fetch(new URL(path, server.url), { redirect: 'manual' })
      assert.ok([401, 302].includes(status), `${path}: ${status}`)
    }
  })

  test('comes as files that a browser keeps for good, as no other type and under no weaker policy', async () => {
    const address = `ui/pieces/guarded/${await versionOf('guarded')}/deep/part.mjs`
    const answer = await fetchFile(address)
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), '// deep/part.mjs')
    assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable')
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
    const etag = answer.headers.get('etag') ?? ''
    assert.equal((await fetchFile(address, { headers: { 'If-None-Match': etag } })).status, 304)
  })

  const foreign = [
    '../secret.js',
    '..%2fsecret.js',
    '%2e%2e/secret.js',
    'deep/..%2f..%2fsecret.js',
    '..%5csecret.js',
    'link.js',
    '.hidden.js',
    'settings.ts',
    'page.html',
    'deep',
    'piece.js%00.png',
    'amount-field.js',
  ]
  for (const file of foreign) {
    test(`leaves alone what is no file for browsers of the plugin: ${file}`, async () => {
      const version = await versionOf('guarded')
      const answer = await fetchFile(`ui/pieces/guarded/${version}/${file}`, { user: 'Administrator' })
      const text = await answer.text()
      assert.notEqual(text, 'secret')
      // An address that leaves the folder altogether is one of the console itself, which shows its page.
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
      assert.ok(isPage || [400, 404].includes(answer.status), `${answer.status} ${text}`)
    })
  }

  test('has another address when a file has changed, and answers at the earlier one with what there is now', async () => {
    const before = await versionOf('guarded')
    await writeFile(join(folder, 'own/piece.js'), '// changed')
    const now = await versionOf('guarded')
    assert.notEqual(now, before)
    const earlier = await fetchFile(`ui/pieces/guarded/${before}/piece.js`)
    assert.equal(await earlier.text(), '// changed')
    assert.equal(earlier.headers.get('cache-control'), 'no-cache')
    const later = await fetchFile(`ui/pieces/guarded/${now}/piece.js`)
    assert.match(later.headers.get('cache-control') ?? '', /immutable/)
  })
})
