import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../base/json.ts'
import type { Fault } from './compute-problems.ts'
import { parseEndpoint } from './endpoint.ts'
import { camelOf, type JsonFields, snakeOf, spell } from './spelling.ts'

const good = { name: 'hc-a', grpcSettings: { endpoint: 'host' } }

function faultsOf(body: JsonFields): readonly string[] {
  const faults: Fault[] = []
  parseEndpoint(body, faults)
  return faults.map(({ reason, message }) => `${reason} ${message}`)
}

const withSettings = (settings: JsonFields) => ({ ...good, grpcSettings: { ...good.grpcSettings, ...settings } })

const accepted: { readonly [what: string]: JsonFields } = {
  'a host': good,
  'a host and port': withSettings({ endpoint: 'notify.example:8443' }),
  'an address for a resolver': withSettings({ endpoint: 'dns:///notify.example:8443' }),
  'an IPv6 address': withSettings({ endpoint: '[::1]:443' }),
  'the longest name': { ...good, name: `a${'b'.repeat(62)}` },
  'the shortest name': { ...good, name: 'a' },
  'the least of times': withSettings({ retryDurationSec: 1, resendInterval: { seconds: '600', nanos: 0 } }),
  'the most of times': withSettings({ retryDurationSec: 1_200, resendInterval: { seconds: 3_600 } }),
  'a duration as text': withSettings({ resendInterval: '900s' }),
  'output-only fields': { ...good, kind: 'x', id: '1', creationTimestamp: 'x', region: 'x', selfLink: 'x' },
  'snake case': {
    name: 'a',
    grpc_settings: { endpoint: 'h', retry_duration_sec: 5, payload_name: 'p', resend_interval: '900s' },
  },
  'both spellings that agree': { ...good, grpc_settings: { endpoint: 'host' } },
  'nothing for what is optional': { ...good, description: null },
}

const refused: { readonly [what: string]: readonly [JsonFields, RegExp] } = {
  'no name': [{ grpcSettings: { endpoint: 'h' } }, /^required .*'resource.name'/],
  'an empty name': [{ ...good, name: '' }, /^required/],
  'a name that is no text': [{ ...good, name: 5 }, /^invalid .*'resource.name'/],
  'an upper-case name': [{ ...good, name: 'Abc' }, /^invalid .*'resource.name'/],
  'a name that ends with a hyphen': [{ ...good, name: 'abc-' }, /^invalid/],
  'a name that begins with a digit': [{ ...good, name: '1abc' }, /^invalid/],
  'a name that is too long': [{ ...good, name: 'a'.repeat(64) }, /^invalid/],
  'no settings': [{ name: 'a' }, /^required .*'resource.grpcSettings'/],
  'settings that are no object': [{ name: 'a', grpcSettings: [] }, /^invalid .*'resource.grpcSettings'/],
  'no endpoint': [{ name: 'a', grpcSettings: {} }, /^required .*'resource.grpcSettings.endpoint'/],
  'an endpoint with a scheme': [withSettings({ endpoint: 'https://host' }), /^invalid .*endpoint/],
  'an endpoint with a path': [withSettings({ endpoint: 'host/path' }), /^invalid .*endpoint/],
  'a port beyond all ports': [withSettings({ endpoint: 'host:65536' }), /^invalid .*endpoint/],
  'port 0': [withSettings({ endpoint: 'host:0' }), /^invalid .*endpoint/],
  'an endpoint that is too long': [withSettings({ endpoint: `${'a.'.repeat(1_100)}b` }), /^invalid .*endpoint/],
  'an authority with a scheme': [withSettings({ authority: 'http://h' }), /^invalid .*authority/],
  'no time to retry': [withSettings({ retryDurationSec: 0 }), /^invalid .*retryDurationSec/],
  'too much time to retry': [withSettings({ retryDurationSec: 1_201 }), /^invalid .*retryDurationSec/],
  'a broken time to retry': [withSettings({ retryDurationSec: 1.5 }), /^invalid .*retryDurationSec/],
  'too short an interval': [withSettings({ resendInterval: { seconds: '599' } }), /^invalid .*seconds/],
  'too long an interval': [withSettings({ resendInterval: '3601s' }), /^invalid .*seconds/],
  nanoseconds: [withSettings({ resendInterval: { seconds: '900', nanos: 1 } }), /^invalid .*nanos/],
  'an interval that is none': [withSettings({ resendInterval: 'soon' }), /^invalid .*resendInterval/],
  'an unknown field': [{ ...good, colour: 'red' }, /^invalid Unknown name "colour"/],
  'an unknown setting': [withSettings({ colour: 'red' }), /^invalid Unknown name "colour"/],
  'an unknown part of the interval': [
    withSettings({ resendInterval: { seconds: '900', hours: 1 } }),
    /^invalid Unknown name "hours"/,
  ],
  'both spellings that differ': [{ ...good, grpc_settings: { endpoint: 'other' } }, /^invalid .*given twice/],
  'a long description': [{ ...good, description: 'a'.repeat(2_049) }, /^invalid .*description/],
  'a description that cannot be stored': [{ ...good, description: 'a\u0000b' }, /^invalid .*description/],
  'a long name for payloads': [withSettings({ payloadName: 'a'.repeat(1_025) }), /^invalid .*payloadName/],
}

describe('a notification endpoint that is sent', () => {
  for (const [what, body] of Object.entries(accepted)) {
    test(`is taken with ${what}`, () => assert.deepEqual(faultsOf(body), []))
  }
  for (const [what, [body, complaint]] of Object.entries(refused)) {
    test(`is refused with ${what}`, () => {
      const [first, ...others] = faultsOf(body)
      assert.match(first ?? '', complaint)
      assert.deepEqual(others, [])
    })
  }
  test('is told all that is wrong with it', () => {
    assert.equal(faultsOf({ name: 'A', grpcSettings: { retryDurationSec: 0 }, colour: 1 }).length, 4)
  })
  test('has thirty seconds for retries unless it says otherwise', () => {
    assert.equal(parseEndpoint(good, [])?.grpcSettings.retryDurationSec, 30)
  })
  test('has its interval as seconds in text, however they were sent', () => {
    for (const resendInterval of ['900s', { seconds: 900 }, { seconds: '900', nanos: 0 }] satisfies readonly Json[]) {
      assert.deepEqual(parseEndpoint(withSettings({ resendInterval }), [])?.grpcSettings.resendInterval, { seconds: '900' })
    }
  })
})

describe('a spelling', () => {
  test('goes there and back', () => {
    for (const name of ['creationTimestamp', 'retryDurationSec', 'kind', 'httpErrorStatusCode'])
      assert.equal(camelOf(snakeOf(name)), name)
  })
  test('is of fields at any depth, and leaves values alone', () => {
    assert.deepEqual(spell({ selfLink: 'aB', items: [{ targetId: null }], 'regions/us-east1': {} }, 'snake'), {
      self_link: 'aB',
      items: [{ target_id: null }],
      'regions/us-east1': {},
    })
  })
})
