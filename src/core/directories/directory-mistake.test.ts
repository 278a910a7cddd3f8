import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinContributions } from '../../../test/support/model/builtin-model.ts'
import { blob, boolean, list, long, string } from '../../model/field.ts'
import { createModel } from '../../model/model.ts'
import { defineSchema } from '../../model/schema.ts'
import { type DirectoryOptions, defineDirectory } from './directory-definition.ts'
import { findDirectoryMistake } from './directory-mistake.ts'

const model = createModel({
  ...builtinContributions,
  schemas: [
    ...builtinContributions.schemas,
    defineSchema('thing', {
      fields: {
        id: string(),
        number: long(),
        isOld: boolean(),
        secret: string(),
        parent: string(),
        friends: list(string()),
        pals: list(string()),
        sizes: list(long()),
      },
    }),
    defineSchema('scan', { fields: { id: string(), file: blob() } }),
  ],
})

const other = defineDirectory('other', { schema: 'vocabulary' })

function mistakeOf(options: Partial<DirectoryOptions>, name = 'things'): string | undefined {
  const definition = defineDirectory(name, { schema: 'thing', ...options })
  return findDirectoryMistake(
    definition,
    new Map([
      [other.name, other],
      [name, definition],
    ]),
    model,
  )
}

const friends = { field: 'friends', reference: 'friends', end: 'targets', directory: 'other' } as const

describe('a definition of a directory', () => {
  const sound: readonly [what: string, options: Partial<DirectoryOptions>][] = [
    ['nothing but a schema', {}],
    ['numbers for ids', { idField: 'number', autoincrementId: true }],
    ['a parent in itself', { parentDirectory: 'things' }],
    ['fields to search and look up by', { searchFields: ['id', 'secret'], indexedFields: ['parent'] }],
    ['a password', { passwordField: 'secret' }],
    ['a constraint', { deleteConstraints: [{ directory: 'other', field: 'label' }] }],
    ['a reference', { references: [friends] }],
  ]
  for (const [what, options] of sound) test(`is sound with ${what}`, () => assert.equal(mistakeOf(options), undefined))

  const mistaken: readonly [options: Partial<DirectoryOptions>, mistake: string][] = [
    [{ schema: 'nothing' }, 'names the unknown schema nothing'],
    [{ schema: 'scan' }, 'has the field file of its schema for files, which no entry holds'],
    [{ idField: 'name' }, 'has the idField name, which its schema does not have'],
    [{ idField: 'isOld' }, 'has the idField isOld, which is neither a string nor a long'],
    [{ autoincrementId: true }, 'counts its ids, for which the field id must be a long'],
    [{ querySizeLimit: -1 }, 'has the querySizeLimit -1, which is no number of entries'],
    [{ querySizeLimit: 1.5 }, 'has the querySizeLimit 1.5, which is no number of entries'],
    [{ searchFields: ['id', 'name'] }, 'names name in searchFields, which is no string of its schema'],
    [{ indexedFields: ['number'] }, 'names number in indexedFields, which is no string of its schema'],
    [{ uniqueFields: ['label'] }, 'names label in uniqueFields, but not in indexedFields'],
    [{ passwordField: 'number' }, 'names number in passwordField, which is no string of its schema'],
    [{ passwordField: 'secret', searchFields: ['secret'] }, 'lets its password be searched'],
    [{ parentDirectory: 'nowhere' }, 'has the unknown parentDirectory nowhere'],
    [{ schema: 'vocabulary', parentDirectory: 'other' }, 'has a parentDirectory, but its schema has no field parent'],
    [{ deleteConstraints: [{ directory: 'nowhere', field: 'x' }] }, 'has a delete constraint on the unknown directory nowhere'],
    [
      { deleteConstraints: [{ directory: 'other', field: 'x' }] },
      'has a delete constraint on the field x, which the directory other does not have',
    ],
    [
      { references: [{ ...friends, field: 'sizes' }] },
      'has a reference in the field sizes, which is no list of strings of its schema',
    ],
    [
      { references: [{ ...friends, field: 'none' }] },
      'has a reference in the field none, which is no list of strings of its schema',
    ],
    [{ references: [{ ...friends, directory: 'nowhere' }] }, 'has a reference to the unknown directory nowhere'],
    [{ references: [friends, friends] }, 'has two uses for the field friends'],
    [{ references: [friends, { ...friends, field: 'pals' }] }, 'shows the targets of the reference friends in two fields'],
  ]
  for (const [options, mistake] of mistaken) test(`is mistaken: it ${mistake}`, () => assert.equal(mistakeOf(options), mistake))

  for (const name of ['', 'a/b', '@x', 'a?b'])
    test(`is mistaken when it is called ${JSON.stringify(name)}`, () =>
      assert.equal(mistakeOf({}, name), 'has a name that no address can hold'))
})
