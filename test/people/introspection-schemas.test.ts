import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import type { Answered } from '../support/workbench.ts'

const builtin = gatherPlugins(builtinPlugins)

const rule = (name: string, parameters: { [name: string]: string } = {}) => ({
  'entity-type': 'validation_constraint',
  name,
  parameters,
})

onEachServer(
  'a schema alone',
  (server) => {
    const read = async (name: string, query = '', headers = {}) =>
      (await server.as('bob').get(`/config/schemas/${name}${query}`, headers)).body
    before(() => server.addUser('bob'))

    for (const path of ['/config/schemas', '/schema']) {
      test(`is at ${path}/{schema} as a schema entity with its prefix under both names`, async () => {
        const answer = await server.as('bob').get(`${path}/dublincore`)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=schema')
        const { fields, ...rest } = answer.body
        assert.deepEqual(rest, { 'entity-type': 'schema', name: 'dublincore', prefix: 'dc', '@prefix': 'dc' })
        assert.deepEqual([fields.title, fields.created, fields.subjects], ['string', 'date', 'string[]'])
      })
    }

    test('shows no prefix that it does not declare', async () => {
      assert.deepEqual(await read('note'), {
        'entity-type': 'schema',
        name: 'note',
        fields: { note: 'string', mime_type: 'string' },
      })
    })

    test('shows a prefix that is the same as its name', async () => {
      const { prefix, '@prefix': again } = await read('userprofile')
      assert.deepEqual([prefix, again], ['userprofile', 'userprofile'])
    })

    test('shows every kind of field', async () => {
      assert.deepEqual((await read('specimen')).fields, {
        text: 'string',
        memo: 'string',
        count: 'long',
        ratio: 'double',
        flag: 'boolean',
        moment: 'date',
        bytes: 'binary',
        words: 'string[]',
        counts: 'long[]',
        ratios: 'double[]',
        flags: 'boolean[]',
        moments: 'date[]',
        address: { type: 'complex', fields: { street: 'string', city: 'string', since: 'date' } },
        nested: {
          type: 'complex',
          fields: { label: 'string', inner: { type: 'complex', fields: { deep: 'string[]', level: 'long' } } },
        },
        rows: { type: 'complex[]', fields: { label: 'string', count: 'long', picture: 'blob', tags: 'string[]' } },
        attachment: 'blob',
        attachments: 'blob[]',
      })
    })

    test('is there for the entries of directories too', async () => {
      assert.deepEqual((await read('vocabulary')).fields, { id: 'string', label: 'string', obsolete: 'long', ordering: 'long' })
    })

    test('is there for every schema that the server has', async () => {
      for (const { name, fields } of builtin.schemas) {
        const shown = await read(name)
        assert.equal(shown.name, name)
        assert.deepEqual(
          Object.keys(shown.fields),
          fields.map((field) => field.name),
        )
      }
    })

    describe('with the rules of its fields', () => {
      test('shows two for the creator of a document, one of them the look-up of users', async () => {
        const { creator } = (await read('dublincore', '?fetch.schema=fields')).fields
        assert.deepEqual(creator, {
          type: 'string',
          constraints: [
            rule('string'),
            rule('userManagerResolver', { includeUsers: 'true', includeGroups: 'false', validation: 'false' }),
          ],
        })
      })

      test('shows where the nature of a document is looked up', async () => {
        const { nature } = (await read('dublincore', '?fetch.schema=fields')).fields
        const resolver = nature.constraints.find((constraint: Answered) => constraint.name === 'directoryResolver')
        assert.equal(resolver.parameters.directory, 'nature')
        assert.equal(resolver.parameters.validation, 'true')
      })

      test('shows for a list its own rules and those of its items', async () => {
        const { subjects } = (await read('dublincore', '?fetch.schema=fields')).fields
        assert.deepEqual(subjects, {
          type: 'string[]',
          constraints: [],
          itemConstraints: [
            rule('string'),
            rule('directoryResolver', { directory: 'l10nsubjects', parentField: 'parent', separator: '/', validation: 'true' }),
          ],
        })
      })

      const everyRule: readonly (readonly [schema: string, field: string, type: string, rules: readonly object[]])[] = [
        ['dublincore', 'created', 'date', [rule('date')]],
        ['dublincore', 'description', 'string', [rule('string'), rule('LengthConstraint', { Maximum: '2000' })]],
        ['specimen', 'count', 'long', [rule('long')]],
        ['specimen', 'ratio', 'double', [rule('double')]],
        ['specimen', 'flag', 'boolean', [rule('boolean')]],
        ['specimen', 'bytes', 'binary', [rule('binary')]],
        ['strict', 'short', 'string', [rule('string'), rule('LengthConstraint', { Minimum: '2', Maximum: '4' })]],
        ['strict', 'color', 'string', [rule('string'), rule('EnumConstraint', { Values: '[red, green]' })]],
        ['user', 'email', 'string', [rule('string'), rule('PatternConstraint', { Pattern: '[^@]+@[^\\.]+\\..+' })]],
        [
          'strict',
          'age',
          'long',
          [
            rule('long'),
            rule('NumericIntervalConstraint', {
              Minimum: '0',
              MinimumInclusive: 'true',
              Maximum: '150',
              MaximumInclusive: 'false',
            }),
          ],
        ],
        [
          'strict',
          'born',
          'date',
          [rule('date'), rule('DateIntervalConstraint', { Minimum: '1900-01-01', MinimumInclusive: 'true' })],
        ],
        ['mandatory', 'code', 'string', [rule('string'), rule('NotNullConstraint')]],
        [
          'referring',
          'team',
          'string',
          [rule('string'), rule('userManagerResolver', { includeUsers: 'false', includeGroups: 'true', validation: 'false' })],
        ],
        [
          'referring',
          'anyone',
          'string',
          [rule('string'), rule('userManagerResolver', { includeUsers: 'true', includeGroups: 'true', validation: 'false' })],
        ],
        ...(['id', 'path', 'idOnly', 'pathOnly'] as const).map(
          (store) =>
            [
              'referring',
              `by${store.charAt(0).toUpperCase()}${store.slice(1)}`,
              'string',
              [rule('string'), rule('documentResolver', { store, validation: 'false' })],
            ] as const,
        ),
      ]
      for (const [schema, field, type, constraints] of everyRule) {
        test(`shows those of ${schema} ${field}`, async () => {
          assert.deepEqual((await read(schema, '?fetch.schema=fields')).fields[field], { type, constraints })
        })
      }

      test('shows that a list must not be empty', async () => {
        assert.deepEqual((await read('mandatory', '?fetch.schema=fields')).fields.parts, {
          type: 'string[]',
          constraints: [rule('NotNullConstraint')],
          itemConstraints: [rule('string')],
        })
      })

      test('shows those inside complex fields and leaves files as they are', async () => {
        const { rows, attachment, attachments } = (await read('specimen', '?fetch.schema=fields')).fields
        assert.deepEqual(rows, {
          type: 'complex[]',
          fields: {
            label: { type: 'string', constraints: [rule('string')] },
            count: { type: 'long', constraints: [rule('long')] },
            picture: 'blob',
            tags: { type: 'string[]', constraints: [], itemConstraints: [rule('string')] },
          },
        })
        assert.deepEqual([attachment, attachments], ['blob', 'blob[]'])
      })

      test('shows every parameter as text', async () => {
        for (const { name } of builtin.schemas) {
          const { fields } = await read(name, '?fetch.schema=fields')
          for (const field of Object.values<Answered>(fields)) {
            for (const { parameters } of field.constraints ?? []) {
              for (const value of Object.values(parameters)) assert.equal(typeof value, 'string')
            }
          }
        }
      })

      for (const header of ['fetch-schema', 'fetch.schema', 'X-NXfetch.schema']) {
        test(`is asked for with the header ${header} too`, async () => {
          assert.equal((await read('dublincore', '', { [header]: 'fields' })).fields.creator.constraints.length, 2)
        })
      }

      test('is not shown for anything else that is fetched', async () => {
        for (const query of ['?fetch.schema=field', '?fetch.document=fields', '?fetch.schema=']) {
          assert.equal((await read('dublincore', query)).fields.creator, 'string')
        }
      })
    })
  },
  { plugins: [specimens] },
)

onEachServer('the list of schemas', (server) => {
  let listed: Answered
  before(async () => {
    await server.addUser('bob')
    listed = (await server.as('bob').get('/config/schemas')).body
  })

  test('is an array at both addresses', async () => {
    const answer = await server.as('bob').get('/schema')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.ok(Array.isArray(listed))
    assert.deepEqual(answer.body, listed)
  })

  test('has every schema in the order of names, each with its name, its prefix and its fields', () => {
    assert.deepEqual(
      listed.map((schema: Answered) => schema.name),
      builtin.schemas.map(({ name }) => name).sort(),
    )
    for (const schema of listed) assert.deepEqual(Object.keys(schema), ['name', '@prefix', 'fields'])
  })

  test('has an empty prefix where none is declared', () => {
    const named = (name: string) => listed.find((schema: Answered) => schema.name === name)
    assert.deepEqual(named('note'), { name: 'note', '@prefix': '', fields: { note: 'string', mime_type: 'string' } })
    assert.equal(named('dublincore')['@prefix'], 'dc')
  })

  test('stays as it is when rules of fields are fetched', async () => {
    assert.deepEqual((await server.as('bob').get('/config/schemas?fetch.schema=fields')).body, listed)
  })
})
