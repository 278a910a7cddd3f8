import type { Document } from '../../src/model/document.ts'
import type { TestServer } from '../../src/testing.ts'
import { aStoredChild } from '../support/stored-document.ts'

const shelfSize = 500
const sentence = 'annual budget meeting report of the customer, with the offer, the order and the minutes of the review '

/**
 * Fills a server with folders of 500 notes and files, straight into its tables.
 * @param contentOf the number of the bytes that a document has, undefined for a note; who has the same comes one after the other
 */
export async function fillShelves(
  server: TestServer,
  count: number,
  contentOf: (number: number) => number | undefined,
): Promise<void> {
  for (let start = 0; start < count; start += shelfSize) {
    await server.asSystem(async ({ tx, repository }) => {
      const parent = (await tx.documents.findByPath('/default-domain/workspaces')) as Document
      const shelf = aStoredChild(parent, `shelf${start}`, { type: 'Folder', properties: { 'dc:title': `Shelf ${start}` } })
      const numbers = Array.from({ length: Math.min(shelfSize, count - start) }, (_, at) => start + at)
      const contents = new Set(numbers.map(contentOf).filter((content) => content !== undefined))
      const written = await Promise.all(
        [...contents].map(async (content) => {
          const stored = await repository.blobs.write(Buffer.from(`${sentence}${content}`))
          return [content, { ...stored, name: `${content}.txt`, 'mime-type': 'text/plain', encoding: null }] as const
        }),
      )
      const files = new Map<number | undefined, (typeof written)[number][1]>(written)
      const items = numbers.map((number) => {
        const content = files.get(contentOf(number))
        const properties = {
          'dc:title': `Item ${number}`,
          'dc:description': sentence.repeat(3),
          'dc:creator': 'ann',
          'dc:subjects': ['art'],
          ...(content && { 'file:content': content }),
        }
        return aStoredChild(shelf, `item${number}`, { type: content === undefined ? 'Note' : 'File', properties })
      })
      await tx.documents.insertMany([shelf, ...items])
    })
  }
}
