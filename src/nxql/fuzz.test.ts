import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fuzzQueries, sampleQueries } from '../../test/support/nxql/fuzz.ts'
import { queryModel } from '../../test/support/nxql/query-model.ts'
import { placeBindings } from './binding-placement.ts'
import { compileQuery } from './compile-query.ts'
import { failedQuery } from './failed-query.ts'
import { toNormalForm } from './normal-form.ts'

describe('whatever text arrives', () => {
  test('each sample is a query, so that the changed ones are nearly queries', () => {
    for (const query of sampleQueries) assert.doesNotThrow(() => compileQuery(queryModel, query), query)
  })

  test('it is a query or is refused at a place inside it', () => {
    const { understood, refused } = fuzzQueries(5_000, 1)
    assert.ok(understood > 500 && refused > 500, `${understood} understood, ${refused} refused`)
  })

  test('it is a query or is refused, also if it is any text at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
        assert.throws(() => compileQuery(queryModel, text), failedQuery.is)
      }),
    )
  })
})

describe('time and stack', () => {
  const lengthy: { readonly [name: string]: (length: number) => string } = {
    'a long list': (length) => `SELECT * FROM File WHERE dc:title IN (${Array(length).fill("'a'").join(',')})`,
    'many conditions': (length) => `SELECT * FROM File WHERE ${Array(length).fill("dc:title = 'a'").join(' AND ')}`,
    'many negations': (length) => `SELECT * FROM File WHERE ${'NOT '.repeat(length)}dc:title = 'a'`,
    'many wildcards': (length) => `SELECT * FROM File WHERE ${Array(length).fill("dc:subjects/* = 'a'").join(' OR ')}`,
    'one correlated wildcard': (length) => `SELECT * FROM File WHERE ${Array(length).fill("dc:subjects/*1 = 'a'").join(' AND ')}`,
    'a long string': (length) => `SELECT * FROM File WHERE dc:title = '${'\\a'.repeat(length * 4)}'`,
    'a long name': (length) => `SELECT * FROM File WHERE ${'a/'.repeat(length * 4)}a = 1`,
    'a long pattern': (length) => `SELECT * FROM File WHERE dc:title LIKE '${'a%'.repeat(length * 4)}'`,
    'many words': (length) => `SELECT * FROM File WHERE ecm:fulltext = '${'a -b '.repeat(length)}'`,
    'only blanks': (length) => ' '.repeat(length * 10),
    'no end of a hint': (length) => `SELECT * FROM File WHERE /*+ES: INDEX(${'a,'.repeat(length * 4)}`,
    'open strings': (length) => `SELECT * FROM File WHERE ${'\'"'.repeat(length * 4)}`,
    'calls in calls': (length) => `SELECT ${'f('.repeat(length)}`,
    'parentheses in parentheses': (length) => `SELECT * FROM File WHERE ${'('.repeat(length)}`,
    'negated parentheses': (length) => `SELECT * FROM File WHERE ${'NOT ('.repeat(length)}`,
  }
  for (const [name, make] of Object.entries(lengthy)) {
    // All take a tenth of that at most; what is squared would take minutes.
    test(`${name} of twenty thousand is read or refused within two seconds`, () => {
      const text = make(20_000)
      const started = performance.now()
      try {
        placeBindings(toNormalForm(compileQuery(queryModel, text).where))
      } catch (error) {
        assert.ok(failedQuery.is(error), String(error))
      }
      assert.ok(performance.now() - started < 2_000)
    })
  }

  const nested = (depth: number) => `SELECT * FROM File WHERE ${'('.repeat(depth)}dc:title = 'a'${')'.repeat(depth)}`

  test('two hundred parentheses inside each other are read', () => {
    assert.doesNotThrow(() => compileQuery(queryModel, nested(200)))
  })

  test('one more is refused where it opens', () => {
    assert.throws(() => compileQuery(queryModel, nested(201)), {
      message: /, Syntax error: More than 200 parentheses inside each other at offset 225\. /,
    })
  })
})
