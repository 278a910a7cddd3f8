import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const accepted = [
  { sent: '2031', read: '2031-01-01T00:00:00.000Z' },
  { sent: '2031-05', read: '2031-05-01T00:00:00.000Z' },
  { sent: '2031-05-06', read: '2031-05-06T00:00:00.000Z' },
  { sent: '2031-05-06T10:11', read: '2031-05-06T10:11:00.000Z' },
  { sent: '2031-05-06T10:11Z', read: '2031-05-06T10:11:00.000Z' },
  { sent: '2031-05-06T10:11:12', read: '2031-05-06T10:11:12.000Z' },
  { sent: '2031-05-06T10:11:12Z', read: '2031-05-06T10:11:12.000Z' },
  { sent: '2031-05-06T10:11:12.3', read: '2031-05-06T10:11:12.300Z' },
  { sent: '2031-05-06T10:11:12.34Z', read: '2031-05-06T10:11:12.340Z' },
  { sent: '2031-05-06T10:11:12.345Z', read: '2031-05-06T10:11:12.345Z' },
  { sent: '2031-05-06T10:11:12.3459999Z', read: '2031-05-06T10:11:12.345Z' },
  { sent: '2031-05-06T10:11:12+02', read: '2031-05-06T08:11:12.000Z' },
  { sent: '2031-05-06T10:11:12+02:30', read: '2031-05-06T07:41:12.000Z' },
  { sent: '2031-05-06T10:11:12-0500', read: '2031-05-06T15:11:12.000Z' },
  { sent: '2031-05-06T10:11+02', read: '2031-05-06T08:11:00.000Z' },
  { sent: '2031-05-06T10:11:12.5-05:00', read: '2031-05-06T15:11:12.500Z' },
  { sent: '2031-01-01T00:30:00+01:00', read: '2030-12-31T23:30:00.000Z' },
  { sent: '2031-05-06 10:11:12', read: '2031-05-06T00:00:00.000Z' },
  { sent: '2031-05-06Z', read: '2031-05-06T00:00:00.000Z' },
  { sent: '2031-05-06+02:00', read: '2031-05-06T00:00:00.000Z' },
  { sent: '2028-02-29', read: '2028-02-29T00:00:00.000Z' },
  { sent: '0001-01-01T00:00:00.000Z', read: '0001-01-01T00:00:00.000Z' },
  { sent: '9999-12-31T23:59:59.999Z', read: '9999-12-31T23:59:59.999Z' },
  { sent: '', read: null },
  { sent: null, read: null },
]

const refused = [
  'soon',
  '31-05-06',
  '05/06/2031',
  '2031-13-01',
  '2031-02-30',
  '2031-05-06T25:00',
  '2031-05-06T10',
  '2031-05-06Tnoon',
  '2031-05-06T10:11:12+99:00',
  20310506,
  1.5,
  true,
  {},
  [],
]

onEachServer(
  'a date',
  (server) => {
    const bench = workbenchOn(server)
    let uid: string
    before(async () => {
      uid = (await bench.create('Specimen')).uid
    })

    for (const { sent, read } of accepted) {
      test(`sent as ${JSON.stringify(sent)} is read as ${read}`, async () => {
        await bench.update(uid, { 'spc:moment': '2001-01-01', 'spc:address': { since: '2001-01-01' } })
        await bench.update(uid, { 'spc:moment': sent, 'spc:moments': [sent], 'spc:address': { since: sent } })
        const properties = await bench.readProperties(uid)
        assert.equal(properties['spc:moment'], read)
        assert.deepEqual(properties['spc:moments'], [read])
        assert.equal(properties['spc:address'].since, read)
      })
    }

    for (const sent of refused) {
      test(`is not ${JSON.stringify(sent)}`, async () => {
        await bench.update(uid, { 'spc:moment': '2001-01-01' })
        for (const [name, value, xpath] of [
          ['spc:moment', sent, 'spc:moment'],
          ['spc:moments', ['2031', sent], 'spc:moments/1'],
          ['spc:address', { since: sent }, 'spc:address/since'],
        ] as const) {
          const body = { 'entity-type': 'document', properties: { [name]: value } }
          const { message } = requireStatus(400, await server.as('Administrator').put(`/id/${uid}`, body))
          assert.equal(message, `Unable to deserialize property: ${xpath}`)
        }
        assert.equal((await bench.readProperties(uid))['spc:moment'], '2001-01-01T00:00:00.000Z')
      })
    }

    describe('that the server sets', () => {
      test('is written like all others', async () => {
        const properties = await bench.readProperties(uid)
        for (const name of ['dc:created', 'dc:modified']) {
          assert.equal(properties[name], new Date(properties[name]).toISOString())
        }
      })
    })
  },
  { plugins: [specimens] },
)
