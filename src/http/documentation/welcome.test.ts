import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

for (const basePath of ['', '/our/dms']) {
  describe(`the server's own address${basePath && ` below ${basePath}`}`, () => {
    let server: TinyServer
    before(async () => {
      server = await startTinyServer({ settings: { basePath, startPage: 'ui/' } })
    })
    after(() => server.http.stop())
    const addresses = basePath === '' ? ['/'] : ['/', basePath, `${basePath}/`]
    const ask = (path: string, accept: string | undefined, method = 'GET', host = '127.0.0.1:8080') =>
      server.send(method, path, { user: null, headers: { host, ...(accept !== undefined && { accept }) } })

    for (const path of addresses) {
      test(`leads a person from ${path} to the start page, without a login`, async () => {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await ask(path, browser, method)
          assert.equal(status, 302)
          assert.equal(new URL(headers.location ?? '', `http://q${path}`).href, `http://q${basePath}/ui/`)
          assert.match(String(headers.vary), /\bAccept\b/)
        }
      })

      for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/plain, */*']) {
        test(`tells a program at ${path} that accepts ${accept ?? 'anything'} that there is nothing`, async () => {
          const { status, json } = await ask(path, accept)
          assert.equal(status, 404)
          assert.match(String(json?.['message']), /^Nothing found at /)
        })
      }
    }

    test('is for reading alone', async () => {
      for (const method of ['POST', 'PUT', 'DELETE']) assert.equal((await ask('/', browser, method)).status, 404, method)
    })

    test('is nowhere else', async () => {
      for (const path of ['/index.html', '/favicon.ico', `${basePath}/other`]) {
        assert.equal((await ask(path, 'text/html')).status, 404, path)
      }
    })

    test('leads to no host that the request names', async () => {
      const { headers } = await ask('/', browser, 'GET', 'elsewhere.example')
      assert.doesNotMatch(String(headers.location), /elsewhere|:\/\//)
    })
  })
}
