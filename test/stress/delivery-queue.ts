import sql from 'sql-template-tag'
import { collectAllGarbage } from '../../src/base/garbage.ts'
import { systemAccess } from '../../src/core/access.ts'
import { beginDelivery, takeLease } from '../../src/features/outbox/delivery/stored-deliveries.ts'
import { deliverEvents } from '../../src/features/outbox/delivery/stream.ts'
import type { DeliveryTarget } from '../../src/features/outbox/delivery/target.ts'
import { startTestServer } from '../../src/testing.ts'
import type { EngineName } from '../support/database-place.ts'
import { onStressPlace } from './stress-place.ts'

const mostMegabytes = 30

/** Delivers a long queue. Gives whether all came in their order and the process took no more memory for it. */
export function stressDeliveryQueue(engine: EngineName, events: number): Promise<boolean> {
  return onStressPlace(engine, async (place) => {
    const server = await startTestServer({ settings: { ...place.settings } })
    const repository = server.services.repositories.get('default')
    if (repository === undefined) throw new Error('There is no repository named default.')
    const end = new AbortController()
    let [count, most, inOrder] = [0, 0, true]
    const heap = () => {
      collectAllGarbage()
      return process.memoryUsage().heapUsed / 1e6
    }
    const target: DeliveryTarget = {
      reader: 'queue',
      address: 'receiver',
      version: '1',
      events: ['queued'],
      retrySeconds: 60,
      isConcerned: async () => true,
      async send({ json }) {
        count += 1
        inOrder &&= Number(JSON.parse(json).comment) === count
        if (count % 10_000 === 0) most = Math.max(most, heap())
        if (count === events) end.abort()
        return { kind: 'delivered' }
      },
      close() {},
    }
    await systemAccess(repository).write(async ({ tx: { tables } }) => {
      await beginDelivery(tables, target.reader)
      await takeLease(tables, { reader: target.reader, owner: null, beat: 0 }, 'stress')
      await tables.run(sql`
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${events})
        INSERT INTO outbox_events (event, event_date, principal_name, is_quiet, comment)
        SELECT 'queued', 1000000000000, 'nobody', 0, CAST(n AS text) FROM numbers`)
    })
    const before = heap()
    const began = performance.now()
    await deliverEvents({ repository, target, owner: 'stress', signal: end.signal })
    const seconds = (performance.now() - began) / 1_000
    await server.stop()
    const grown = most - before
    const isSound = inOrder && count === events && grown < mostMegabytes
    console.log(
      `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${count} events in ${seconds.toFixed(0)} s, ${inOrder ? 'in order' : 'NOT in order'}, ${grown.toFixed(1)} MB more in memory at most`,
    )
    return isSound
  })
}
