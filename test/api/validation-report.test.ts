import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiAnswer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const namePattern = { name: 'PatternConstraint', parameters: { Pattern: '[a-zA-Z]+' } }

onEachServer(
  'validation',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')

    const post = (type: string, properties: object, headers = {}) =>
      administrator().post(`/path${workspaces}`, { 'entity-type': 'document', type, name: 'refused', properties }, headers)
    const put = (address: string, properties: object, headers = {}) =>
      administrator().put(address, { 'entity-type': 'document', properties }, headers)

    const constraintOf = ({ constraint: { name, parameters } }: Answered) => ({ name, parameters })
    const placeOf = ({ path }: Answered) => path.map(({ field_name, index }: Answered) => index ?? field_name).join('/')

    function requireReport(answer: ApiAnswer): Answered {
      const report = requireStatus(400, answer)
      assert.equal(report['entity-type'], 'validation_report')
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      return report
    }

    describe('reports', () => {
      test('a violation on each part of a list item, with the whole way to it', async () => {
        const report = requireReport(await post('Strict', { 'vs:users': [{ firstname: ' ', lastname: '1' }] }))
        assert.deepEqual(Object.keys(report.violations[0]), ['message', 'invalid_value', 'constraint', 'path'])
        const way = [
          { field_name: 'vs:users', is_list_item: false },
          { field_name: 'user', is_list_item: true, index: 0 },
        ]
        const constraint = { 'entity-type': 'validation_constraint', ...namePattern }
        const message = 'This value must match the format "[a-zA-Z]+".'
        assert.deepEqual(report, {
          'entity-type': 'validation_report',
          has_error: true,
          number: 2,
          violations: [
            { message, invalid_value: ' ', constraint, path: [...way, { field_name: 'firstname', is_list_item: false }] },
            { message, invalid_value: '1', constraint, path: [...way, { field_name: 'lastname', is_list_item: false }] },
          ],
        })
      })

      test('the same by id, by path, on creation and on change', async () => {
        const { uid, path } = await bench.create('Strict')
        const wrong = { 'vs:users': [{ firstname: 'Ann', lastname: 'Lee' }, { firstname: '2' }] }
        const reports = [await post('Strict', wrong), await put(`/id/${uid}`, wrong), await put(`/path${path}`, wrong)]
        for (const report of reports.map(requireReport)) {
          assert.deepEqual(report.violations.map(placeOf), ['vs:users/1/firstname'])
        }
      })

      test('a mandatory field that was not sent, or sent as null', async () => {
        const rest = { 'man:parts': ['a'], 'man:size': { width: 1 } }
        for (const sent of [rest, { ...rest, 'man:code': null }]) {
          const { number, violations } = requireReport(await post('Mandatory', sent))
          assert.equal(number, 1)
          assert.deepEqual(violations, [
            {
              message: 'Value is required.',
              invalid_value: null,
              constraint: { 'entity-type': 'validation_constraint', name: 'NotNullConstraint', parameters: {} },
              path: [{ field_name: 'man:code', is_list_item: false }],
            },
          ])
        }
        requireStatus(201, await post('Mandatory', { ...rest, 'man:code': '' }))
      })

      test('a mandatory list that is empty and a mandatory part with nothing in it', async () => {
        const full = { 'man:code': 'x', 'man:parts': ['a'], 'man:size': { height: 1 } }
        const rows = [
          { sent: { 'man:parts': [] }, place: 'man:parts' },
          { sent: { 'man:parts': null }, place: 'man:parts' },
          { sent: { 'man:size': {} }, place: 'man:size' },
          { sent: { 'man:size': { width: null, height: null } }, place: 'man:size' },
        ]
        for (const { sent, place } of rows) {
          const { violations } = requireReport(await post('Mandatory', { ...full, ...sent }))
          assert.deepEqual(
            violations.map((violation: Answered) => [placeOf(violation), constraintOf(violation).name]),
            [[place, 'NotNullConstraint']],
          )
        }
        const { uid } = requireStatus(201, await post('Mandatory', full))
        assert.equal(requireReport(await put(`/id/${uid}`, { 'man:parts': [], 'man:code': null })).number, 2)
      })

      const long = 'zzzzzzzzzzzzzzzzzzzz'
      const rules = [
        {
          sent: { 'vs:codes': ['ABC', 'abc', ''] },
          violations: [
            ['vs:codes/1', 'PatternConstraint', { Pattern: '[A-Z]{3}' }, 'abc'],
            ['vs:codes/2', 'PatternConstraint', { Pattern: '[A-Z]{3}' }, ''],
          ],
        },
        { sent: { 'vs:codes': ['ABCD'] }, violations: [['vs:codes/0', 'PatternConstraint', { Pattern: '[A-Z]{3}' }, 'ABCD']] },
        { sent: { 'vs:short': 'a' }, violations: [['vs:short', 'LengthConstraint', { Minimum: '2', Maximum: '4' }, 'a']] },
        {
          sent: { 'vs:short': 'abcde' },
          violations: [['vs:short', 'LengthConstraint', { Minimum: '2', Maximum: '4' }, 'abcde']],
        },
        { sent: { 'vs:color': 'blue' }, violations: [['vs:color', 'EnumConstraint', { Values: '[red, green]' }, 'blue']] },
        {
          sent: { 'vs:age': 150 },
          violations: [
            [
              'vs:age',
              'NumericIntervalConstraint',
              { Minimum: '0', MinimumInclusive: 'true', Maximum: '150', MaximumInclusive: 'false' },
              '150',
            ],
          ],
        },
        {
          sent: { 'vs:born': '1899-12-31T23:59:59.999Z' },
          violations: [
            [
              'vs:born',
              'DateIntervalConstraint',
              { Minimum: '1900-01-01', MinimumInclusive: 'true' },
              '1899-12-31T23:59:59.999Z',
            ],
          ],
        },
        {
          sent: { 'vs:owner': 'nobody' },
          violations: [
            ['vs:owner', 'userManagerResolver', { includeUsers: 'true', includeGroups: 'false', validation: 'true' }, 'nobody'],
          ],
        },
        {
          sent: { 'dc:nature': long },
          violations: [['dc:nature', 'directoryResolver', { directory: 'nature', validation: 'true' }, long]],
        },
        {
          sent: { 'dc:subjects': ['art/cinema', 'music/cinema'] },
          violations: [
            [
              'dc:subjects/1',
              'directoryResolver',
              { directory: 'l10nsubjects', parentField: 'parent', separator: '/', validation: 'true' },
              'music/cinema',
            ],
          ],
        },
        {
          sent: { 'dc:description': 'x'.repeat(2001) },
          violations: [['dc:description', 'LengthConstraint', { Maximum: '2000' }, 'x'.repeat(2001)]],
        },
      ]
      for (const { sent, violations } of rules) {
        const [name = '', value] = Object.entries(sent)[0] ?? []
        test(`${name} as ${JSON.stringify(value).slice(0, 40)}, by the name and parameters of its rule`, async () => {
          const report = requireReport(await post('Strict', sent))
          const shown = report.violations.map((violation: Answered) => {
            const { name: rule, parameters } = constraintOf(violation)
            return [placeOf(violation), rule, parameters, violation.invalid_value]
          })
          assert.deepEqual(shown, violations)
        })
      }

      test('everything that is wrong, not only the first', async () => {
        const sent = { 'vs:short': 'a', 'vs:color': 'blue', 'vs:age': -1, 'vs:codes': ['x', 'y'], 'dc:nature': 'zzz' }
        const report = requireReport(await post('Strict', sent))
        assert.deepEqual(report.violations.map(placeOf).toSorted(), [
          'dc:nature',
          'vs:age',
          'vs:codes/0',
          'vs:codes/1',
          'vs:color',
          'vs:short',
        ])
        assert.equal(report.number, 6)
      })
    })

    describe('speaks', () => {
      const speakers = [
        { language: undefined, message: 'Value is required.' },
        { language: 'en', message: 'Value is required.' },
        { language: 'fr', message: 'Une valeur est requise.' },
        { language: 'fr-CA, en;q=0.5', message: 'Une valeur est requise.' },
        { language: 'en;q=0.4, fr;q=0.9', message: 'Une valeur est requise.' },
        { language: 'xx', message: 'Value is required.' },
        { language: 'xx, fr;q=0.1', message: 'Une valeur est requise.' },
      ]
      for (const { language, message } of speakers) {
        test(`to a reader of ${language ?? 'nothing in particular'}: ${message}`, async () => {
          const sent = { 'man:parts': ['a'], 'man:size': { width: 1 } }
          const headers = language === undefined ? {} : { 'Accept-Language': language }
          const { violations } = requireReport(await post('Mandatory', sent, headers))
          assert.equal(violations[0].message, message)
        })
      }

      test('of a long value by its first fifteen characters', async () => {
        const { violations } = requireReport(await post('Strict', { 'dc:nature': '0123456789abcdefgh' }))
        assert.equal(violations[0].message, '"0123456789abcde..." is not a valid entry of the directory "nature".')
        assert.equal(violations[0].invalid_value, '0123456789abcdefgh')
      })

      for (const accept of ['application/json', '*/*', 'application/json+nxentity']) {
        test(`in the report to whoever accepts ${accept}`, async () => {
          assert.equal(requireReport(await post('Strict', { 'vs:age': -1 }, { Accept: accept })).number, 1)
        })
      }
    })

    describe('accepts', () => {
      test('null for whatever is not mandatory', async () => {
        const { uid } = await bench.create('Strict', { 'vs:short': 'abc', 'vs:color': 'red', 'vs:age': 3 })
        const nulls = ['users', 'codes', 'short', 'color', 'age', 'born', 'owner'].map((field) => [`vs:${field}`, null])
        await bench.update(uid, Object.fromEntries(nulls))
      })

      test('what is mandatory and has a default', async () => {
        const { uid } = await bench.create('Strict', { 'vs:kind': null })
        assert.equal((await bench.readProperties(uid))['vs:kind'], 'plain')
      })

      test('values at the ends of what is allowed', async () => {
        await bench.create('Strict', {
          'vs:short': 'ab',
          'vs:age': 0,
          'vs:born': '1900-01-01',
          'vs:owner': 'Administrator',
          'vs:codes': ['ABC'],
          'dc:description': 'x'.repeat(2000),
        })
      })
    })

    describe('on a change', () => {
      test('looks only at what is changed', async () => {
        const { uid } = await bench.create('Strict')
        await bench.change(uid, { properties: { 'vs:color': 'blue', 'vs:age': 3 } })
        await bench.update(uid, { 'dc:title': 'fine' })
        await bench.update(uid, { 'vs:color': 'blue' })
        assert.equal(requireReport(await put(`/id/${uid}`, { 'vs:color': 'pink' })).number, 1)
        const properties = await bench.readProperties(uid)
        assert.deepEqual([properties['vs:color'], properties['dc:title']], ['blue', 'fine'])
      })

      test('stores nothing of a request that it refuses', async () => {
        const { uid, path } = await bench.create('Strict', { 'dc:title': 'before' })
        const stored = await bench.read(uid, { properties: '*' })
        requireReport(await put(`/id/${uid}`, { 'dc:title': 'after', 'vs:age': -1 }))
        assert.deepEqual(await bench.read(uid, { properties: '*' }), stored)
        const child = { 'entity-type': 'document', type: 'Strict', name: 'child', properties: { 'vs:age': -1 } }
        requireReport(await administrator().post(`/path${path}`, child))
        requireStatus(404, await administrator().get(`/path${path}/child`))
      })
    })
  },
  { plugins: [specimens] },
)
