import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aModel } from '../../test/support/model/builders.ts'
import { defineDocumentType, defineFacet } from './document-type.ts'
import { boolean, complex, list, long, string } from './field.ts'
import type { Lifecycle } from './lifecycle.ts'
import { defaultProperties, unknownType } from './model.ts'
import { type ModelContributions, modelMistake } from './model-contributions.ts'
import { defineSchema } from './schema.ts'

const invoice = defineSchema('invoice', {
  prefix: 'inv',
  fields: { number: string(), amount: long({ default: 0 }) },
  secured: ['amount'],
})
const dates = defineSchema('dates', { fields: { due: string(), isPaid: boolean({ default: false }) } })
const marks = defineSchema('marks', { fields: { number: string(), tags: list(string()) } })

const model = aModel({
  schemas: [invoice, dates, marks],
  facets: [defineFacet('Folderish'), defineFacet('Dated', ['dates']), defineFacet('Marked', ['marks'])],
  documentTypes: [
    defineDocumentType('Document', {}),
    defineDocumentType('Folder', { extends: 'Document', facets: ['Folderish'], subtypes: ['Invoice'] }),
    defineDocumentType('Invoice', { extends: 'Document', schemas: ['invoice'], lifecycle: 'short' }),
    defineDocumentType('DatedInvoice', { extends: 'Invoice', facets: ['Dated'] }),
    defineDocumentType('Box', { extends: 'Folder' }),
    defineDocumentType('Relation', {}),
  ],
  lifecycles: [{ name: 'short', initial: 'open', states: { open: ['close'], closed: [] }, transitions: { close: 'closed' } }],
})

describe('the shape of a document', () => {
  test('has the schemas and facets of its type and those above, and the schemas the facets bring', () => {
    const shape = model.shapeOf({ type: 'DatedInvoice' })
    assert.deepEqual(shape.facets, ['Dated'])
    assert.deepEqual(
      shape.schemas.map((schema) => schema.name),
      ['invoice', 'dates'],
    )
    assert.deepEqual([...shape.properties.keys()], ['inv:number', 'inv:amount', 'dates:due', 'dates:isPaid'])
  })

  test('has what its own facets bring, once', () => {
    const shape = model.shapeOf({ type: 'DatedInvoice', facets: ['Marked', 'Dated'] })
    assert.deepEqual(shape.facets, ['Dated', 'Marked'])
    assert.deepEqual([shape.hasFacet('Marked'), shape.hasSchema('marks'), shape.hasFacet('Folderish')], [true, true, false])
    assert.equal(shape.properties.size, 6)
  })

  test('is made once, whatever the order of the facets', () => {
    const facets = ['Marked', 'Folderish']
    assert.equal(model.shapeOf({ type: 'Invoice', facets }), model.shapeOf({ type: 'Invoice', facets: facets.toReversed() }))
    assert.equal(model.shapeOf({ type: 'Invoice', facets: [] }), model.shapeOf({ type: 'Invoice' }))
  })

  test('does not inherit child types', () => {
    assert.deepEqual(model.shapeOf({ type: 'Folder' }).type.subtypes, ['Invoice'])
    assert.deepEqual(model.shapeOf({ type: 'Box' }).type.subtypes, [])
  })

  test('does not exist for an unknown type', () => {
    assert.throws(() => model.shapeOf({ type: 'Foo' }), { code: unknownType.code, message: 'Type: Foo does not exist' })
  })

  test('gives a fresh document its declared defaults', () => {
    assert.deepEqual(defaultProperties(model.shapeOf({ type: 'DatedInvoice', facets: ['Marked'] })), {
      'inv:amount': 0,
      'dates:isPaid': false,
    })
  })
})

