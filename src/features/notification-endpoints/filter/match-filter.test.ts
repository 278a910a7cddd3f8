import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { endpointFields } from '../field-types.ts'
import { compileFilter } from './match-filter.ts'
import { FilterMistake, parseFilter } from './parse-filter.ts'

const entity = {
  kind: 'compute#notificationEndpoint',
  id: '5120398471239847123',
  creationTimestamp: '2026-02-03T04:05:06.789Z',
  name: 'hc-listener-a',
  description: 'Ops receiver (primary)',
  region: 'https://dms.example.org/compute/v1/projects/acme-ops/regions/us-east1',
  grpcSettings: { endpoint: 'notify.internal.example:8443', retryDurationSec: 60, resendInterval: { seconds: '900' } },
  selfLink: 'https://dms.example.org/compute/v1/x',
}

const matches = async (filter: string) => (await compileFilter(filter, endpointFields))(entity)

const letThrough = [
  'name = hc-listener-a',
  'name="hc-listener-a"',
  "name='hc-listener-a'",
  'name = hc-*',
  'name = *listener*',
  'name = h*c*a',
  'name != other',
  'description : OPS',
  'description:*',
  'description = "Ops receiver (primary)"',
  'id = 5120398471239847123',
  'id > 5120398471239847122',
  'id < 5120398471239847124',
  'grpcSettings.retryDurationSec > 30',
  'grpcSettings.retryDurationSec >= 60',
  'grpcSettings.retryDurationSec < 60.5',
  'grpc_settings.retry_duration_sec <= 60',
  'grpcSettings.resendInterval.seconds = 900',
  'creationTimestamp > 2026-02-03T04:05:06.788Z',
  'creationTimestamp = 2026-02-02T20:05:06.789-08:00',
  'creationTimestamp > "2026-02-03"',
  'creation_timestamp < 2026-02-03T04:05:07',
  'name eq hc-.*',
  'name eq "hc-(listener|reader)-[a-z]"',
  '(name eq hc-(listener|reader)-.)(description eq .*primary.*)',
  'name ne hc',
  'grpcSettings.authority != x',
  'grpcSettings.authority ne x',
  'NOT name = other',
  '-name = other',
  '-(name = other)',
  'NOT NOT name = hc-*',
  '(name = other) OR (name = hc-*)',
  'name = other OR name = hc-* AND id > 1',
  '(name = hc-*)(id > 1)',
  'name = hc-* id > 1',
  'name = hc-* AND (id > 1 OR id < 0)',
]
const heldBack = [
  'name = HC-LISTENER-A',
  'name = hc-listener-a*a',
  'name = a*',
  'name != hc-*',
  'description : nothing',
  'grpcSettings.authority:*',
  'grpcSettings.authority = x',
  'grpcSettings.authority > a',
  'NOT (name = hc-*)',
  'name eq hc',
  'name eq listener',
  'name ne hc-.*',
  'name = hc-* AND id < 1',
  '(name = other OR id < 0) AND name = hc-*',
  'name < a',
]
const refused = [
  '',
  'name',
  'name =',
  'name ~ x',
  'nothing = x',
  'grpcSettings = x',
  'grpcSettings.nothing = 1',
  'name = "open',
  '(name = a',
  'name = a)',
  'name = a OR',
  'AND name = a',
  'id = abc',
  'creationTimestamp > yesterday',
  'name eq (',
  'name eq (?=x)y',
  'name eq (a)\\1',
  '(name eq a) OR (name eq b)',
  'name = a OR NOT (name ne b)',
  `${'('.repeat(17)}name = a${')'.repeat(17)}`,
  `name = ${'a'.repeat(2_048)}`,
]

describe('a filter of notification endpoints', () => {
  for (const filter of letThrough) test(`lets through: ${filter}`, async () => assert.equal(await matches(filter), true))
  for (const filter of heldBack) test(`holds back: ${filter}`, async () => assert.equal(await matches(filter), false))
  for (const filter of refused) {
    test(`is refused: ${filter.slice(0, 40)}`, () => assert.rejects(matches(filter), FilterMistake))
  }

  test('is read or refused whatever it is, and never runs as code', () => {
    const words = fc.constantFrom(
      'name',
      'eq',
      'ne',
      '=',
      '!=',
      ':',
      '*',
      '(',
      ')',
      'AND',
      'OR',
      'NOT',
      '-',
      '"',
      "'",
      '\\',
      'a.b',
      ' ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 30 }).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            parseFilter(text)
          } catch (error) {
            assert.ok(error instanceof FilterMistake)
          }
        },
      ),
    )
  })

  test('takes time in proportion to the text, whatever the expression', async () => {
    const test = await compileFilter('description eq (a+)+b', endpointFields)
    assert.equal(test({ description: 'a'.repeat(20_000) }), false)
  })

  test('with wildcards finds what a regular expression finds', async () => {
    const alphabet = fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 6 }).map((signs) => signs.join(''))
    const texts = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 8 }).map((signs) => signs.join(''))
    await fc.assert(
      fc.asyncProperty(alphabet, texts, async (pattern, name) => {
        const isFound = (await compileFilter(`name = "${pattern}"`, endpointFields))({ name })
        assert.equal(isFound, new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name))
      }),
    )
  })
})
