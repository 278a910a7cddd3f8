import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import type { Repository, Session } from '../../src/core/session.ts'
import { type EngineClient, openEngineClient } from '../../src/features/search-engine/engine-client.ts'
import { createEngineCounts } from '../../src/features/search-engine/engine-counts.ts'
import { bodyOf } from '../../src/features/search-engine/engine-search.ts'
import { createEngineFeed } from '../../src/features/search-engine/feed/engine-feed.ts'
import { indexDefinition } from '../../src/features/search-engine/query/index-definition.ts'
import { compileQuery } from '../../src/nxql/compile-query.ts'
import { createDocumentIndexing } from '../../src/nxql/document-indexing.ts'
import { failedQuery } from '../../src/nxql/failed-query.ts'
import type { Query } from '../../src/nxql/query.ts'
import { createRandom } from '../faults/kill/random.ts'
import { type OpenSearchServer, startOpenSearchServer } from '../support/opensearch-server.ts'
import { freshPostgresSchema } from '../support/postgres.ts'
import { aLook } from './differential/agreement.ts'
import { textOf } from './differential/query-text.ts'
import { aQuery } from './differential/random-query.ts'
import { now } from './differential/random-values.ts'
import { createWorld, type EngineWorld, type World } from './differential/world.ts'

const seeds = [1, 2, 3]
const queriesInWorld = 400

describe('random queries about random documents', () => {
  let engine: OpenSearchServer
  let client: EngineClient

  before(async () => {
    engine = await startOpenSearchServer()
    client = await openEngineClient(engine, { searchMilliseconds: 5_000 })
  })
  after(async () => {
    await client?.close()
    await engine?.stop()
  })

  for (const seed of seeds) {
    test(`find in the search engine what both databases find, in the same order (seed ${seed})`, {
      timeout: 60_000,
    }, async () => {
      const random = createRandom(seed)
      const world = await createWorld(random, await freshPostgresSchema(), 60)
      try {
        const indexes = await Promise.all(world.engines.map((one, at) => fill(world, one, `w${seed}-${at}`)))
        let served = 0
        for (let round = 0; round < queriesInWorld; round++) {
          const parts = aQuery(random, world.subjects)
          const look = aLook(random, world)
          const query = understand(world, textOf({ ...parts, select: '*' }))
          if (query === undefined) continue
          for (const [at, one] of world.engines.entries()) {
            const found = await compare(world, one, indexes[at] ?? '', query, look)
            if (found) served += 1
          }
        }
        assert.ok(served > queriesInWorld / 4, `only ${served} searches were the engine's`)
      } finally {
        await world.close()
      }
    })
  }

  async function fill(world: World, { store }: EngineWorld, name: string): Promise<string> {
    const repository = { name: 'default', store, model: world.model, log: silentLog } as unknown as Repository
    await client.createIndex(name, indexDefinition(world.model))
    const indexing = createDocumentIndexing(world.model)
    const feed = createEngineFeed({ client, repository, indexing, bulkBytes: 20_000, counts: createEngineCounts() })
    const ids = (await store.reader.documents.listIdsAfter(0, 1_000)).map(({ id }) => id)
    await feed.tell([name], ids, 1)
    await client.refresh(name)
    assert.equal(engine.indexes.get(name)?.size, ids.length)
    return name
  }

  /** Whether it was the engine's. */
  async function compare(
    { model }: World,
    { store, acpIds }: EngineWorld,
    index: string,
    query: Query,
    look: ReturnType<typeof aLook>,
  ): Promise<boolean> {
    const readableAcps = look.readable?.flatMap((list) => acpIds[list] ?? [])
    const scope = { now, ...(readableAcps !== undefined && { readableAcps }) }
    const window = { offset: look.offset, limit: look.limit ?? 100 }
    const session = { model, reader: store.reader } as unknown as Session
    const body = await bodyOf(session, query, scope, window, 5_000)
    if (body === undefined) return false
    const found = await client.search(index, body)
    const { ids } = await store.reader.search.listPageOfIds(query, scope, window)
    const about = `${store.engine}: ${query.text}`
    assert.deepEqual(found.ids, ids, about)
    assert.equal(found.total, await store.reader.search.count(query, scope, 'documents', undefined), about)
    return true
  }

  function understand({ model }: World, text: string): Query | undefined {
    try {
      return compileQuery(model, text)
    } catch (error) {
      if (failedQuery.is(error)) return undefined
      throw error
    }
  }
})
