import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer(
  'a property that refers to something',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))

    /** The properties of a document with what is fetched in place of the references. */
    async function fetch(uid: string, wish: string, headers = {}, user = 'Administrator'): Promise<Answered> {
      const answer = await server.as(user).get(`/id/${uid}`, { properties: '*', 'fetch-document': wish, ...headers })
      return requireStatus(200, answer).properties
    }

    const entityOf = (value: Answered) => [value['entity-type'], value.id ?? value.uid]

    describe('is fetched', () => {
      test('when all properties are asked for, each as the entity it refers to', async () => {
        const target = await bench.create('File')
        const { uid } = await bench.create('Referring', {
          'dc:nature': 'article',
          'dc:coverage': 'europe/France',
          'dc:subjects': ['art/cinema', 'art/dance'],
          'ref:owner': 'alice',
          'ref:team': 'members',
          'ref:anyone': 'members',
          'ref:byId': `default:${target.uid}`,
          'ref:byPath': `default:${target.path}`,
          'ref:byIdOnly': target.uid,
          'ref:byPathOnly': target.path,
          'ref:related': [target.uid],
          'ref:crew': [{ role: 'lead', user: 'alice' }],
          'ref:lead': { user: 'alice', subject: 'art/cinema' },
        })
        const raw = await bench.readProperties(uid)
        const properties = await fetch(uid, 'properties')
        const expected: { [name: string]: readonly [string, string] } = {
          'dc:creator': ['user', 'Administrator'],
          'dc:lastContributor': ['user', 'Administrator'],
          'dc:nature': ['directoryEntry', 'article'],
          'dc:coverage': ['directoryEntry', 'France'],
          'ref:owner': ['user', 'alice'],
          'ref:team': ['group', 'members'],
          'ref:anyone': ['group', 'members'],
          'ref:byId': ['document', target.uid],
          'ref:byPath': ['document', target.uid],
          'ref:byIdOnly': ['document', target.uid],
          'ref:byPathOnly': ['document', target.uid],
        }
        for (const [name, entity] of Object.entries(expected)) assert.deepEqual(entityOf(properties[name]), entity, name)
        assert.deepEqual(properties['dc:contributors'].map(entityOf), [['user', 'Administrator']])
        assert.deepEqual(properties['dc:subjects'].map(entityOf), [
          ['directoryEntry', 'cinema'],
          ['directoryEntry', 'dance'],
        ])
        assert.deepEqual(properties['ref:related'].map(entityOf), [['document', target.uid]])
        assert.equal(properties['ref:crew'][0].role, 'lead')
        assert.deepEqual(entityOf(properties['ref:crew'][0].user), ['user', 'alice'])
        assert.deepEqual(entityOf(properties['ref:lead'].subject), ['directoryEntry', 'cinema'])
        const others = (all: object) =>
          Object.entries(all).filter(([name]) => !/^ref:|^dc:(creator|lastC|contrib|nature|coverage|subjects)/.test(name))
        assert.deepEqual(others(properties), others(raw))
      })

      test('as the entity that its own address answers', async () => {
        const target = await bench.create('File')
        const { uid } = await bench.create('Referring', { 'ref:byIdOnly': target.uid, 'ref:owner': 'alice' })
        const properties = await fetch(uid, 'properties')
        assert.deepEqual(properties['ref:byIdOnly'], await bench.read(target.uid))
        assert.deepEqual(properties['ref:owner'], requireStatus(200, await server.as('Administrator').get('/user/alice')))
        assert.ok(!JSON.stringify(properties).includes('$argon2'))
      })

      const wishes = [
        { wish: 'dc:creator', fetched: ['dc:creator'] },
        { wish: 'dc:c', fetched: ['dc:contributors', 'dc:creator'] },
        { wish: 'dc:creator,dc:lastContributor', fetched: ['dc:creator', 'dc:lastContributor'] },
        { wish: 'ref:crew', fetched: ['ref:crew/0/user', 'ref:crew/1/user'] },
        { wish: 'ref:crew/*/user', fetched: ['ref:crew/0/user', 'ref:crew/1/user'] },
        { wish: 'ref:crew/1', fetched: ['ref:crew/1/user'] },
        { wish: 'ref:crew/1/user', fetched: ['ref:crew/1/user'] },
        { wish: 'ref:lead/user', fetched: ['ref:lead/user'] },
        { wish: 'creator', fetched: [] },
        { wish: 'versionLabel,lock,unheard-of', fetched: [] },
      ]
      for (const { wish, fetched } of wishes) {
        test(`where its place begins with what is asked for: ${wish}`, async () => {
          const crew = [{ user: 'alice' }, { user: 'Administrator' }]
          const { uid } = await bench.create('Referring', { 'ref:crew': crew, 'ref:lead': { user: 'alice' } })
          assert.deepEqual(placesOfEntities(await fetch(uid, wish)).sort(), fetched)
        })
      }

      function placesOfEntities(properties: object): string[] {
        const below = (value: unknown, place: string): string[] => {
          if (typeof value !== 'object' || value === null) return []
          if ('entity-type' in value) return [place]
          return Object.entries(value).flatMap(([key, item]) => below(item, `${place}/${key}`))
        }
        // A list whose items are all entities counts by its own name.
        const places = Object.entries(properties).flatMap(([name, value]) => below(value, name))
        return [...new Set(places.map((place) => place.replace(/^(dc:\w+)\/\d+$/, '$1')))]
      }
    })

    describe('stays as it is stored', () => {
      test('where nothing is found, so that a list may mix both', async () => {
        const { uid } = await bench.create('Referring', {
          'dc:contributors': ['nobody'],
          'ref:owner': 'nobody',
          'ref:byIdOnly': 'nowhere',
          'ref:byId': 'other:nowhere',
          'ref:byPathOnly': '/nowhere',
        })
        const properties = await fetch(uid, 'properties')
        assert.deepEqual(
          [properties['ref:owner'], properties['ref:byIdOnly'], properties['ref:byId'], properties['ref:byPathOnly']],
          ['nobody', 'nowhere', 'other:nowhere', '/nowhere'],
        )
        const [unknown, known] = properties['dc:contributors']
        assert.deepEqual([unknown, entityOf(known)], ['nobody', ['user', 'Administrator']])
      })

      test('where the caller may only browse the document it refers to', async () => {
        const target = await bench.create('File')
        const { uid } = await bench.create('Referring', { 'ref:byIdOnly': target.uid, 'ref:byPathOnly': target.path })
        const fetched = async (user: string) => {
          const properties = await fetch(uid, 'properties', {}, user)
          return ['ref:byIdOnly', 'ref:byPathOnly'].map((name) => properties[name]?.uid ?? properties[name])
        }
        assert.deepEqual(await fetched('alice'), [target.uid, target.uid])
        await bench.restrict(target.uid, grant('alice', 'Browse'))
        assert.deepEqual(await fetched('alice'), [target.uid, target.path])
        assert.deepEqual(await fetched('Administrator'), [target.uid, target.uid])
      })

      test('where it is unset', async () => {
        const { uid } = await bench.create('Referring')
        const properties = await fetch(uid, 'properties')
        assert.deepEqual([properties['ref:owner'], properties['ref:related'], properties['dc:nature']], [null, [], null])
      })

      test('where properties are not shown at all', async () => {
        const { uid } = await bench.create('Referring', { 'ref:owner': 'alice' })
        assert.ok(!('properties' in (await bench.read(uid, { 'fetch-document': 'properties' }))))
      })
    })

    describe('to a directory entry', () => {
      const create = () => bench.create('File', { 'dc:nature': 'article', 'dc:subjects': ['art/cinema'] })

      test('is shown with its directory and its properties, the label as a key', async () => {
        const { uid } = await create()
        const nature = (await fetch(uid, 'dc:nature'))['dc:nature']
        assert.deepEqual(nature, {
          'entity-type': 'directoryEntry',
          directoryName: 'nature',
          id: 'article',
          properties: {
            id: 'article',
            label: 'label.directories.nature.article',
            obsolete: 0,
            ordering: nature.properties.ordering,
          },
        })
      })

      const languages = [
        { accept: 'fr', cinema: 'Cinéma' },
        { accept: 'fr-CA,en;q=0.5', cinema: 'Cinéma' },
        { accept: 'en', cinema: 'Cinema' },
        { accept: 'xx', cinema: 'Cinema' },
      ]
      for (const { accept, cinema } of languages) {
        test(`is labelled for a reader of ${accept} when that is asked for`, async () => {
          const { uid } = await create()
          const headers = { 'translate-directoryEntry': 'label', 'Accept-Language': accept }
          const [subject] = (await fetch(uid, 'dc:subjects', headers))['dc:subjects']
          assert.equal(subject.properties.label, cinema)
        })
      }

      test('has the id of its parent, or the parent’s entity when that is fetched', async () => {
        const { uid } = await create()
        const subject = async (headers = {}) => (await fetch(uid, 'dc:subjects', headers))['dc:subjects'][0].properties.parent
        assert.equal(await subject(), 'art')
        const parent = await subject({ 'fetch-directoryEntry': 'parent' })
        assert.deepEqual([...entityOf(parent), parent.directoryName], ['directoryEntry', 'art', 'l10nsubjects'])
      })

      test('has its parent in another directory where the directory says so', async () => {
        const { uid } = await bench.create('Referring', { 'ref:country': 'France' })
        const country = (await fetch(uid, 'ref:country', { 'fetch-directoryEntry': 'parent' }))['ref:country']
        assert.deepEqual(
          [...entityOf(country), country.properties.parent.directoryName],
          ['directoryEntry', 'France', 'continent'],
        )
      })
    })

    describe('sent back as it was fetched', () => {
      const values = {
        'dc:creator': 'alice',
        'dc:contributors': ['user:alice', 'Administrator'],
        'dc:nature': 'article',
        'dc:subjects': ['art/cinema', 'dance'],
        'dc:coverage': 'europe/France',
        'ref:owner': 'user:alice',
        'ref:team': 'members',
        'ref:anyone': 'group:members',
        'ref:crew': [{ role: 'x', user: 'alice' }, { user: 'nobody' }],
        'ref:lead': { user: 'alice', subject: 'art/cinema' },
      }
      const renderings = [
        { how: 'plainly', headers: {} },
        { how: 'with the parents of entries inside', headers: { 'fetch-directoryEntry': 'parent' } },
        {
          how: 'translated, enriched and in depth',
          headers: {
            'translate-directoryEntry': 'label',
            'Accept-Language': 'fr',
            depth: 'max',
            'enrichers-document': 'acls,breadcrumb,permissions,thumbnail',
          },
        },
      ]
      for (const { how, headers } of renderings) {
        test(`changes nothing: ${how}`, async () => {
          const target = await bench.create('File')
          const { uid } = await bench.create('Referring', {
            ...values,
            'ref:byId': `default:${target.uid}`,
            'ref:byPath': `default:${target.path}`,
            'ref:byIdOnly': target.uid,
            'ref:byPathOnly': target.path,
            'ref:related': [target.uid, 'nowhere'],
          })
          const stored = await bench.read(uid, { properties: '*' })
          const fetched = await bench.read(uid, { properties: '*', 'fetch-document': 'properties,versionLabel,lock', ...headers })
          assert.notDeepEqual(fetched.properties, stored.properties)
          requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, fetched))
          assert.deepEqual(await bench.read(uid, { properties: '*' }), stored)
        })
      }

      test('is stored as its reference on another document', async () => {
        const { uid } = await bench.create('Referring', { 'ref:owner': 'alice', 'dc:subjects': ['art/cinema'] })
        const headers = { 'fetch-directoryEntry': 'parent' }
        const fetched = await fetch(uid, 'properties', headers)
        const target = await bench.create('File')
        const entity = await bench.read(target.uid)
        const other = await bench.create('Referring', {
          'ref:owner': fetched['ref:owner'],
          'dc:subjects': fetched['dc:subjects'],
          'ref:byId': entity,
          'ref:byPath': entity,
          'ref:byIdOnly': entity,
          'ref:byPathOnly': entity,
          'ref:related': [entity, 'plain'],
        })
        const properties = await bench.readProperties(other.uid)
        assert.deepEqual(
          ['owner', 'byId', 'byPath', 'byIdOnly', 'byPathOnly', 'related'].map((field) => properties[`ref:${field}`]),
          ['alice', `default:${target.uid}`, `default:${target.path}`, target.uid, target.path, [target.uid, 'plain']],
        )
        assert.deepEqual(properties['dc:subjects'], ['art/cinema'])
      })

      test('is refused when the object names nothing', async () => {
        const { uid } = await bench.create('Referring')
        for (const [name, sent, xpath] of [
          ['ref:owner', { 'entity-type': 'user' }, 'ref:owner'],
          ['dc:nature', { label: 'x' }, 'dc:nature'],
          ['ref:byIdOnly', {}, 'ref:byIdOnly'],
          ['ref:related', ['a', {}], 'ref:related/1'],
        ] as const) {
          const body = { 'entity-type': 'document', properties: { [name]: sent } }
          const { message } = requireStatus(400, await server.as('Administrator').put(`/id/${uid}`, body))
          assert.equal(message, `Unable to deserialize property: ${xpath}`)
        }
      })
    })
  },
  { plugins: [specimens] },
)
