import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { knownTypes } from '../../src/base/mime-types/known-types.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer(
  'the browser UI of the original',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    const titlesOf = ({ entries }: { entries: readonly { title: string }[] }) => entries.map(({ title }) => title)
    before(async () => {
      for (const title of ['Zebra', 'zebra crossing', 'A zebra']) await bench.create('File', { 'dc:title': title })
    })

    describe('picks a document', () => {
      const pick = async (term: string) => {
        const rest = await administrator().get(`/search/pp/document_picker/execute?queryParams=${encodeURIComponent(term)}`)
        return titlesOf(requireStatus(200, rest))
      }
      test('by the beginning of its title, whatever its case', async () => {
        assert.deepEqual(await pick('zebra'), ['Zebra', 'zebra crossing'])
        assert.deepEqual(await pick('zebra '), ['zebra crossing'])
      })
      test('among those that are not in the trash', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'Zebra lost' })
        assert.deepEqual(await pick('zebra l'), ['Zebra lost'])
        await administrator().post('/automation/Document.Trash', { input: uid })
        assert.deepEqual(await pick('zebra l'), [])
      })
    })

    describe('sends an empty term', () => {
      const providers = ['document_picker', 'default_collection', 'default_document_suggestion', 'DEFAULT_DOCUMENT_SUGGESTION']
      for (const provider of [...providers, 'simple_search', 'permissions_search_folders', 'CURRENT_DOC_CHILDREN']) {
        test(`to ${provider}, and is answered the same by both doors`, async () => {
          const queries = ['queryParams=', 'queryParams=%20%20']
          const params = [{ queryParams: '' }, { searchTerm: '' }, { queryParams: [''] }, { queryParams: ' ' }]
          const answers = [
            ...(await Promise.all(queries.map((query) => administrator().get(`/search/pp/${provider}/execute?${query}`)))),
            ...(await Promise.all(
              params.map((given) =>
                administrator().post('/automation/Repository.PageProvider', { params: { providerName: provider, ...given } }),
              ),
            )),
          ]
          const [first, ...others] = answers.map((answer) => titlesOf(requireStatus(200, answer)))
          for (const other of others) assert.deepEqual(other, first)
        })
      }
      test('to document_picker, and is given the first of all', async () => {
        const { body } = await administrator().get('/search/pp/document_picker/execute?queryParams=')
        assert.ok(titlesOf(body).includes('A zebra'))
      })
    })

    test('reads in suggestions which field its term was found in', async () => {
      const { body } = await administrator().post('/automation/Search.SuggestersLauncher', { params: { searchTerm: 'zebra' } })
      for (const { highlights } of body) assert.equal(highlights[0].field, 'dc:title.fulltext')
      assert.equal(body.length, 3)
    })

    describe('shows the icon', () => {
      const show = (icon: string) => fetch(`${server.url}${icon.replace(/^\//, '')}`)
      async function requirePicture(icon: string): Promise<void> {
        const response = await show(icon)
        assert.deepEqual([icon, response.status, response.headers.get('content-type')], [icon, 200, 'image/svg+xml'])
        assert.match(await response.text(), /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*>.+<\/svg>$/)
      }
      test('of every type', async () => {
        const types = [...(server.services.repositories.get('default')?.model.types.values() ?? [])]
        const icons = new Set(types.flatMap(({ icon }) => icon ?? []))
        assert.ok(icons.size > 10)
        for (const icon of icons) await requirePicture(icon)
      })
      test('of every kind of file', async () => {
        for (const icon of new Set(knownTypes.map((known) => known.icon))) await requirePicture(`/icons/${icon}`)
      })
      test('of a document, and of its version', async () => {
        const { uid } = await bench.create('File', {
          'file:content': { name: 'a.pdf', 'mime-type': 'application/pdf', data: 'x' },
        })
        const { properties } = (await administrator().get(`/id/${uid}`, { properties: 'common' })).body
        assert.equal(properties['common:icon'], '/icons/pdf.png')
        await requirePicture(properties['common:icon'])
      })
      test('of nothing else', async () => {
        for (const icon of ['icons/none.png', 'icons/pdf.exe', 'icons/pdf', 'icons/..%2Fpdf.png', 'icons/__proto__.png']) {
          const response = await show(icon)
          assert.equal(response.status, 404, icon)
          assert.match(await response.text(), /There is no icon/)
        }
      })
    })
  },
  { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } },
)
