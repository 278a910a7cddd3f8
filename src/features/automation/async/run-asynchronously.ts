import { withoutCall } from '../../../automation/call-failure.ts'
import { type Outcome, runCall } from '../../../automation/run/call.ts'
import { defineProblem } from '../../../base/problem.ts'
import { accessTo, isWriting } from '../../../core/access.ts'
import { defineJob, type JobHandler } from '../../../core/jobs/worker.ts'
import { type NotedRights, noteRights } from '../../../core/noted-rights.ts'
import { serverStopping } from '../../../core/server-stopping.ts'
import type { Repository } from '../../../core/session.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import { backgroundEnvironment } from '../../../rest/operations/background-environment.ts'
import { readHeaders } from '../../../rest/payload/declared-input.ts'
import { type ErrorEntity, errorEntity } from '../../../rest/render/exception-entity.ts'
import { languageHeaders } from '../../../rest/request/declared-headers.ts'
import type { Services } from '../../../rest/services.ts'
import type { Transaction } from '../../../store/store.ts'
import { callSettings } from '../settings.ts'
import { type AsynchronousCall, callKind, restoreStaged } from './asynchronous-call.ts'
import { type AsyncExecution, endExecution, type FinalState, findExecution } from './execution.ts'
import { restoreValue, storeValue } from './stored-value.ts'

export const callerGone = defineProblem(
  'callerGone',
  'forbidden',
  (of: { name: string }) => `There is no user ${of.name} any more, for whom the operation was to run.`,
)

// One may wait for what another does, and for bulk actions.
const callsAtOnce = 4

/** Runs the asynchronous operations. */
export const asynchronousCalls = (services: Services): JobHandler =>
  defineJob({
    kind: callKind,
    ownWorkers: callsAtOnce,
    run: (call, repository) => runOnce(services, repository, call),
    tellParked: (call, repository) => giveUp(services, repository, call),
  })

async function giveUp(services: Services, repository: Repository, call: AsynchronousCall): Promise<void> {
  const execution = await findExecution(repository.store.reader.transient, call.executionId, repository.now())
  if (execution?.state.kind !== 'running') return
  await new RunningCall(services, repository, call, execution).fail(new Error('its job was given up'))
}

/** A job may come twice; a call that has ended is not run again. */
async function runOnce(services: Services, repository: Repository, call: AsynchronousCall): Promise<void> {
  const execution = await findExecution(repository.store.reader.transient, call.executionId, repository.now())
  if (execution?.state.kind !== 'running') return
  await services.diagnostics.refresh()
  const running = new RunningCall(services, repository, call, execution)
  try {
    await running.run()
  } catch (error) {
    // The next process does it from its beginning: nothing of it was committed.
    if (serverStopping.is(error)) throw error
    await running.fail(error)
  }
}

class RunningCall {
  readonly #services: Services
  readonly #repository: Repository
  readonly #call: AsynchronousCall
  readonly #execution: AsyncExecution

  constructor(services: Services, repository: Repository, call: AsynchronousCall, execution: AsyncExecution) {
    this.#services = services
    this.#repository = repository
    this.#call = call
    this.#execution = execution
  }

  /** What it gives is stored in the transaction in which it was made: it is done and told, or neither. */
  async run(): Promise<void> {
    const { id, params, context, input } = this.#call
    const callable = this.#services.operations.read(id)
    const notes = noteRights(await this.#readCaller())
    const environment = this.#environmentFor(notes.principal)
    const left = await runCall(
      environment,
      { id, callable, params, context, input: (session) => restoreValue(session, this.#services.repositories, input) },
      async (session, outcome) => {
        const state = await this.#stateOf(outcome, notes.rights())
        if (!isWriting(session)) return state
        await this.#end(session.tx, state)
        return undefined
      },
    )
    if (left !== undefined) await this.#endLater(left)
  }

  async fail(error: unknown): Promise<void> {
    const { log } = this.#services
    const entity = this.#describe(error)
    if (entity.status >= 500) {
      log.error({ event: 'automation.failed', operation: this.#call.id, err: error }, 'an asynchronous operation failed')
    }
    await this.#endLater({ kind: 'failed', error: entity, isRead: false })
  }

  #environmentFor(principal: Principal) {
    const repository = this.#repository
    const { baseUrl, headers, staged } = this.#call
    return backgroundEnvironment({
      services: this.#services,
      baseUrl,
      headers,
      staged: restoreStaged(staged),
      access: accessTo(repository, principal),
    })
  }

  async #readCaller(): Promise<Principal> {
    const { username, asked } = this.#execution
    const principal = await this.#services.principals.findDoer(username, asked)
    if (principal === undefined) throw callerGone({ name: username })
    return principal
  }

  async #stateOf({ value, status }: Outcome, rights: NotedRights): Promise<FinalState> {
    const stored = await storeValue(this.#repository, value)
    return { kind: 'done', value: stored, status: status ?? null, isRead: false, rights: neededForReading(rights) }
  }

  #endLater(state: FinalState): Promise<void> {
    return this.#repository.store.transact((tx) => this.#end(tx, state))
  }

  #end({ transient }: Transaction, state: FinalState): Promise<void> {
    const { automationAsyncResultTtl: resultMillis } = this.#services.valuesOf(callSettings)
    return endExecution(transient, this.#execution, state, this.#repository.now(), resultMillis)
  }

  /** Without the words that a request is answered with: they name what the client knows it called (contract: operations 1.11). */
  #describe(error: unknown): ErrorEntity {
    const locales = readHeaders(languageHeaders, this.#call)['Accept-Language'] ?? []
    const entity = errorEntity(error, { vendored: this.#services.vendored, showStack: false, locales })
    const { message } = entity.body
    if (entity.status >= 500) return { ...entity, body: { ...entity.body, message: 'Internal Server Error' } }
    if (typeof message !== 'string') return entity
    return { ...entity, body: { ...entity.body, message: withoutCall(this.#call.id, message) } }
  }
}

/** Who may not change a document any more may still be told what was made of it. */
function neededForReading(rights: NotedRights): NotedRights {
  return { ...rights, grants: rights.grants.filter(({ permission }) => permission === 'Read' || permission === 'Browse') }
}
