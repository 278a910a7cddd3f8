import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '../store/store.ts'
import { systemAccess } from './access.ts'
import type { ListenerGate, Repository, Session, WriteSession } from './session.ts'

const lookEveryMillis = 5_000

/**
 * What is in force for all writes of a repository, such as rules that somebody has made. Every process looks for it every few seconds, whoever
 * writes, and hears of its own changes at once; so what another process has changed may be unknown for that long. While there is none, the
 * gate is closed, and a write costs nothing more.
 */
export interface ActiveList<Item> {
  readonly gate: ListenerGate
  /** A background task. */
  readonly look: {
    readonly name: string
    run(services: { readonly repositories: ReadonlyMap<string, Repository> }, signal: AbortSignal): Promise<void>
  }
  /** For a write: what is known to its transaction from now on. */
  load(session: WriteSession): Promise<readonly Item[]>
  /** The same again, at once; nothing where the transaction has not loaded it. */
  loaded(session: WriteSession): readonly Item[]
  /** It is read anew once the transaction has committed. */
  forget(session: WriteSession): void
}

/** `read` is asked as the server, by each process every few seconds, in repositories of any size. */
export function createActiveList<Item>(name: string, read: (session: Session) => Promise<readonly Item[]>): ActiveList<Item> {
  const known = new Map<Repository, readonly Item[] | undefined>()
  const byTransaction = new WeakMap<Transaction, readonly Item[]>()
  // Plain data, which listeners are passed over by. Open before the first look.
  const gate = { isOpen: true }
  let changes = 0
  /** What was read before something changed is not known any more. */
  const know = (repository: Repository, items: readonly Item[] | undefined, changesSeen = changes) => {
    if (changesSeen !== changes) return
    known.set(repository, items)
    gate.isOpen = known.values().some((one) => one === undefined || one.length > 0)
  }
  return {
    gate,
    look: {
      name,
      async run({ repositories }, signal) {
        while (!signal.aborted) {
          for (const repository of repositories.values()) {
            const changesSeen = changes
            know(repository, await systemAccess(repository).read(read), changesSeen)
          }
          await delay(lookEveryMillis, undefined, { signal, ref: false }).catch(() => {})
        }
      },
    },
    async load(session) {
      const { tx, repository } = session
      const changesSeen = changes
      const items = byTransaction.get(tx) ?? known.get(repository) ?? (await read(session.asSystem()))
      byTransaction.set(tx, items)
      if (known.get(repository) === undefined) tx.afterCommit(() => know(repository, items, changesSeen))
      return items
    },
    loaded: ({ tx }) => byTransaction.get(tx) ?? [],
    forget({ tx, repository }) {
      byTransaction.delete(tx)
      tx.afterCommit(() => {
        changes += 1
        know(repository, undefined)
      })
    },
  }
}
