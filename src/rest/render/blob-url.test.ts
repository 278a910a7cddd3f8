import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { baseUrl } from '../../../test/support/rendering.ts'
import { blobUrl, parseBlobTail, parseBlobUrl } from './blob-url.ts'

const address = { repository: 'default', documentId: 'id-1', xpath: 'file:content', name: null, changeToken: null }
const urlOf = (given: Partial<typeof address> | { name: string }) => blobUrl(baseUrl, { ...address, ...given })

describe('the link to a blob', () => {
  const rows: [string, string][] = [
    ['plan v2.txt', 'plan%20v2.txt'],
    ['a;b.txt', 'a%3Bb.txt'],
    ['a.txt;charset=x', 'a.txt'],
    ['C:\\folder\\a.txt', 'a.txt'],
    ['/home/me/a.txt', 'a.txt'],
    ['100%.txt', '100%25.txt'],
    ['é?#.txt', '%C3%A9%3F%23.txt'],
    ['half \ud800 pair', 'half%20%EF%BF%BD%20pair'],
  ]
  for (const [name, encoded] of rows) {
    test(`ends in ${encoded} for the file ${JSON.stringify(name)}`, () => {
      assert.equal(urlOf({ name }), `${baseUrl}nxfile/default/id-1/file:content/${encoded}`)
    })
  }

  test('leaves out the name and the token that are not there', () => {
    assert.equal(urlOf({}), `${baseUrl}nxfile/default/id-1/file:content`)
    assert.equal(urlOf({ name: '' }), `${baseUrl}nxfile/default/id-1/file:content`)
    for (const name of ['folder/', 'folder/..', '.']) assert.equal(urlOf({ name }), `${baseUrl}nxfile/default/id-1/file:content`)
  })

  test('carries the token encoded', () => {
    const url = blobUrl(baseUrl, { ...address, changeToken: '1-0/3-1' })
    assert.equal(url, `${baseUrl}nxfile/default/id-1/file:content?changeToken=1-0%2F3-1`)
  })

  test('leads back to where the blob is, whatever the file is called', () => {
    const xpath = fc.constantFrom(
      'file:content',
      'files:files/3/file',
      'picture:views/0/content',
      'vid:transcodedVideos/1/content',
    )
    const name = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('name', 'length', 'data', '0', 'file', '..')))
    fc.assert(
      fc.property(xpath, name, fc.option(fc.string()), (xpath, name, changeToken) => {
        // As a client sends it, which takes `..` for a step back.
        const { href } = new URL(blobUrl(baseUrl, { ...address, xpath, name, changeToken }))
        const link = parseBlobUrl(baseUrl, href)
        assert.deepEqual([link?.repository, link?.documentId], ['default', 'id-1'])
        const found = parseBlobTail(builtinModel, link?.tail ?? [])
        assert.equal(found?.address, xpath)
      }),
    )
  })
})

describe('a URL', () => {
  const foreign = [
    'http://elsewhere:8080/nxfile/default/id-1/file:content',
    `${baseUrl}api/v1/id/id-1`,
    `${baseUrl}nxfile/default`,
    `${baseUrl}nxfile//id-1/file:content`,
    baseUrl,
  ]
  for (const url of foreign) test(`${url} is no blob link of ours`, () => assert.equal(parseBlobUrl(baseUrl, url), undefined))

  test('of the old kind is one', () => {
    const link = parseBlobUrl(baseUrl, `${baseUrl}nxbigfile/default/id-1/file:content/a.txt?inline=true#top`)
    assert.deepEqual(link, { repository: 'default', documentId: 'id-1', tail: ['file:content', 'a.txt'] })
  })

  const tails: [tail: string[], address: string, name: string | undefined][] = [
    [['file:content'], 'file:content', undefined],
    [['file:content', 'a.txt'], 'file:content', 'a.txt'],
    [['file;content', 'a;b.txt'], 'file:content', 'a;b.txt'],
    [['files:files', '0', 'file'], 'files:files/0/file', undefined],
    [['files:files', '0', 'file', 'a.txt'], 'files:files/0/file', 'a.txt'],
    [['blobholder:0'], 'blobholder:0', undefined],
    [[], 'blobholder:0', undefined],
    [['blobholder:12', 'a.txt'], 'blobholder:12', 'a.txt'],
  ]
  for (const [tail, address, name] of tails) {
    test(`with ${tail.length === 0 ? 'no tail' : `the tail ${tail.join('/')}`} names ${address}`, () =>
      assert.deepEqual(parseBlobTail(builtinModel, tail), { address, name }))
  }

  test('may lead nowhere', () => {
    for (const tail of [
      ['dc:title'],
      ['file:unknown', 'a.txt'],
      ['content'],
      ['file:content', 'a', 'b'],
      ['blobholder:01'],
      ['blobholder:x'],
    ]) {
      assert.equal(parseBlobTail(builtinModel, tail), undefined, tail.join('/'))
    }
  })
})
