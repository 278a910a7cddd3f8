import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson, stringifyJson } from '../../src/base/json.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 10 })
const date = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((moment) => moment.toISOString())
const long = fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  // Beyond 2^53 a double is written with the digits of a long.
  fc.double({ noNaN: true, min: -1e21, max: 1e21 }),
)
const blob = fc.record({ data: text, name: fc.option(text, { nil: undefined }) })
const few = <Item>(item: fc.Arbitrary<Item>) => fc.array(fc.option(item), { maxLength: 3 })
const part = <Members>(members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }) =>
  fc.option(fc.record(members, { requiredKeys: [] }))

/** What clients may send for the fields of the specimen schema. */
const sentProperties = fc.record(
  {
    'spc:text': fc.option(text),
    'spc:memo': fc.option(text),
    'spc:count': fc.option(long),
    'spc:ratio': fc.option(double),
    'spc:flag': fc.option(fc.boolean()),
    'spc:moment': fc.option(date),
    'spc:bytes': fc.option(fc.base64String()),
    'spc:words': few(text),
    'spc:counts': few(long),
    'spc:ratios': few(double),
    'spc:flags': few(fc.boolean()),
    'spc:moments': few(date),
    'spc:address': part({ street: fc.option(text), city: text, since: date }),
    'spc:nested': part({ label: text, inner: part({ deep: few(text), level: long }) }),
    'spc:rows': fc.array(
      fc.record({ label: text, count: long, picture: fc.option(blob), tags: few(text) }, { requiredKeys: [] }),
      {
        maxLength: 3,
      },
    ),
    'spc:attachment': fc.option(blob),
    'spc:attachments': few(blob),
    'dc:title': fc.option(text),
    'dc:subjects': fc.subarray(['art/cinema', 'music', 'dance']),
    'file:content': fc.option(blob),
  },
  { requiredKeys: [] },
)

const wishes = fc.record({
  'fetch-document': fc.constantFrom('', 'properties', 'properties,versionLabel,lock'),
  'fetch-directoryEntry': fc.constantFrom('', 'parent'),
  'enrichers-document': fc.constantFrom('', 'acls,breadcrumb,permissions'),
})

const runs = { numRuns: 10 }

onEachServer(
  'whatever is read',
  (server) => {
    const bench = workbenchOn(server)
    const everything = { properties: '*' }
    const administrator = () => server.as('Administrator')

    async function createWith(properties: object): Promise<string> {
      const body = stringifyJson({ 'entity-type': 'document', type: 'Specimen', name: 'any', properties })
      return requireStatus(201, await administrator().post(`/path${workspaces}`, body)).uid
    }
    const readText = async (uid: string, headers = {}) => {
      const answer = await administrator().get(`/id/${uid}`, { ...everything, ...headers })
      requireStatus(200, answer)
      return answer.text
    }

    test('can be sent back as it came and changes nothing, not even the token', async () => {
      await fc.assert(
        fc.asyncProperty(sentProperties, wishes, async (properties, headers) => {
          const uid = await createWith(properties)
          const stored = await readText(uid)
          requireStatus(200, await administrator().put(`/id/${uid}`, await readText(uid, headers)))
          assert.equal(await readText(uid), stored)
        }),
        runs,
      )
    })

    test('is what a document made or changed to be the same reads as', async () => {
      const shown = (json: string) => {
        const { properties } = parseJson(json) as { properties: { readonly [name: string]: unknown } }
        const own = Object.entries(properties).filter(([name]) => name.startsWith('spc:'))
        return stringifyJson(own).replace(/"data":"[^"]*"/g, '')
      }
      await fc.assert(
        fc.asyncProperty(sentProperties, sentProperties, async (properties, others) => {
          const uid = await createWith(properties)
          const entity = parseJson(await readText(uid)) as { properties: object }
          const copy = await createWith(entity.properties)
          assert.equal(shown(await readText(copy)), shown(await readText(uid)))
          const overwritten = await createWith(others)
          const body = stringifyJson({ 'entity-type': 'document', properties: entity.properties })
          requireStatus(200, await administrator().put(`/id/${overwritten}`, body))
          assert.equal(shown(await readText(overwritten)), shown(await readText(uid)))
        }),
        runs,
      )
    })

    test('of a new document that nobody has stored can be posted to its parent', async () => {
      for (const type of [
        'Specimen',
        'Filled',
        'Guarded',
        'Prefilled',
        'Referring',
        'Picture',
        'Note',
        'Workspace',
        'Collection',
      ]) {
        const address = `/path${workspaces}/@emptyWithDefault?type=${type}&name=from-a-form`
        const empty = requireStatus(200, await administrator().get(address, everything))
        const created = requireStatus(
          201,
          await administrator().post(`/path${workspaces}`, { ...empty, name: 'from-a-form' }, everything),
        )
        const stamped = /^dc:(created|modified|creator|lastContributor|contributors)$|^common:icon|^uid:/
        const kept = (all: object) => Object.entries(all).filter(([name]) => !stamped.test(name))
        assert.deepEqual(kept(created.properties), kept(empty.properties), type)
      }
    })

    test('can be sent back where defaults and empty parts are shown in place of what is not stored', async () => {
      const stored = [{}, { 'filled:part': {} }, { 'filled:part': { remark: 'x' }, 'filled:words': null, 'filled:word': null }]
      for (const properties of stored) {
        const { uid } = await bench.create('Filled')
        await bench.change(uid, { properties })
        const before = await readText(uid)
        requireStatus(200, await administrator().put(`/id/${uid}`, before))
        assert.equal(await readText(uid), before)
      }
    })

    test('of a version or of a proxy to one can be sent back, and nothing else can', async () => {
      const { uid } = await bench.create('File', { 'file:content': { data: 'x' }, 'dc:subjects': ['art/cinema'] })
      const version = await bench.update(uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
      const { uid: folder } = await bench.create('Folder')
      for (const id of [version.uid, await bench.createProxy(folder, version.uid)]) {
        const stored = await readText(id)
        requireStatus(200, await administrator().put(`/id/${id}`, stored))
        assert.equal(await readText(id), stored)
        const change = { 'entity-type': 'document', properties: { 'dc:title': 'y' } }
        const { message } = requireStatus(400, await administrator().put(`/id/${id}`, change))
        assert.equal(message, 'Cannot set property on a version: dc:title')
      }
    })
  },
  { plugins: [specimens] },
)
