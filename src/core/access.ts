import { newId } from '../base/ids.ts'
import { type Principal, systemPrincipal } from '../model/rights/principal.ts'
import type { Transaction, TransactOptions } from '../store/store.ts'
import { announceSessionSaved, createEventBundle, enqueueListenerJobs, runAfterCommit } from './event.ts'
import { FileWatches } from './file-watches.ts'
import type { Repository, Session, WriteSession } from './session.ts'

/**
 * The one way into a repository: a principal and a repository, from which sessions are opened. A request has one, as have the
 * call of an operation, a job and a command.
 * @example
 * const clearRemark: JobHandler = {
 *   kind: 'clearRemark',
 *   run: async (payload, repository) => {
 *     await systemAccess(repository).write((session) => saveDocument(session, String(payload), { 'dc:description': null }))
 *   },
 * }
 */
export interface Access {
  readonly principal: Principal
  readonly repository: Repository
  /** Looks at the repository as it is when each look is taken; inside a transaction with what that has written. */
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result>
  /**
   * One transaction; inside a transaction that one. The body may run twice, so it keeps nothing from an earlier run, and waits for
   * nothing but the store.
   */
  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /**
   * A part that may fail by itself: all that it wrote and announced in the open transaction is undone, nothing else is, and what it
   * threw is thrown. Outside of a transaction each `write` is such a part already.
   */
  attempt<Result>(body: () => Promise<Result>): Promise<Result>
  /** The same principal where users, groups and vocabularies live: in `repository.home`. */
  readonly directories: Access
}

export function accessTo(repository: Repository, principal: Principal): Access {
  return new RepositoryAccess(repository, principal)
}

/** For what the server does by itself: nothing is refused. */
export function systemAccess(repository: Repository): Access {
  return accessTo(repository, systemPrincipal())
}

export function isWriting(session: Session): session is WriteSession {
  return 'tx' in session
}

/** From inside a session: what is written becomes part of its transaction, where it has one. */
export function accessIn(session: Session): Access {
  return isWriting(session) ? new TransactionAccess(session) : accessTo(session.repository, session.principal)
}

export class RepositoryAccess implements Access {
  readonly repository: Repository
  readonly principal: Principal

  constructor(repository: Repository, principal: Principal) {
    this.repository = repository
    this.principal = principal
  }

  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return body(openSession(this.repository, this.principal))
  }

  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    return transact(this.repository, this.principal, body, this.transactOptions())
  }

  attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    return body()
  }

  get directories(): Access {
    const { home } = this.repository
    return home === this.repository ? this : this.accessTo(home)
  }

  protected accessTo(repository: Repository): Access {
    return new RepositoryAccess(repository, this.principal)
  }

  protected transactOptions(): TransactOptions | undefined {
    return undefined
  }
}

class TransactionAccess implements Access {
  readonly #session: WriteSession

  constructor(session: WriteSession) {
    this.#session = session
  }

  get repository(): Repository {
    return this.#session.repository
  }

  get principal(): Principal {
    return this.#session.principal
  }

  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return body(this.#session)
  }

  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    return body(this.#session)
  }

  async attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    const { tx, events } = this.#session
    const forget = events.mark()
    try {
      return await tx.attempt(body)
    } catch (error) {
      forget()
      throw error
    }
  }

  get directories(): Access {
    const { repository, principal } = this.#session
    return repository.home === repository ? this : accessTo(repository.home, principal)
  }
}

/** The same session for another principal, in the same transaction. */
export function actingAs<S extends Session>(session: S, principal: Principal): S {
  const acting: S = { ...session, principal, asSystem: () => ({ ...acting, principal: systemPrincipal(principal) }) }
  return acting
}

export function openSession(repository: Repository, principal: Principal): Session {
  const { model, store } = repository
  const session: Session = {
    principal,
    repository,
    model,
    reader: store.reader,
    now: repository.now(),
    asSystem: () => ({ ...session, principal: systemPrincipal(principal) }),
  }
  return session
}

async function transact<Result>(
  repository: Repository,
  principal: Principal,
  body: (session: WriteSession) => Promise<Result>,
  options: TransactOptions | undefined,
): Promise<Result> {
  const { result, events } = await repository.store.transact(async (tx) => {
    const session = openWriteSession(repository, principal, tx)
    const done = await body(session)
    await announceSessionSaved(session)
    await enqueueListenerJobs(session)
    await session.settleFiles()
    return { result: done, events: session.events }
  }, options)
  await runAfterCommit(repository, events)
  return result
}

function openWriteSession(repository: Repository, principal: Principal, tx: Transaction): WriteSession {
  const files = new FileWatches(() => session)
  tx.watch(files)
  const session: WriteSession = {
    id: newId(),
    principal,
    repository,
    model: repository.model,
    reader: tx,
    tx,
    events: createEventBundle(),
    now: repository.now(),
    settleFiles: () => files.settle(),
    asSystem: () => ({ ...session, principal: systemPrincipal(principal) }),
  }
  return session
}
