import { newId } from '../base/ids.ts'
import { type Principal, systemPrincipal } from '../model/rights/principal.ts'
import type { Transaction, TransactOptions } from '../store/store.ts'
import { announceSessionSaved, createEventBundle, runAfterCommit } from './event.ts'
import { enqueueListenerJobs } from './jobs/listener-jobs.ts'
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
export async function transact<Result>(
  repository: Repository,
  principal: Principal,
  body: (session: WriteSession) => Promise<Result>,
  options?: TransactOptions,
): Promise<Result> {
  const { result, events } = await repository.store.transact(async (tx) => {
    const session = openWriteSession(repository, principal, tx)
    const done = await body(session)
    await announceSessionSaved(session)
    await enqueueListenerJobs(session)
    return { result: done, events: session.events }
  }, options)
  await runAfterCommit(repository, events)
  return result
}

function openWriteSession(repository: Repository, principal: Principal, tx: Transaction): WriteSession {
  const session: WriteSession = {
    id: newId(),
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
