import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contentDisposition } from './content-disposition.ts'

describe('the name of a download', () => {
  const rows: [name: string, header: string][] = [
    ['plan.txt', 'filename=plan.txt'],
    ['a!#$&+-.^_`{|}~z', 'filename=a!#$&+-.^_`{|}~z'],
    ['café noir.txt', "filename*=UTF-8''caf%C3%A9%20noir.txt"],
    ['two words.txt', "filename*=UTF-8''two%20words.txt"],
    ['tab\tname', "filename*=UTF-8''tab%09name"],
    ['say "hi".txt', "filename*=UTF-8''say%20%22hi%22.txt"],
    ["it's (1)*.txt", "filename*=UTF-8''it%27s%20%281%29%2A.txt"],
    ['a;b=c.txt', "filename*=UTF-8''a%3Bb%3Dc.txt"],
    ['100%.txt', "filename*=UTF-8''100%25.txt"],
    ['back\\slash/folder', "filename*=UTF-8''back%5Cslash%2Ffolder"],
    ['<[?,:@]>', "filename*=UTF-8''%3C%5B%3F%2C%3A%40%5D%3E"],
    ['two\r\nlines', "filename*=UTF-8''two%0D%0Alines"],
    ['🦊.txt', "filename*=UTF-8''%F0%9F%A6%8A.txt"],
    ['שלום.txt', "filename*=UTF-8''%D7%A9%D7%9C%D7%95%D7%9D.txt"],
    ['\u007f', "filename*=UTF-8''%7F"],
    ['half \ud83e', "filename*=UTF-8''half%20%EF%BF%BD"],
  ]
  for (const [name, header] of rows) {
    test(`${JSON.stringify(name)} is written as ${header}`, () =>
      assert.equal(contentDisposition('attachment', name), `attachment; ${header}`))
  }

  test('stands behind inline as well', () => assert.equal(contentDisposition('inline', 'a.html'), 'inline; filename=a.html'))

  test('reads back as it was, whatever it is, and never leaves its place in the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const header = contentDisposition('attachment', name)
        assert.match(header, /^attachment; filename(?:=[!-~]+|\*=UTF-8''[\w%!#$&+\-.^`|~]+)$/)
        const [, plain, encoded] = /^attachment; filename(?:=(.*)|\*=UTF-8''(.*))$/.exec(header) ?? []
        assert.equal(plain ?? decodeURIComponent(encoded ?? ''), name.toWellFormed())
      }),
    )
  })
})
