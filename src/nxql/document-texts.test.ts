import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aModel } from '../../test/support/model/builders.ts'
import { defineDocumentType, defineFacet } from '../model/document-type.ts'
import { blob, boolean, clob, complex, date, type FieldDeclaration, list, long, string } from '../model/field.ts'
import type { Properties, PropertyValue } from '../model/properties/property.ts'
import { defineSchema } from '../model/schema.ts'
import { createDocumentTexts, endOfText, entryOf } from './document-indexing.ts'
import { tokenise } from './fulltext/fulltext-tokens.ts'
import { defaultTextRules, type TextRules } from './query-settings.ts'

const fields: { readonly [name: string]: FieldDeclaration } = {
  title: string(),
  description: string(),
  text: clob(),
  words: list(string()),
  day: date(),
  count: long(),
  on: boolean(),
  file: blob(),
  people: list(complex({ name: string(), age: long(), nicknames: list(string()) })),
}
const model = aModel({
  schemas: [defineSchema('dublincore', { prefix: 'dc', fields })],
  facets: [defineFacet('NotFulltextIndexable')],
  documentTypes: [
    defineDocumentType('Thing', { schemas: ['dublincore'] }),
    defineDocumentType('Secret', { schemas: ['dublincore'], facets: ['NotFulltextIndexable'] }),
  ],
})

const file = {
  key: 'abc',
  name: 'annual report.txt',
  'mime-type': 'text/plain',
  encoding: null,
  digest: 'abc',
  digestAlgorithm: 'MD5',
  length: 3,
}

function indexed(
  properties: Properties,
  given: Partial<TextRules> & { type?: string; facets?: string[]; files?: string[] } = {},
) {
  const { type = 'Thing', facets = [], files = [], ...rules } = given
  const texts = createDocumentTexts(model, { ...defaultTextRules, ...rules })
  const document = { type, facets, properties }
  return entryOf(texts.wordsOf(document, texts.textsOf(document), files))
}

const wordsOf = (properties: Properties, given?: Parameters<typeof indexed>[1]) =>
  indexed(properties, given)
    .everything.split(' ')
    .filter((word) => word !== endOfText && word !== '')

describe('full text has', () => {
  test('every text, in lists and inside values at any depth', () => {
    const people = [{ name: 'Ann', age: 7, nicknames: ['Annie', 'Nan'] }, { name: 'Bob' }]
    assert.deepEqual(wordsOf({ 'dc:title': 'One', 'dc:words': ['two', 'three'], 'dc:people': people }), [
      'ann',
      'annie',
      'nan',
      'bob',
      'one',
      'two',
      'three',
    ])
  })

  test('no dates, numbers or flags', () => {
    assert.deepEqual(wordsOf({ 'dc:day': '2024-05-01T00:00:00.000Z', 'dc:count': 7, 'dc:on': true }), [])
  })

  test('of a file the name, and the text that was read from it', () => {
    assert.deepEqual(wordsOf({ 'dc:file': file }, { files: ['Sales were good'] }), [
      'annual',
      'report',
      'txt',
      'sales',
      'were',
      'good',
    ])
  })

  test('of HTML what a person reads, and entities as what they stand for', () => {
    const page = '<html><body><p class="x">caf&eacute; <b>noir</b></p></body></html>'
    assert.deepEqual(wordsOf({ 'dc:text': page }), ['cafe', 'noir'])
    assert.deepEqual(wordsOf({ 'dc:text': 'R&amp;D caf&eacute;' }), ['r', 'd', 'cafe'])
  })

  test('title and description once more, each for itself', () => {
    const { title, description, everything } = indexed({ 'dc:title': 'A Title', 'dc:description': '<p>Some text</p>' })
    assert.deepEqual([title, description], ['a title', 'some text'])
    assert.equal(everything, `some text ${endOfText} a title`)
  })

  test('nothing of properties that the model does not know', () => {
    assert.deepEqual(wordsOf({ 'gone:title': 'One' }), [])
  })
})

describe('full text has nothing at all of', () => {
  const named: Properties = { 'dc:title': 'One', 'dc:description': 'Two' }
  const nothing = { everything: '', title: '', description: '' }

  test('a type that says so, and a document that does', () => {
    assert.deepEqual(indexed(named, { type: 'Secret', files: ['three'] }), nothing)
    assert.deepEqual(indexed(named, { facets: ['NotFulltextIndexable'], files: ['three'] }), nothing)
  })

  test('types that the settings exclude or, including others, leave out', () => {
    assert.deepEqual(indexed(named, { excludedTypes: ['Thing'] }), nothing)
    assert.deepEqual(indexed(named, { includedTypes: ['Other'] }), nothing)
    assert.equal(indexed(named, { excludedTypes: ['Other'], includedTypes: ['Thing'] }).title, 'one')
  })
})

describe('a limit', () => {
  test('cuts the fields together and the files together, each to so many characters', () => {
    assert.deepEqual(
      wordsOf({ 'dc:title': 'abcde', 'dc:words': ['fghij', 'klmno'] }, { sizeLimit: 8, files: ['pqrst', 'uvwxyz'] }),
      ['abcde', 'fgh', 'pqrst', 'uvw'],
    )
  })

  test('leaves the same words, in whatever order an engine gives the properties', () => {
    const properties = { 'dc:title': 'abcde', 'dc:description': 'fghij', 'dc:text': 'klmno' }
    const reversed = Object.fromEntries(Object.entries(properties).reverse())
    assert.deepEqual(indexed(properties, { sizeLimit: 7 }), indexed(reversed, { sizeLimit: 7 }))
  })

  test('of 0 is none', () => {
    assert.equal(wordsOf({ 'dc:text': 'word '.repeat(100_000) }, { sizeLimit: 0 }).length, 100_000)
  })

  test('leaves no half of a character', () => {
    for (let sizeLimit = 1; sizeLimit < 8; sizeLimit++) {
      assert.ok(indexed({ 'dc:title': 'a𝒳𝒴𝒵' }, { sizeLimit }).everything.isWellFormed())
    }
  })
})

test('no phrase reaches from one text into the next, and every word of a text is there in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
      const texts = words.map((word) => word.replaceAll('<', ' ').replaceAll('&', ' '))
      const expected = texts.map((text) => tokenise(text).join(' ')).filter((text) => text !== '')
      assert.equal(indexed({ 'dc:words': texts }).everything, expected.join(` ${endOfText} `))
    }),
  )
})

test('the mark between texts is no word that a query can ask for', () => {
  assert.deepEqual(tokenise(`a${endOfText}b ${endOfText}`), ['a', 'b'])
})

test('only what can hold text is looked at', () => {
  const { isTexted } = createDocumentTexts(model, defaultTextRules)
  const texted = Object.keys(fields).filter((name) => isTexted(`dc:${name}`))
  assert.deepEqual(texted, ['title', 'description', 'text', 'words', 'file', 'people'])
})

test('a value that is not of its type does no harm', () => {
  for (const value of [7, true, null, ['a', 7, null], { name: 7 }] as readonly PropertyValue[]) {
    for (const name of Object.keys(fields)) wordsOf({ [`dc:${name}`]: value })
  }
})
