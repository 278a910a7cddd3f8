import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPageProviders, unknownPageProvider } from './page-providers.ts'

describe('16.1 page providers', () => {
  test('are found by name', () => {
    const providers = createPageProviders([{ name: 'a', pageSize: 1 }])
    assert.equal(providers.read('a').pageSize, 1)
    assert.equal(providers.find('b'), undefined)
  })

  test('that are not there are named', () => {
    assert.throws(() => createPageProviders([]).read('x'), unknownPageProvider({ name: 'x' }))
    assert.equal(unknownPageProvider({ name: 'x' }).message, "Could not resolve page provider with name 'x'")
  })

  test('are replaced by a later definition of the name', () => {
    assert.equal(createPageProviders([{ name: 'a', pageSize: 1 }, { name: 'a' }]).read('a').pageSize, undefined)
  })

  test('are removed by one that is not enabled, and may be defined again', () => {
    const off = { name: 'a', enabled: false }
    assert.equal(createPageProviders([{ name: 'a' }, off]).find('a'), undefined)
    assert.deepEqual(createPageProviders([{ name: 'a' }, off, { name: 'a', pageSize: 2 }]).read('a').pageSize, 2)
  })

  test('have their texts in one line', () => {
    const text = `
      SELECT * FROM File
        WHERE dc:title = ?
    `
    const [pattern, whereClause] = [text, { fixedPart: text, predicates: [] }]
    const providers = createPageProviders([
      { name: 'a', pattern },
      { name: 'b', whereClause },
    ])
    assert.equal(providers.read('a').pattern, 'SELECT * FROM File WHERE dc:title = ?')
    assert.equal(providers.read('b').whereClause?.fixedPart, 'SELECT * FROM File WHERE dc:title = ?')
  })
})
