import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { writeZip, type ZipEntry } from '../../../src/base/zip/write-zip.ts'
import { startTestServer, type TestServer } from '../../../src/testing.ts'
import { commandLineAt } from '../../support/command-line.ts'
import { type DatabasePlace, engines } from '../../support/database-place.ts'
import { filledPlace } from '../../support/fresh-place.ts'

const workspaces = '/default-domain/workspaces'
const content = 'what it says'
const blob = `${createHash('md5').update(content).digest('hex')}.blob`

/** As the server writes it whose clients this one serves: with all facets, and namespaces of its own. */
const xml = (id: string, type: string, path: string, more = '') => `<?xml version="1.0" encoding="UTF-8"?>
<document repository="default" id="${id}">
  <system>
    <type>${type}</type>
    <path>${path}</path>
    <lifecycle-state>${type === 'File' ? 'approved' : 'project'}</lifecycle-state>
    <lifecycle-policy>default</lifecycle-policy>
    <facet>Versionable</facet><facet>SomethingOfAnAddOn</facet><facet>HiddenInNavigation</facet>
    <access-control>
      <acl name="local">
        <entry principal="ann" permission="ReadWrite" grant="true" creator="bob" begin="2031-01-01T00:00:00Z" end="2032-01-01T00:00:00Z"/>
      </acl>
      <acl name="inherited"><entry principal="members" permission="Read" grant="true"/></acl>
    </access-control>
  </system>
  <schema xmlns="http://www.example.org/ecm/schemas/uid/" name="uid"><major_version>2</major_version><minor_version>3</minor_version></schema>
  <schema xmlns:dc="http://www.example.org/ecm/schemas/dublincore/" name="dublincore">
    <dc:creator><![CDATA[bob]]></dc:creator>
    <dc:created>2021-05-06T07:08:09.123Z</dc:created>
    <dc:title><![CDATA[Title of ${id} <&>]]></dc:title>
    <dc:subjects><item><![CDATA[art]]></item><item><![CDATA[sciences]]></item></dc:subjects>
  </schema>
  <schema name="of-an-add-on"><x:y xmlns:x="urn:x">kept out</x:y></schema>${more}
</document>`

const file = `
  <schema xmlns:file="http://www.example.org/ecm/schemas/file/" name="file">
    <file:content><encoding></encoding><mime-type>text/plain</mime-type><filename>plan.txt</filename><data>${blob}</data><digest>${blob.slice(0, 32)}</digest></file:content>
  </schema>`

/** Behind the record of a folder are four bytes, the number of its children, that are no field as the format wants one. */
const childCount = Buffer.from([0, 0, 0, 2])

function exported(documents: Readonly<Record<string, string>>): Promise<Buffer> {
  const entry = (name: string, body: string): ZipEntry => {
    const bytes = Buffer.from(body)
    return { name, modified: new Date(0), content: { length: bytes.length, open: async () => Readable.from([bytes]) } }
  }
  const folders = Object.entries(documents).flatMap(([name, body]): ZipEntry[] => [
    { name: `${name}/`, modified: new Date(0), extra: childCount },
    entry(`${name}/document.xml`, body),
    ...(body === documents['project/plan'] ? [entry(`${name}/${blob}`, content)] : []),
  ])
  return buffer(Readable.from(writeZip([{ name: '.nuxeo-archive', modified: new Date(0) }, ...folders])))
}

