import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import { onEachServer } from '../support/servers.ts'
import type { Answered } from '../support/workbench.ts'

const builtin = gatherPlugins(builtinPlugins)

onEachServer('facets', (server) => {
  const read = async (path: string) => (await server.as('bob').get(path)).body
  before(() => server.addUser('bob'))

  for (const path of ['/config/facets', '/facet']) {
    test(`are at ${path}/{facet} as facet entities with schema entities`, async () => {
      const answer = await server.as('bob').get(`${path}/Picture`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=facet')
      const { schemas, ...rest } = answer.body
      assert.deepEqual(rest, { 'entity-type': 'facet', name: 'Picture' })
      assert.deepEqual(schemas, [
        await read('/config/schemas/file'),
        await read('/config/schemas/picture'),
        await read('/config/schemas/image_metadata'),
      ])
    })
  }

  test('have no schemas when they bring none', async () => {
    assert.deepEqual(await read('/config/facets/Folderish'), { 'entity-type': 'facet', name: 'Folderish' })
  })

  test('show the rules of fields when they are fetched', async () => {
    const { schemas } = await read('/config/facets/SavedSearch?fetch.schema=fields')
    const dublincore = schemas.find((schema: Answered) => schema.name === 'dublincore')
    assert.equal(dublincore.fields.creator.constraints.length, 2)
  })

  test('are listed as an array at both addresses, in the order of names', async () => {
    const answer = await server.as('bob').get('/config/facets')
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.deepEqual(await read('/facet'), answer.body)
    assert.deepEqual(
      answer.body.map((facet: Answered) => facet.name),
      builtin.facets.map(({ name }) => name).sort(),
    )
  })

  test('are listed with the schemas they bring, in the form of lists, and without a key where they bring none', async () => {
    const listed = await read('/config/facets')
    const named = (name: string) => listed.find((facet: Answered) => facet.name === name)
    assert.deepEqual(named('Folderish'), { name: 'Folderish' })
    assert.deepEqual(named('HasRelatedText'), {
      name: 'HasRelatedText',
      schemas: [
        {
          name: 'relatedtext',
          '@prefix': '',
          fields: {
            relatedtextresources: { type: 'complex[]', fields: { relatedtextid: 'string', relatedtext: 'string' } },
          },
        },
      ],
    })
    assert.deepEqual(await read('/config/facets?fetch.schema=fields'), listed)
  })
})
