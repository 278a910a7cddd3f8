import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineDocumentType } from '../model/document-type.ts'
import { string } from '../model/field.ts'
import { defineSchema } from '../model/schema.ts'
import { definePlugin } from './define-plugin.ts'
import { findContributor, gatherPlugins, parsePlugins } from './gather-plugins.ts'

const invoice = defineSchema('invoice', { fields: { number: string() } })
const invoices = definePlugin({
  name: 'invoices',
  schemas: [invoice],
  documentTypes: [defineDocumentType('Invoice', { schemas: ['invoice'] })],
})

describe('what a configuration lists as plugins', () => {
  const mistakes: [what: string, value: unknown, message: string][] = [
    ['a text', 'invoices', 'plugin number 1: is not made by definePlugin'],
    ['null', null, 'plugin number 1: is not made by definePlugin'],
    ['an object without a name', { schemas: [] }, 'plugin number 1: has no name'],
    ['an unknown contribution', { name: 'p', shemas: [] }, 'plugin p: contributes shemas, which does not exist'],
    ['a contribution that is no list', { name: 'p', schemas: invoice }, 'plugin p: schemas must be a list'],
  ]
  for (const [what, value, message] of mistakes) {
    test(`is refused when it is ${what}`, () => assert.throws(() => parsePlugins([value]), { message }))
  }

  test('is taken when it is made by definePlugin', () => assert.deepEqual(parsePlugins([invoices]), [invoices]))
})

describe('gathered plugins', () => {
  test('have the contributions of all in the order of the plugins', () => {
    const more = definePlugin({ name: 'more', requires: ['invoices'], schemas: [defineSchema('more', { fields: {} })] })
    const gathered = gatherPlugins([invoices, more])
    assert.deepEqual(
      gathered.schemas.map((schema) => schema.name),
      ['invoice', 'more'],
    )
    assert.deepEqual(gathered.listeners, [])
  })

  test('cannot have the same name', () => {
    assert.throws(() => gatherPlugins([invoices, invoices]), { message: 'plugin invoices: is there twice' })
  })

  test('cannot contribute the same thing, and both are named', () => {
    const other = definePlugin({ name: 'other', schemas: [invoice] })
    assert.throws(() => gatherPlugins([invoices, other]), {
      message: 'plugin other: schemas: invoice is contributed by invoices already',
    })
  })

  test('need what they require before them', () => {
    const needy = definePlugin({ name: 'needy', requires: ['invoices'] })
    assert.throws(() => gatherPlugins([needy]), { message: 'plugin needy: requires invoices, which is not there' })
    assert.throws(() => gatherPlugins([needy, invoices]), {
      message: 'plugin needy: requires invoices, which must come before it',
    })
  })

  test('can be told apart by what they contribute', () => {
    assert.equal(findContributor([definePlugin({ name: 'others' }), invoices], invoice), 'invoices')
    assert.equal(findContributor([invoices], { ...invoice }), undefined)
  })
})
