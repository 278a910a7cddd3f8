import type { Document } from '../../src/model/document.ts'
import type { Properties } from '../../src/model/properties/property.ts'
import type { Store } from '../../src/store/store.ts'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { aStoredChild } from '../support/stored-document.ts'

/** Many documents that are like those people keep: few of a kind, more of another, and with words that are rare or frequent. */
export interface Library {
  readonly folders: readonly Document[]
  readonly items: readonly Document[]
}

const shelfSize = 500
const insertedAtOnce = 2_000
const seed = 20_240_501

const words = (
  'annual budget meeting report invoice contract plan summary review minutes agenda letter offer order delivery project ' +
  'customer supplier employee travel expense insurance policy safety quality audit archive history design drawing note'
).split(' ')

/** Puts a library of so many documents below a folder, on shelves of 500. */
export async function fillLibrary(store: Store, parent: Document, count: number): Promise<Library> {
  const random = createRandom(seed)
  const folders = Array.from({ length: Math.ceil(count / shelfSize) }, (_, index) =>
    aStoredChild(parent, `shelf${index}`, { type: 'Folder', properties: { 'dc:title': `Shelf ${index}` } }),
  )
  const items = Array.from({ length: count }, (_, index) =>
    anItem(folders[Math.floor(index / shelfSize)] as Document, index, random),
  )
  await insertInParts(store, [...folders, ...items])
  return { folders, items }
}

async function insertInParts(store: Store, documents: readonly Document[]): Promise<void> {
  for (let start = 0; start < documents.length; start += insertedAtOnce) {
    await store.transact((tx) => tx.documents.insertMany(documents.slice(start, start + insertedAtOnce)))
  }
}

function anItem(folder: Document, index: number, random: Random): Document {
  const isNote = index % 10 === 0
  return aStoredChild(folder, `item${index}`, {
    type: isNote ? 'Note' : 'File',
    isTrashed: index % 50 === 7,
    properties: { ...described(index, random), ...(isNote ? aNote(random) : aFile(index)) },
  })
}

function described(index: number, random: Random): Properties {
  const created = dayOf(random.between(0, 1_000))
  return {
    'dc:title': `${textOf(3, random)} ${index}`,
    'dc:description': textOf(25, random),
    'dc:source': `source ${index}`,
    'dc:creator': `user${random.between(0, 100)}`,
    'dc:created': created,
    'dc:modified': dayOf(1_000 + random.between(0, 1_000)),
    'dc:contributors': [`user${random.between(0, 100)}`, `user${100 + random.between(0, 100)}`],
    'dc:subjects': Array.from({ length: random.between(2, 7) }, (_, place) => `subject${place}/${random.between(0, 60)}`),
    'uid:uid': `u-${index}`,
  }
}

function aNote(random: Random): Properties {
  return { 'note:note': textOf(60, random), 'note:mime_type': 'text/plain' }
}

function aFile(index: number): Properties {
  const digest = index.toString(16).padStart(32, '0')
  const content = { name: `file${index}.pdf`, 'mime-type': 'application/pdf', length: 1_000 + index, digest, key: digest }
  return { 'file:content': content }
}

function textOf(length: number, random: Random): string {
  return Array.from({ length }, () => random.pick(words)).join(' ')
}

function dayOf(day: number): string {
  return new Date(Date.UTC(2018, 0, 1 + day, 12)).toISOString()
}
