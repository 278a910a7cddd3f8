import { defineDocumentType, defineFacet } from '../../../src/model/document-type.ts'
import { blob, boolean, complex, date, double, type FieldDeclaration, list, long, string } from '../../../src/model/field.ts'
import { createModel, type Model } from '../../../src/model/model.ts'
import { type DocumentSchema, defineSchema } from '../../../src/model/schema.ts'
import type { Random } from '../../faults/kill/random.ts'
import { builtinContributions } from '../../support/model/builtin-model.ts'
import { happens, inOneWay, oneOf, times } from './chance.ts'

/** The types that documents of a random world are of, beside those that come with the server. */
export const ownTypes = ['Thing', 'SubThing', 'Box'] as const
export const ownFacet = 'Extra'

/** What every server knows, and schemas nobody has seen before: on types of their own, and on a facet. */
export function aModel(random: Random): Model {
  const thing = aSchema(random, 'thing', { prefix: 'th' })
  const unprefixed = aSchema(random, 'plain', {})
  const extra = aSchema(random, 'extra', { prefix: 'ex' })
  return createModel({
    ...builtinContributions,
    schemas: [...builtinContributions.schemas, thing, unprefixed, extra],
    facets: [...builtinContributions.facets, defineFacet(ownFacet, ['extra'])],
    documentTypes: [
      ...builtinContributions.documentTypes,
      defineDocumentType('Thing', { extends: 'File', schemas: ['thing'], lifecycle: 'default' }),
      defineDocumentType('SubThing', { extends: 'Thing', schemas: ['plain'] }),
      defineDocumentType('Box', { extends: 'Folder', schemas: ['plain'], facets: ['HiddenInNavigation'] }),
    ],
  })
}

/** One field of every kind, and some more of whatever kind. */
function aSchema(random: Random, name: string, options: { readonly prefix?: string }): DocumentSchema {
  const certain = { text: aText(random), words: list(string(), { indexed: happens(random, 0.5) }), rows: list(aPart(random, 0)) }
  const more = times(random, 4, 10, (index) => [`f${index}`, aField(random)] as const)
  return defineSchema(name, { ...options, fields: { ...certain, ...Object.fromEntries(more) } })
}

function aField(random: Random): FieldDeclaration {
  return inOneWay<FieldDeclaration>(random, [
    [6, () => aScalarField(random, happens(random, 0.3))],
    [3, () => list(aScalarField(random, false), { indexed: happens(random, 0.3) })],
    [2, () => aPart(random, 0)],
    [2, () => list(aPart(random, 0))],
    [1, () => blob()],
    [1, () => list(blob())],
  ])
}

function aScalarField(random: Random, indexed: boolean): FieldDeclaration {
  return oneOf(random, [() => aText(random), long, double, boolean, date])({ indexed })
}

function aText(random: Random): FieldDeclaration {
  return string({ indexed: happens(random, 0.4) })
}

function aPart(random: Random, depth: number): FieldDeclaration {
  const members = times(random, 1, 4, (index) => [`m${index}`, aMember(random, depth)] as const)
  return complex({ name: string(), count: long(), ...Object.fromEntries(members) })
}

function aMember(random: Random, depth: number): FieldDeclaration {
  return inOneWay<FieldDeclaration>(random, [
    [4, () => aScalarField(random, false)],
    [2, () => list(aScalarField(random, false))],
    [1, () => blob()],
    [depth === 0 ? 1 : 0, () => aPart(random, depth + 1)],
    [depth === 0 ? 1 : 0, () => list(aPart(random, depth + 1))],
  ])
}
