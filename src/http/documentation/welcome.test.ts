import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

for (const basePath of ['', '/our/dms']) {
  describe(`the page at the server's own address${basePath && ` below ${basePath}`}`, () => {
    let server: TinyServer
    before(async () => {
      server = await startTinyServer({ settings: { basePath } })
    })
    after(() => server.http.stop())
    const addresses = basePath === '' ? ['/'] : ['/', basePath, `${basePath}/`]
    const ask = (path: string, accept: string | undefined, method = 'GET', host = '127.0.0.1:8080') =>
      server.send(method, path, { user: null, headers: { host, ...(accept !== undefined && { accept }) } })

    for (const path of addresses) {
      test(`tells a person at ${path} where to go on, without a login`, async () => {
        const { status, text, headers } = await ask(path, browser)
        assert.equal(status, 200)
        assert.equal(headers['content-type'], 'text/html;charset=UTF-8')
        assert.ok(text.includes(`curl -u Administrator http://127.0.0.1:8080${basePath}/api/v1/path/default-domain<`), text)
        const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => new URL(link, `http://q${path}`).href)
        assert.deepEqual(links, [`http://q${basePath}/api/v1/doc/`, `http://q${basePath}/api/v1/openapi.json`])
        for (const link of links) assert.equal((await ask(new URL(link).pathname, browser)).status, 200, link)
      })

      for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/plain, */*']) {
        test(`tells a program at ${path} that accepts ${accept ?? 'anything'} that there is nothing`, async () => {
          const { status, json } = await ask(path, accept)
          assert.equal(status, 404)
          assert.match(String(json?.['message']), /^Nothing found at /)
        })
      }
    }

    test('runs no script and loads nothing, and its style is the only one that counts', async () => {
      const { text, headers } = await ask('/', browser)
      const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? []
      assert.equal(
        headers['content-security-policy'],
        `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`,
      )
      assert.doesNotMatch(text, /<script|<link|<img|@import|url\(|\sstyle=|\son\w+=/)
      assert.match(text, /<meta name="viewport"/)
      assert.match(style, /color-scheme: light dark/)
    })

    test('is for reading alone', async () => {
      assert.equal((await ask('/', browser, 'HEAD')).status, 200)
      for (const method of ['POST', 'PUT', 'DELETE']) assert.equal((await ask('/', browser, method)).status, 404, method)
    })

    test('is nowhere else', async () => {
      for (const path of ['/index.html', '/favicon.ico', `${basePath}/other`]) {
        assert.equal((await ask(path, 'text/html')).status, 404, path)
      }
    })

    test('shows nothing of a host name that is none', async () => {
      const { text } = await ask('/', browser, 'GET', '"><b>x')
      assert.ok(!text.includes('<b>x'))
    })
  })
}
