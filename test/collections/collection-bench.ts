import type { TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { type OperationBench, operationBenchOn, type Role, uidsOf } from '../support/operation-bench.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

/** Collections and what is in them, as several users see it. */
export interface CollectionBench extends OperationBench {
  file(title?: string): Promise<string>
  /** Of the administrator in the shared folder, with these members. */
  collection(...members: readonly string[]): Promise<string>
  add(input: unknown, collection: string, as?: Role): Promise<Answered>
  /** As the collection lists them. */
  listed(collection: string): Promise<readonly string[]>
  /** As documents say of themselves that they are in it, what is done in the background done. */
  members(collection: string): Promise<readonly string[]>
  memberships(uid: string): Promise<readonly string[]>
  /** What an enricher adds. */
  enriched(uid: string, enricher: string, as?: Role): Promise<Answered>
  /** Ids on a page of a provider. */
  page(provider: string, parameter: string, as?: Role, more?: string): Promise<readonly string[]>
}

export function collectionBenchOn(server: TestServer): CollectionBench {
  const bench = operationBenchOn(server)
  const add: CollectionBench['add'] = (input, collection, as = 'Administrator') =>
    bench.run('Document.AddToCollection', input, { collection }, { as })
  return {
    ...bench,
    add,
    file: async (title = 'file') => (await bench.make('File', { 'dc:title': title })).uid,
    async collection(...members) {
      const { uid } = await bench.run('Collection.Create', bench.shared.uid, { name: 'gathered' })
      if (members.length > 0) await add(members, uid)
      return uid
    },
    listed: async (collection) => (await bench.readProperties(collection))['collection:documentIds'],
    async members(collection) {
      await untilIdle(server)
      const query = encodeURIComponent(`SELECT * FROM Document WHERE collectionMember:collectionIds/* = '${collection}'`)
      return uidsOf(requireStatus(200, await server.as('Administrator').get(`/search/execute?query=${query}`))).toSorted()
    },
    memberships: async (uid) => ((await bench.row(uid)).properties['collectionMember:collectionIds'] ?? []) as readonly string[],
    async enriched(uid, enricher, as = 'Administrator') {
      const answer = await server.as(as).get(`/id/${uid}`, { 'enrichers-document': enricher })
      return requireStatus(200, answer).contextParameters[enricher]
    },
    async page(provider, parameter, as = 'Administrator', more = '') {
      const answer = await server.as(as).get(`/search/pp/${provider}/execute?queryParams=${encodeURIComponent(parameter)}${more}`)
      return uidsOf(requireStatus(200, answer))
    },
  }
}
