import { type Principal, systemPrincipal } from '../model/principal.ts'
import type { Transaction, TransactOptions } from '../store/store.ts'
import { createEventBundle, runAfterCommit } from './event.ts'
import type { Repository, Session, WriteSession } from './session.ts'

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

/** Runs the body in one transaction. It may run twice, so it keeps nothing from an earlier run. */
export function transact<Result>(
  repository: Repository,
  principal: Principal,
  body: (session: WriteSession) => Promise<Result>,
  options?: TransactOptions,
): Promise<Result> {
  return repository.store.transact(async (tx) => {
    const session = openWriteSession(repository, principal, tx)
    const result = await body(session)
    tx.afterCommit(() => void runAfterCommit(repository, session.events))
    return result
  }, options)
}

function openWriteSession(repository: Repository, principal: Principal, tx: Transaction): WriteSession {
  const session: WriteSession = {
    principal,
    repository,
    model: repository.model,
    reader: tx,
    tx,
    events: createEventBundle(),
    now: repository.now(),
    asSystem: () => ({ ...session, principal: systemPrincipal(principal) }),
  }
  return session
}
