import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from '../../rest/openapi/schema.ts'
import { readHeaders, readQuery } from '../../rest/payload/declared-input.ts'
import { searchSwitches } from '../../rest/request/declared-headers.ts'
import { providerParameters } from './search-parameters.ts'
import { searchRequestOf } from './search-request.ts'

const parse = (query: string, headers: { [name: string]: string } = {}) =>
  searchRequestOf({
    query: readQuery(providerParameters, new URLSearchParams(query)),
    headers: readHeaders(Type.Object(searchSwitches), { headers }),
  })

describe('a search request', () => {
  test('that asks for nothing leaves everything to the provider', () => {
    assert.deepEqual(parse(''), { parameters: [], named: {} })
  })
  test('has as many ordered parameters as are repeated, commas in them kept', () => {
    assert.deepEqual(parse('queryParams=a,b&queryParams=&queryParams=c').parameters, ['a,b', '', 'c'])
  })
  test('offers every parameter by its name, the first of several', () => {
    assert.deepEqual(parse('title=one&title=two&pageSize=3').named, { title: 'one', pageSize: '3' })
    assert.deepEqual(Object.keys(parse('__proto__=x&constructor=y').named ?? {}), ['__proto__', 'constructor'])
  })
  test('switches quick filters on by name', () => {
    assert.deepEqual(parse('quickFilters=noFolder, mostRecent').quickFilters, ['noFolder', 'mostRecent'])
  })
  test('leaves how far to count to the provider', () => {
    assert.ok(!('maxResults' in parse('maxResults=3')))
  })
  for (const [header, skips] of [
    ['true', true],
    ['TRUE', true],
    ['false', undefined],
    ['', undefined],
  ] as const) {
    test(`with skipAggregates ${header || 'empty'} ${skips ? 'skips them' : 'does not skip them'}`, () =>
      assert.equal(parse('', { skipaggregates: header }).skipsAggregates, skips))
  }
})
