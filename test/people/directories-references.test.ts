import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { list, string } from '../../src/model/field.ts'
import { defineSchema } from '../../src/model/schema.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const crews = definePlugin({
  name: 'crews',
  schemas: [
    defineSchema('ship', { fields: { name: string(), crew: list(string()), flagships: list(string()), fleet: list(string()) } }),
    defineSchema('sailor', { fields: { name: string(), ships: list(string()) } }),
  ],
  directories: [
    defineDirectory('ships', {
      schema: 'ship',
      idField: 'name',
      references: [
        { field: 'crew', reference: 'crew', end: 'targets', directory: 'sailors' },
        { field: 'fleet', reference: 'fleet', end: 'targets', directory: 'ships' },
        { field: 'flagships', reference: 'fleet', end: 'sources', directory: 'ships' },
      ],
      dataFile: async () => [
        { name: 'Argo', crew: ['Jason', 'Idas'] },
        { name: 'Pequod', crew: 'Ahab|Ishmael' },
      ],
    }),
    defineDirectory('sailors', {
      schema: 'sailor',
      idField: 'name',
      references: [{ field: 'ships', reference: 'crew', end: 'sources', directory: 'ships' }],
    }),
  ],
})

const entry = (properties: object) => ({ 'entity-type': 'directoryEntry', properties })

onEachServer(
  'references between directories',
  (server) => {
    const admin = () => server.as('Administrator')
    const shown = async (path: string) => (await admin().get(`/directory/${path}`)).body.properties
    beforeEach(async () => {
      for (const path of ['ships/Nautilus', 'ships/Kon-Tiki', 'sailors/Nemo', 'sailors/Ned'])
        await admin().delete(`/directory/${path}`)
    })

    test('are filled from a data file and show in lists', async () => {
      assert.deepEqual((await shown('ships/Argo')).crew, ['Jason', 'Idas'])
      assert.deepEqual((await shown('ships/Pequod')).crew, ['Ahab', 'Ishmael'])
      const { body } = await admin().get('/directory/ships')
      assert.deepEqual(body.entries[0].properties, { name: 'Argo', crew: ['Jason', 'Idas'], flagships: [], fleet: [] })
    })

    test('show on both ends, in the order they were given', async () => {
      const created = await admin().post('/directory/ships', entry({ name: 'Nautilus', crew: ['Ned', 'Nemo', 'Ned', ''] }))
      assert.deepEqual([created.status, created.body.properties.crew], [201, ['Ned', 'Nemo']])
      const nemo = await admin().post('/directory/sailors', entry({ name: 'Nemo' }))
      assert.deepEqual(nemo.body.properties.ships, ['Nautilus'])
      assert.deepEqual((await shown('ships/Nautilus')).crew, ['Ned', 'Nemo'])
    })

    test('are replaced from either end by what is sent, and kept when nothing is', async () => {
      await admin().post('/directory/ships', entry({ name: 'Nautilus', crew: ['Ned', 'Nemo'] }))
      const ned = await admin().post('/directory/sailors', entry({ name: 'Ned', ships: ['Argo'] }))
      assert.deepEqual(ned.body.properties.ships, ['Argo'])
      assert.deepEqual((await shown('ships/Nautilus')).crew, ['Nemo'])
      assert.deepEqual((await shown('ships/Argo')).crew, ['Jason', 'Idas', 'Ned'])
      await admin().put('/directory/sailors/Ned', entry({ name: 'Ned', ships: ['Nautilus', 'Argo'] }))
      assert.deepEqual((await shown('ships/Nautilus')).crew, ['Nemo', 'Ned'])
      assert.deepEqual((await shown('ships/Argo')).crew, ['Jason', 'Idas', 'Ned'])
      await admin().put('/directory/ships/Nautilus', entry({ name: 'Nautilus' }))
      assert.deepEqual((await shown('ships/Nautilus')).crew, ['Nemo', 'Ned'])
      await admin().put('/directory/ships/Nautilus', entry({ name: 'Nautilus', crew: null }))
      assert.deepEqual((await shown('sailors/Ned')).ships, ['Argo'])
      await admin().put('/directory/sailors/Ned', entry({ name: 'Ned', ships: [] }))
      assert.deepEqual((await shown('ships/Argo')).crew, ['Jason', 'Idas'])
    })

    test('may lead to entries of the same directory, in a circle too', async () => {
      await admin().post('/directory/ships', entry({ name: 'Nautilus', fleet: ['Kon-Tiki', 'Nautilus'] }))
      await admin().post('/directory/ships', entry({ name: 'Kon-Tiki', fleet: ['Nautilus'] }))
      const nautilus = await shown('ships/Nautilus')
      assert.deepEqual(
        [nautilus.fleet, nautilus.flagships],
        [
          ['Kon-Tiki', 'Nautilus'],
          ['Kon-Tiki', 'Nautilus'],
        ],
      )
    })

    test('are gone with the entry, from whichever end it is deleted', async () => {
      await admin().post('/directory/ships', entry({ name: 'Nautilus', crew: ['Nemo', 'Ned'], fleet: ['Kon-Tiki'] }))
      await admin().post('/directory/ships', entry({ name: 'Kon-Tiki', fleet: ['Nautilus'] }))
      await admin().post('/directory/sailors', entry({ name: 'Nemo' }))
      await admin().delete('/directory/sailors/Nemo')
      assert.deepEqual((await shown('ships/Nautilus')).crew, ['Ned'])
      await admin().delete('/directory/ships/Nautilus')
      assert.deepEqual((await shown('ships/Kon-Tiki')).fleet, [])
      const ned = await admin().post('/directory/sailors', entry({ name: 'Ned' }))
      assert.deepEqual(ned.body.properties.ships, [])
    })

    test('refuse what is no list of texts or cannot be stored, and then nothing is stored', async () => {
      const bad: readonly [crew: unknown, message: RegExp][] = [
        ['Nemo', /^The property crew of the directory ships takes a list whose items have the right type, not "Nemo"\.$/],
        [{ Nemo: 1 }, /takes a list/],
        [[['Nemo']], /takes a list/],
        [['a\u0000b'], /cannot be stored/],
        [['x'.repeat(401)], /is too long\. The longest has 400\.$/],
      ]
      for (const [crew, message] of bad)
        assertRefused(await admin().post('/directory/ships', entry({ name: 'Nautilus', crew })), 400, message)
      assertRefused(await admin().get('/directory/ships/Nautilus'), 404, 'Entry not found')
    })
  },
  { plugins: [crews] },
)