for (const engine of engines) {
  describe(`an export of the server that clients know (${engine})`, () => {
    let place: DatabasePlace
    let server: TestServer
    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
    })
    after(() => server.stop())

    const archiveOf = async (documents: Readonly<Record<string, string>>) => {
      const archive = join(place.folder, 'exported.zip')
      await writeFile(archive, await exported(documents))
      return archive
    }

    test('becomes documents with their ids, states, rights, numbers, dates and files, once', async () => {
      const archive = await archiveOf({
        project: xml('11111111-0000-4000-8000-000000000001', 'Workspace', 'project'),
        'project/plan': xml('11111111-0000-4000-8000-000000000002', 'File', 'project/plan', file),
      })
      const planned = await commandLineAt(place).json(['import', archive, '--to', workspaces, '--dry-run'])
      assert.deepEqual([planned.documents, planned.imported], [2, 0])
      const first = await commandLineAt(place).json(['import', archive, '--to', workspaces])
      assert.deepEqual([first.imported, first.there, first.renumbered], [2, 0, 0])
      const admin = server.as('Administrator')
      const { body } = await admin.get(`/path${workspaces}/project/plan`, { properties: '*', 'enrichers.document': 'acls' })
      const { properties } = body
      assert.deepEqual(
        [
          body.uid,
          body.state,
          body.facets.includes('HiddenInNavigation'),
          properties['uid:major_version'],
          properties['uid:minor_version'],
        ],
        ['11111111-0000-4000-8000-000000000002', 'approved', true, 2, 3],
      )
      assert.deepEqual(
        [properties['dc:title'], properties['dc:creator'], properties['dc:created'], properties['dc:subjects']],
        ['Title of 11111111-0000-4000-8000-000000000002 <&>', 'bob', '2021-05-06T07:08:09.123Z', ['art', 'sciences']],
      )
      const [local] = body.contextParameters.acls
      assert.deepEqual(
        [local.name, local.aces[0].username, local.aces[0].creator, local.aces[0].end],
        ['local', 'ann', 'bob', '2032-01-01T00:00:00.000Z'],
      )
      assert.equal((await admin.get(`/path${workspaces}/project/plan/@blob/file:content`)).text, content)
      const again = await commandLineAt(place).json(['import', archive, '--to', workspaces])
      assert.deepEqual([again.imported, again.there], [0, 2])
      const beside = await commandLineAt(place).json(['import', archive, '--to', '/default-domain'])
      assert.deepEqual([beside.imported, beside.renumbered], [2, 2])
    })

    test('whose first name is taken lies together below another one, and is known again by the next command', async () => {
      const admin = server.as('Administrator')
      await admin.post('/path/default-domain/templates', { 'entity-type': 'document', type: 'Note', name: 'project' })
      const archive = await archiveOf({
        project: xml('22222222-0000-4000-8000-000000000001', 'Workspace', 'project'),
        'project/inner': xml('22222222-0000-4000-8000-000000000002', 'Workspace', 'project/inner'),
        'project/inner/deep': xml('22222222-0000-4000-8000-000000000003', 'File', 'project/inner/deep'),
      })
      const to = ['import', archive, '--to', '/default-domain/templates']
      assert.equal((await commandLineAt(place).json(to)).imported, 3)
      const { path: renamed } = (await admin.get('/id/22222222-0000-4000-8000-000000000001')).body
      assert.match(renamed, /^\/default-domain\/templates\/project\.\d+$/)
      assert.equal((await admin.get('/id/22222222-0000-4000-8000-000000000003')).body.path, `${renamed}/inner/deep`)
      const again = await commandLineAt(place).json(to)
      assert.deepEqual([again.imported, again.there], [0, 3])
    })

    test('that lacks files comes without them, and that is told', async () => {
      const archive = await archiveOf({ lacking: xml('33333333-0000-4000-8000-000000000001', 'File', 'lacking', file) })
      const { code, printed } = await commandLineAt(place).run(['import', archive, '--to', workspaces])
      assert.equal(code, 1)
      assert.match(printed, new RegExp(`1 files are not in the archive, [^]*lacking/document\\.xml: ${blob}`))
      const { properties } = (await server.as('Administrator').get(`/path${workspaces}/lacking`, { properties: '*' })).body
      assert.equal(properties['file:content'], null)
    })

    test('with a value that is none is refused, and the document is named', async () => {
      const broken = xml('44444444-0000-4000-8000-000000000001', 'File', 'fine/broken').replace(
        '2021-05-06T07:08:09.123Z',
        'long ago',
      )
      const archive = await archiveOf({
        fine: xml('44444444-0000-4000-8000-000000000002', 'Workspace', 'fine'),
        'fine/broken': broken,
      })
      const { code, complained } = await commandLineAt(place).run(['import', archive, '--to', workspaces])
      assert.equal(code, 1)
      assert.match(complained, /^quire: fine\/broken of the archive cannot be imported: .*dc:created/)
    })

    test('of many documents is read without a warning of the system', async () => {
      const many = Array.from({ length: 15 }, (_, number) => `n${number}`)
      const archive = await archiveOf(Object.fromEntries(many.map((name) => [name, xml(`many-${name}`, 'Workspace', name)])))
      const warnings: Error[] = []
      const note = (warning: Error) => void warnings.push(warning)
      process.on('warning', note)
      try {
        assert.equal((await commandLineAt(place).json(['import', archive, '--to', workspaces])).imported, 15)
        await new Promise((resolve) => setImmediate(resolve))
      } finally {
        process.off('warning', note)
      }
      assert.deepEqual(
        warnings.map(({ message }) => message),
        [],
      )
    })

    test('with types that are not known here, or entities that grow, is refused before anything is written', async () => {
      const types = await archiveOf({ a: xml('a', 'Invoice', 'a'), b: xml('b', 'Workspace', 'b'), c: xml('c', 'Bill', 'c') })
      const refused = await commandLineAt(place).run(['import', types, '--to', workspaces])
      assert.match(refused.complained, /types that this server does not know: Bill, Invoice/)
      const bomb = await archiveOf({ a: '<!DOCTYPE d [<!ENTITY a "aa">]><document>&a;</document>' })
      assert.match((await commandLineAt(place).run(['import', bomb, '--to', workspaces])).complained, /no XML that can be read/)
      assert.equal((await server.as('Administrator').get(`/path${workspaces}/b`)).status, 404)
    })
  })
}