describe('the model', () => {
  test('finds a property by prefix, by schema name, and by a bare name that only one schema has', () => {
    assert.equal(model.findProperty('inv:amount'), model.findProperty('invoice:amount'))
    assert.equal(model.findProperty('inv:amount'), model.findProperty('amount'))
    assert.equal(model.findProperty('inv:amount')?.isSecured, true)
    assert.equal(model.findProperty('inv:number')?.isSecured, false)
    assert.equal(model.findProperty('number'), undefined, 'two schemas have it')
    assert.equal(model.findProperty('constructor'), undefined)
  })

  test('knows the types below a type, itself included', () => {
    assert.deepEqual(model.typesExtending('Invoice'), ['Invoice', 'DatedInvoice'])
    assert.equal(model.typesExtending('Document').includes('Relation'), false)
    assert.deepEqual(model.typesExtending('Foo'), [])
  })

  test('knows the types with a facet, inherited ones included', () => {
    assert.deepEqual(model.typesWithFacet('Folderish'), ['Folder', 'Box'])
  })

  test('knows the types that are reserved, by themselves or by a facet, and those that extend them', () => {
    const documentTypes = [
      defineDocumentType('Document', {}),
      defineDocumentType('Own', { isReserved: true, extends: 'Document' }),
      defineDocumentType('BelowOwn', { extends: 'Own' }),
      defineDocumentType('Stamped', { extends: 'Document', facets: ['Plain', 'Stamp'] }),
      defineDocumentType('BelowStamped', { extends: 'Stamped' }),
      defineDocumentType('Free', { extends: 'Document', facets: ['Plain'] }),
    ]
    const facets = [defineFacet('Plain'), defineFacet('Stamp', [], { isReserved: true })]
    assert.deepEqual([...aModel({ documentTypes, facets }).reservedTypes], ['Own', 'BelowOwn', 'Stamped', 'BelowStamped'])
  })

  test('knows the lists that other documents agree with', () => {
    const guests = defineSchema('guests', {
      prefix: 'gst',
      fields: { of: list(string(), { isMutual: true }), by: list(string()) },
    })
    assert.deepEqual(aModel({ schemas: [invoice, guests] }).mutualProperties, ['gst:of'])
  })

  test('gives a lifecycle to the very type that names it, and to none below', () => {
    assert.equal(model.lifecycleOf('Invoice')?.initial, 'open')
    assert.equal(model.lifecycleOf('DatedInvoice'), undefined)
    assert.equal(model.lifecycleOf('Foo'), undefined)
  })

  test('tries versioning policies by ascending order', () => {
    const aPolicy = (id: string, order: number) => ({ id, order, when: 'after' as const, increment: 'minor' as const })
    const { versioningPolicies } = aModel({ versioningPolicies: [aPolicy('c', 100), aPolicy('a', 1), aPolicy('b', 50)] })
    assert.deepEqual(
      versioningPolicies.map((policy) => policy.id),
      ['a', 'b', 'c'],
    )
  })

  test('joins additions to a type', () => {
    const extended = aModel({
      schemas: [invoice, dates],
      facets: [defineFacet('Folderish')],
      documentTypes: [defineDocumentType('Box', { schemas: ['invoice'], subtypes: ['Box'] })],
      documentTypeAdditions: [
        { type: 'Box', schemas: ['dates', 'invoice'], facets: ['Folderish'] },
        { type: 'Box', forbiddenSubtypes: ['Box'] },
      ],
    })
    assert.deepEqual(extended.types.get('Box'), {
      name: 'Box',
      schemas: ['invoice', 'dates'],
      facets: ['Folderish'],
      subtypes: ['Box'],
      forbiddenSubtypes: ['Box'],
    })
  })

  test('puts an addition before what it names, and nothing that was there elsewhere', () => {
    const { types } = aModel({
      facets: ['Here', 'There', 'Marked', 'Added'].map((name) => defineFacet(name)),
      documentTypes: [
        defineDocumentType('Box', { facets: ['Here', 'There'], subtypes: ['Box', 'Crate'] }),
        defineDocumentType('Crate', {}),
      ],
      documentTypeAdditions: [
        { type: 'Box', facets: ['Marked', 'Here'], before: 'There' },
        { type: 'Box', facets: ['Added'], subtypes: ['Crate'], before: 'There' },
      ],
    })
    assert.deepEqual(types.get('Box')?.facets, ['Here', 'Marked', 'Added', 'There'])
    assert.deepEqual(types.get('Box')?.subtypes, ['Box', 'Crate'])
  })
})

