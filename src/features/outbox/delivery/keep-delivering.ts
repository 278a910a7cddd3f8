import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { systemAccess } from '../../../core/access.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import {
  beginDelivery,
  type DeliveryLease,
  endDelivery,
  listLeases,
  releaseLease,
  renewLeases,
  takeLease,
} from './stored-deliveries.ts'
import { deliverEvents } from './stream.ts'
import type { DeliverySource, DeliveryTarget } from './target.ts'

export interface DeliveryOptions {
  /** So long a process that says nothing has a target to itself; then another takes it over. */
  readonly leaseMilliseconds: number
}

/**
 * Delivers to all targets of a source for as long as the signal lets it. Each target is told by one process of a deployment at a time: who
 * delivers adds to a number every now and then, and who sees the same number for as long as a lease is takes over. No clock of
 * another machine matters. A process that cannot add to its numbers stops delivering before any other could begin.
 */
export async function keepDelivering(
  services: Services,
  source: DeliverySource,
  options: DeliveryOptions,
  signal: AbortSignal,
): Promise<void> {
  const keepers = [...services.repositories.values()].map((repository) => createKeeper(repository, source.prefix, options))
  try {
    while (!signal.aborted) {
      const targets = await source.list(services)
      try {
        await Promise.all(keepers.map((keeper) => keeper.keep(targets)))
      } finally {
        const used = new Set(keepers.flatMap((keeper) => keeper.used()))
        for (const target of targets) if (!used.has(target)) target.close()
      }
      const usual = options.leaseMilliseconds / 3
      await delay(Math.min(usual, targets.length === 0 ? idleLook : longestLook), undefined, { signal, ref: false }).catch(
        () => {},
      )
    }
  } finally {
    await Promise.all(keepers.map((keeper) => keeper.end()))
  }
}

/** After so long a new target is begun with. */
const longestLook = 1_000
const idleLook = 2_000

interface Running {
  readonly target: DeliveryTarget
  readonly end: AbortController
  readonly ended: Promise<void>
}

interface DeliveryKeeper {
  /** Begins what is not delivered, ends what there is no more, and says that the rest goes on. */
  keep(targets: readonly DeliveryTarget[]): Promise<void>
  used(): readonly DeliveryTarget[]
  end(): Promise<void>
}

function createKeeper(repository: Repository, prefix: string, { leaseMilliseconds }: DeliveryOptions): DeliveryKeeper {
  const owner = randomUUID()
  const running = new Map<string, Running>()
  const seen = new Map<string, { readonly mark: string; readonly since: number }>()
  const write = <Result>(body: Parameters<typeof writeTables<Result>>[1]) => writeTables(repository, body)
  let renewed = 0
  // Well before others take over.
  const alarm = createDeadline(leaseMilliseconds * 0.8, () => {
    for (const { end } of running.values()) end.abort()
  })

  function start(target: DeliveryTarget): void {
    const end = new AbortController()
    const ended = deliverEvents({ repository, target, owner, signal: end.signal })
      .catch((err: unknown) => {
        const about = { event: 'delivery.interrupted', reader: target.reader, err }
        repository.log.warn(about, 'a delivery was interrupted and will go on')
      })
      .then(() => {
        target.close()
        running.delete(target.reader)
      })
    running.set(target.reader, { target, end, ended })
  }

  async function stop(reader: string): Promise<void> {
    const one = running.get(reader)
    one?.end.abort()
    await one?.ended
  }

  /** Whether nobody has said anything about it for as long as a lease is. */
  function isAbandoned({ reader, owner: other, beat }: DeliveryLease): boolean {
    const mark = `${other} ${beat}`
    const before = seen.get(reader)
    if (before?.mark !== mark) {
      seen.set(reader, { mark, since: performance.now() })
      return false
    }
    return performance.now() - before.since >= leaseMilliseconds
  }

  async function renew(): Promise<void> {
    const began = performance.now()
    if (running.size === 0 || began - renewed < leaseMilliseconds / 4) return
    await write((tables) => renewLeases(tables, owner))
    renewed = began
    alarm.putOff(began)
  }

  async function keep(targets: readonly DeliveryTarget[]): Promise<void> {
    await renew()
    const byReader = new Map(targets.map((target) => [target.reader, target]))
    for (const { target } of [...running.values()]) {
      if (byReader.get(target.reader)?.version !== target.version) await stop(target.reader)
    }
    const { tables } = repository.store.reader
    const known = new Set((await listLeases(tables, prefix)).map(({ reader }) => reader))
    const fresh = targets.filter(({ reader }) => !known.has(reader))
    const gone = [...known].filter((reader) => !byReader.has(reader))
    if (fresh.length + gone.length > 0) {
      await write(async (writer) => {
        for (const { reader } of fresh) await beginDelivery(writer, reader)
        for (const reader of gone) await endDelivery(writer, reader)
      })
    }
    for (const lease of await listLeases(tables, prefix)) {
      const target = byReader.get(lease.reader)
      if (target === undefined || running.has(lease.reader)) continue
      const isFree = lease.owner === null || lease.owner === owner || isAbandoned(lease)
      const began = performance.now()
      if (!isFree || !(await write((writer) => takeLease(writer, lease, owner)))) continue
      if (running.size === 0) {
        renewed = began
        alarm.putOff(began)
      }
      start(target)
    }
  }

  return {
    keep,
    used: () => [...running.values()].map(({ target }) => target),
    async end() {
      alarm.end()
      const readers = [...running.keys()]
      await Promise.all(readers.map(stop))
      await write(async (tables) => {
        for (const reader of readers) await releaseLease(tables, reader, owner)
      }).catch((err: unknown) => {
        const about = { event: 'delivery.notReleased', repository: repository.name, err }
        repository.log.warn(about, 'deliveries could not be handed over, and go on elsewhere after a while')
      })
    },
  }
}

type TablesOf = Parameters<typeof beginDelivery>[0]

function writeTables<Result>(repository: Repository, body: (tables: TablesOf) => Promise<Result>): Promise<Result> {
  return systemAccess(repository).write(({ tx }) => body(tx.tables))
}

/** Does something unless it is put off in time. */
function createDeadline(milliseconds: number, onLate: () => void): { putOff(from: number): void; end(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    putOff(from) {
      clearTimeout(timer)
      timer = setTimeout(onLate, Math.max(0, from + milliseconds - performance.now())).unref()
    },
    end: () => clearTimeout(timer),
  }
}
