import type { Document } from '../../../src/model/document.ts'
import type { Properties, PropertyValue } from '../../../src/model/properties/property.ts'
import type { Acl } from '../../../src/model/rights/acl.ts'
import { compileQuery } from '../../../src/nxql/compile-query.ts'
import { tokenise } from '../../../src/nxql/fulltext/fulltext-tokens.ts'
import { aDocument } from '../model/builders.ts'
import { type Candidate, createEvaluator } from './evaluator.ts'
import { queryModel } from './query-model.ts'

export const now = '2024-05-01T12:00:00.000Z'

const memo = {
  key: 'abc',
  name: 'memo.txt',
  'mime-type': 'text/plain',
  encoding: null,
  digest: 'abc',
  digestAlgorithm: 'MD5',
  length: 25,
}

/** The few documents that the worked queries of the contract are about. */
const tree: readonly (Partial<Document> & { readonly id: string; readonly text?: string })[] = [
  { id: 'root', type: 'Root', path: '/', parentId: null },
  { id: 'alpha', type: 'Folder', path: '/alpha', parentId: 'root', properties: { 'dc:title': 'Alpha folder' } },
  { id: 'beta', type: 'Folder', path: '/beta', parentId: 'root', properties: { 'dc:modified': '2024-05-01T11:30:00.000Z' } },
  {
    id: 'f1',
    type: 'File',
    path: '/alpha/f1',
    parentId: 'alpha',
    text: 'Some café in a restaurant',
    properties: {
      'dc:title': 'First report',
      'dc:description': 'first_desc',
      'dc:subjects': ['foo', 'gee/moo'],
      'dc:coverage': 'football',
      'dc:created': '2007-03-01T12:00:00.000Z',
      'uid:uid': 'u-1',
      'file:content': memo,
    },
  },
  {
    id: 'f2',
    type: 'File',
    path: '/alpha/f2',
    parentId: 'alpha',
    properties: {
      'dc:title': 'Second report',
      'dc:contributors': ['bob', 'pete'],
      'dc:coverage': 'foo/bar',
      'dc:created': '2007-04-01T12:00:00.000Z',
    },
  },
  { id: 'n3', type: 'Note', path: '/alpha/n3', parentId: 'alpha', isCheckedIn: true, properties: thirdNote() },
  {
    id: 'n3v',
    type: 'Note',
    path: null,
    parentId: null,
    isVersion: true,
    isLatestVersion: true,
    minorVersion: 1,
    seriesId: 'n3',
    properties: thirdNote(),
  },
  { id: 'gamma', type: 'Folder', path: '/beta/gamma', parentId: 'beta' },
  { id: 'f4', type: 'File', path: '/beta/gamma/f4', parentId: 'gamma', properties: { 'dc:title': 'Fourth' } },
]

function thirdNote(): Properties {
  return { 'dc:title': 'Third note', 'dc:contributors': ['bob', 'john'] }
}

export type World = readonly Candidate[]

/** The documents, some of them changed by id, and more of them. */
export function aWorld(changes: { readonly [id: string]: Partial<Document> } = {}): World {
  const documents = new Map(tree.map(({ text: _, ...one }) => [one.id, aDocument({ name: one.id, ...one, ...changes[one.id] })]))
  for (const [id, change] of Object.entries(changes)) {
    if (!documents.has(id)) documents.set(id, aDocument({ id, name: id, path: `/${id}`, parentId: 'root', ...change }))
  }
  return [...documents.values()].map((document) => candidateOf(document, documents))
}

/** A world in which the file f4 was published into the folder alpha. */
export function publishedWorld(): World {
  const version = {
    properties: { 'dc:title': 'Fourth' },
    isVersion: true,
    isLatestVersion: true,
    minorVersion: 1,
    seriesId: 'f4',
  }
  return aWorld({
    f4: { isCheckedIn: true },
    f4v: { path: null, parentId: null, ...version },
    p: {
      path: '/alpha/f4',
      parentId: 'alpha',
      isProxy: true,
      targetId: 'f4v',
      seriesId: 'f4',
      properties: version.properties,
    },
  })
}

/** A world with one more document of every kind of field. */
export function worldWithSpecimen(properties: Properties, acls: readonly Acl[] = []): World {
  return aWorld({ s: { type: 'Specimen', properties, acls } })
}

function candidateOf(document: Document, all: ReadonlyMap<string, Document>): Candidate {
  const target = all.get(document.targetId ?? '')
  const ancestorIds: string[] = []
  for (let id = document.parentId; id !== null; id = all.get(id)?.parentId ?? null) ancestorIds.push(id)
  const file = tree.find(({ id }) => id === document.id)?.text ?? ''
  const words = new Map([
    ['default', [...textsOf(document.properties), file].flatMap((text) => [...tokenise(text), endOfField])],
    ['title', tokenise(String(document.properties['dc:title'] ?? ''))],
  ])
  return { document, ancestorIds, words, ...(target && { target }) }
}

// No word, so that no phrase reaches from one field into the next.
const endOfField = ''

function textsOf(value: PropertyValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** The ids of what a query finds, in alphabetical order. */
export function found(text: string, world: World = aWorld()): readonly string[] {
  const query = compileQuery(queryModel, text)
  return world
    .filter((candidate) => createEvaluator(query, candidate, now).matches())
    .map(({ document }) => document.id)
    .sort()
}

/** The rows of a record set, as they come. */
export function rowsOf(text: string, world: World = aWorld()): readonly (readonly PropertyValue[])[] {
  const query = compileQuery(queryModel, text, { form: 'records' })
  return world.flatMap((candidate) => createEvaluator(query, candidate, now).rows())
}