describe('a mistake stops the server:', () => {
  const document = defineDocumentType('Document', {})
  const lifecycle = (options: Partial<Lifecycle>): Partial<ModelContributions> => ({
    lifecycles: [
      { name: 'short', initial: 'open', states: { open: ['close'], closed: [] }, transitions: { close: 'closed' }, ...options },
    ],
  })
  const mistakes: [string, Partial<ModelContributions>, string][] = [
    ['a schema defined twice', { schemas: [dates, dates] }, 'schema dates: is defined twice'],
    [
      'two schemas with one prefix and field',
      { schemas: [invoice, defineSchema('bill', { prefix: 'inv', fields: { number: string() } })] },
      'schema bill: field inv:number is also in schema invoice',
    ],
    [
      'a schema with the prefix of the system',
      { schemas: [defineSchema('mine', { prefix: 'ecm', fields: { uuid: string() } })] },
      "schema mine: cannot have the prefix ecm, which is the system's own",
    ],
    [
      'a prefix that an xpath cannot have',
      { schemas: [defineSchema('mine', { prefix: 'a:b', fields: {} })] },
      "schema mine: cannot go by the name 'a:b'",
    ],
    ['a schema with a comma', { schemas: [defineSchema('a,b', { fields: {} })] }, "schema a,b: cannot go by the name 'a,b'"],
    ['a facet with a space', { facets: [defineFacet('A B')] }, "facet A B: cannot go by the name 'A B'"],
    [
      'a type that no address can have',
      { documentTypes: [defineDocumentType('A/B', {})] },
      "document type A/B: cannot go by the name 'A/B'",
    ],
    [
      'a field named with a slash',
      { schemas: [defineSchema('bad', { fields: { 'a/b': string() } })] },
      "schema bad: cannot name a field 'a/b'",
    ],
    [
      'a field named as what every object has, however deep',
      { schemas: [defineSchema('bad', { fields: { a: list(complex({ toString: string() })) } })] },
      "schema bad: cannot name a field 'toString'",
    ],
    [
      'a pattern that is none',
      { schemas: [defineSchema('bad', { fields: { a: list(string({ pattern: '[' })) } })] },
      'schema bad: field item has the pattern [, which is no regular expression',
    ],
    [
      'a secured field that is not there',
      { schemas: [defineSchema('bad', { fields: {}, secured: ['a'] })] },
      'schema bad: secures the unknown field a',
    ],
    [
      'a field both there and removed',
      { schemas: [defineSchema('bad', { fields: { a: string() }, removed: { a: {} } })] },
      'schema bad: field a is both there and removed',
    ],
    ['a facet defined twice', { facets: [defineFacet('A'), defineFacet('A')] }, 'facet A: is defined twice'],
    ['a facet with an unknown schema', { facets: [defineFacet('A', ['nothing'])] }, 'facet A: names the unknown schema nothing'],
    ['a type defined twice', { documentTypes: [document, document] }, 'document type Document: is defined twice'],
    [
      'a type with an unknown schema',
      { documentTypes: [defineDocumentType('A', { schemas: ['nothing'] })] },
      'document type A: names the unknown schema nothing',
    ],
    [
      'a type with an unknown facet',
      { documentTypes: [defineDocumentType('A', { facets: ['Nothing'] })] },
      'document type A: names the unknown facet Nothing',
    ],
    [
      'a type with an unknown child type',
      { documentTypes: [defineDocumentType('A', { subtypes: ['Nothing'] })] },
      'document type A: names the unknown document type Nothing',
    ],
    [
      'a type that extends an unknown one',
      { documentTypes: [defineDocumentType('A', { extends: 'Nothing' })] },
      'document type A: names the unknown document type Nothing',
    ],
    [
      'a type with an unknown lifecycle',
      { documentTypes: [defineDocumentType('A', { lifecycle: 'nothing' })] },
      'document type A: names the unknown lifecycle nothing',
    ],
    [
      'a type with a transition of its own that its lifecycle does not have',
      { documentTypes: [defineDocumentType('A', { ownTransitions: ['fly'] })] },
      'document type A: names the unknown transition fly',
    ],
    [
      'a type that extends itself',
      { documentTypes: [defineDocumentType('A', { extends: 'A' })] },
      'document type A: extends itself',
    ],
    [
      'types that extend each other',
      { documentTypes: [defineDocumentType('A', { extends: 'B' }), defineDocumentType('B', { extends: 'A' })] },
      'document type A: extends itself',
    ],
    [
      'an addition to an unknown type',
      { documentTypeAdditions: [{ type: 'Nothing' }] },
      'addition to Nothing: names the unknown document type Nothing',
    ],
    [
      'an addition before what the type does not have',
      {
        facets: [defineFacet('Marked')],
        documentTypes: [defineDocumentType('Box', {})],
        documentTypeAdditions: [{ type: 'Box', facets: ['Marked'], before: 'Lid' }],
      },
      'addition to Box: is to stand before Lid, which the type does not have',
    ],
    ['a lifecycle that starts nowhere', lifecycle({ initial: 'born' }), 'lifecycle short: starts in the unknown state born'],
    [
      'a lifecycle that starts in what every object has',
      lifecycle({ initial: 'toString' }),
      'lifecycle short: starts in the unknown state toString',
    ],
    [
      'a transition that leads nowhere',
      lifecycle({ transitions: { close: 'gone' } }),
      'lifecycle short: transition close leads to the unknown state gone',
    ],
    [
      'a state that allows an unknown transition',
      lifecycle({ states: { open: ['close', 'fly'], closed: [] } }),
      'lifecycle short: state open allows the unknown transition fly',
    ],
    [
      'a permission defined twice',
      {
        permissions: [
          { name: 'A', includes: [] },
          { name: 'A', includes: [] },
        ],
      },
      'permission A: is defined twice',
    ],
    [
      'a permission that includes an unknown one',
      { permissions: [{ name: 'A', includes: ['B'] }] },
      'permission A: names the unknown permission B',
    ],
  ]
  for (const [sentence, contributions, message] of mistakes) {
    test(sentence, () => assert.throws(() => aModel(contributions), { code: modelMistake.code, message }))
  }
})

test('a model of nothing is a model', () => assert.equal(aModel({}).types.size, 0))
