import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { formatZip } from '../support/conversion/zip-file.ts'
import { attach, download } from '../support/files.ts'
import { aPicture } from '../support/pictures.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const archive = formatZip([['a.txt', 'a']])
const shown: readonly (readonly [place: string, extension: string, mimeType: string, content: string | Uint8Array])[] = [
  ['@convert?converter=any2html', 'txt', 'text/plain', 'a text'],
  ['@convert?type=text/html', 'csv', 'text/csv', 'a,b'],
  ['@convert?converter=md2html', 'md', 'text/x-web-markdown', '# head'],
  ['@convert?converter=zip2html', 'zip', 'application/zip', archive],
  ['@preview/', 'md', 'text/x-web-markdown', '# another'],
  ['@preview/', 'zip', 'application/zip', formatZip([['b.txt', 'b']])],
  ['@preview/', 'html', 'text/html', '<p>shown</p>'],
]

onEachServer('what is made of a file that has the bytes of a hidden one', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('alice', ['members']))

  async function aFile(reader: string, name: string, mimeType: string, content: string | Uint8Array): Promise<string> {
    const { uid } = await bench.create('File', { 'dc:title': 'file' })
    await bench.restrict(uid, grant(reader, 'Read'))
    await attach(server, uid, content, { name, 'mime-type': mimeType })
    return uid
  }

  /** What alice gets of her file after the other was converted. */
  async function madeAfterTheOther(place: string, extension: string, mimeType: string, content: string | Uint8Array) {
    const hidden = await aFile('Administrator', `dismissal-of-Mr-Smith.${extension}`, mimeType, content)
    assert.equal((await download(server, `api/v1/id/${hidden}/${place}`)).status, 200)
    const own = await aFile('alice', `mine.${extension}`, mimeType, content)
    const { status, text, headers } = await download(server, `api/v1/id/${own}/${place}`, { user: 'alice' })
    assert.equal(status, 200, text)
    return { text, names: headers.get('content-disposition') ?? '' }
  }

  for (const [place, extension, mimeType, content] of shown) {
    test(`${place} of ${extension} names the file that it is made of, and not the other`, async () => {
      const { text, names } = await madeAfterTheOther(place, extension, mimeType, content)
      assert.doesNotMatch(text + names, /dismissal/)
      assert.match(text, /<title>mine\./)
    })
  }

  test('a copy with other metadata has the name of its own source', async (context) => {
    if (server.services.conversions.programs.find('exiftool') === undefined) return context.skip('exiftool is not installed')
    const query = new URLSearchParams({ converter: 'writeMetadata', metadata: '{"Copyright":["Free"]}' })
    const { names } = await madeAfterTheOther(`@convert?${query}`, 'jpg', 'image/jpeg', await aPicture())
    assert.match(names, /mine\.jpg/)
    assert.doesNotMatch(names, /dismissal/)
  })
})
