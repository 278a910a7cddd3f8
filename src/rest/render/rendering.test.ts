import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aRenderContext, aSession, type RenderOptions } from '../../../test/support/rendering.ts'
import { isShownInFull } from './rendering.ts'

const contextFor = (options: RenderOptions) => aRenderContext(aSession(), options)

describe('the schemas to show', () => {
  const headerNames = ['properties', 'x-nxproperties', 'x-nxdocumentproperties']

  for (const name of headerNames) {
    test(`are read from the header ${name}`, () => {
      assert.deepEqual(contextFor({ headers: { [name]: '*' } }).schemas, ['*'])
    })
    test(`are read from the parameter ${name}, whatever its case`, () => {
      assert.deepEqual(contextFor({ query: `${name.toUpperCase()}=file` }).schemas, ['file'])
    })
  }

  test('are none when none are asked for', () => {
    assert.deepEqual(contextFor({ headers: { accept: 'application/json' }, query: 'pageSize=5' }).schemas, [])
    assert.deepEqual(contextFor({ headers: { properties: '  ' } }).schemas, [])
    assert.deepEqual(contextFor({ headers: { properties: ' , ' } }).schemas, [])
  })

  test('come from a posted form too', () => assert.deepEqual(contextFor({ form: 'properties=note' }).schemas, ['note']))

  test('are the union of all that was sent, each once, in alphabetical order', () => {
    const schemaName = fc.stringMatching(/^[a-z_]{1,8}$/)
    const place = fc.record({ name: fc.constantFrom(...headerNames), isHeader: fc.boolean(), values: fc.array(schemaName) })
    fc.assert(
      fc.property(fc.array(place), (places) => {
        const headers: { [name: string]: string[] } = {}
        const query = new URLSearchParams()
        for (const { name, isHeader, values } of places) {
          const text = values.join(' ,  ')
          if (isHeader) headers[name] = [...(headers[name] ?? []), text]
          else query.append(name, text)
        }
        const all = places.flatMap(({ values }) => values)
        assert.deepEqual(contextFor({ headers, query: query.toString() }).schemas, [...new Set(all)].sort())
      }),
    )
  })
})

describe('what is asked of one entity type', () => {
  const wishes = ['enrichers', 'fetch', 'translate'] as const
  for (const wish of wishes) {
    for (const spelling of [`${wish}-document`, `${wish}.document`, `x-nx${wish}-document`, `x-nx${wish}.document`]) {
      test(`${spelling} is a way to say it, in a header or a parameter`, () => {
        assert.deepEqual(contextFor({ headers: { [spelling]: 'preview, acls' } })[wish]('document'), ['acls', 'preview'])
        assert.deepEqual(contextFor({ query: `${spelling}=acls` })[wish]('document'), ['acls'])
      })
    }
  }

  test('is not asked of another', () => {
    const context = contextFor({ headers: { 'fetch-document': 'lock', 'fetch-acls': 'username' } })
    assert.deepEqual(context.fetch('acls'), ['username'])
    assert.deepEqual(context.fetch('user'), [])
    assert.deepEqual(context.enrichers('document'), [])
  })

  test('names the type in any case', () => {
    const context = contextFor({ headers: { 'fetch-directoryentry': 'parent' }, query: 'Translate-DirectoryEntry=label' })
    assert.deepEqual(context.fetch('directoryEntry'), ['parent'])
    assert.deepEqual(context.translate('directoryEntry'), ['label'])
  })

  test('may be the old category header, for enrichers of documents only', () => {
    const context = contextFor({ headers: { 'x-nxcontext-category': 'thumbnail', 'enrichers-document': 'acls' } })
    assert.deepEqual(context.enrichers('document'), ['acls', 'thumbnail'])
    assert.deepEqual(context.enrichers('user'), [])
    assert.deepEqual(context.fetch('document'), [])
  })
})

describe('the depth', () => {
  const rows: [RenderOptions, number][] = [
    [{}, 0],
    [{ headers: { depth: 'root' } }, 0],
    [{ headers: { depth: 'children' } }, 1],
    [{ headers: { depth: 'max' } }, 2],
    [{ query: 'depth=max' }, 2],
    [{ query: 'Depth=children&depth=max' }, 1],
    [{ headers: { depth: 'children, max' } }, 1],
    [{ headers: { depth: 'bottomless' } }, 0],
    [{ headers: { depth: '' } }, 0],
  ]
  for (const [options, maxLevel] of rows) {
    test(`${JSON.stringify(options)} goes ${maxLevel} below the top`, () => assert.equal(contextFor(options).maxLevel, maxLevel))
  }

  test('says how many nested entities are shown in full', () => {
    const top = contextFor({ headers: { depth: 'children' } })
    const levels = [top, top.nested(), top.nested().nested()]
    assert.deepEqual(
      levels.map((context) => context.level),
      [0, 1, 2],
    )
    assert.deepEqual(levels.map(isShownInFull), [true, true, false])
  })

  test('leaves everything else of the context as it is further down', () => {
    const top = contextFor({ headers: { properties: '*', 'fetch-document': 'lock', 'accept-language': 'fr' } })
    const nested = top.nested()
    assert.deepEqual([nested.schemas, nested.fetch('document'), nested.locales], [['*'], ['lock'], ['fr']])
    assert.equal(nested.session, top.session)
  })
})

describe('the languages', () => {
  const rows: [string | undefined, string[]][] = [
    [undefined, []],
    ['fr', ['fr']],
    ['en;q=0.5, fr-CA, de;q=0.9', ['fr-CA', 'de', 'en']],
    ['fr, en', ['fr', 'en']],
    ['*, fr;q=0', []],
    ['fr;q=nonsense', ['fr']],
  ]
  for (const [header, locales] of rows) {
    test(`of ${header} are ${locales.join(', ') || 'none'}`, () => {
      assert.deepEqual(contextFor({ headers: { 'accept-language': header } }).locales, locales)
    })
  }
})
