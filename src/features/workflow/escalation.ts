import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import { Problem } from '../../base/problem.ts'
import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { backgroundEnvironment } from '../../rest/operations/background-environment.ts'
import type { Services } from '../../rest/services.ts'
import { type OpenRoute, openRoute } from './instance/open-route.ts'
import { holds, type RouteEnvironment, runChain } from './instance/route-context.ts'
import { itemsAt, nodeIdOf, textAt } from './instance/route-documents.ts'
import { scopeOf } from './tasks/open-tasks.ts'

const passKind = 'workflow.escalation'
const ruleKind = 'workflow.escalationRule'

const nodesAtOnce = 100

/** A rule of a node that waits, as its document has it. */
interface Rule {
  readonly name: string
  readonly condition: string
  readonly chain: string
  readonly repeats: boolean
  readonly executed: boolean
  readonly executionDate: string | null
}

function rulesOf(node: Document): readonly Rule[] {
  return itemsAt(node, 'rnode:escalationRules')
    .map((properties) => ({
      name: textAt({ properties }, 'name') ?? '',
      condition: textAt({ properties }, 'condition') ?? 'false',
      chain: textAt({ properties }, 'chain') ?? '',
      repeats: properties['multipleExecution'] === true,
      executed: properties['executed'] === true,
      executionDate: textAt({ properties }, 'executionDate') ?? null,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const isPending = ({ executed, repeats }: Rule) => !executed || repeats

/** Looks every so often at nodes that wait (contract: workflow 8). */
export function escalationSchedule(intervalMillis: number): Schedule {
  return { name: 'workflowEscalation', everySeconds: intervalMillis / 1_000, job: passKind }
}

export function escalationJobs(services: Services): readonly JobHandler[] {
  return [
    { kind: passKind, maxAttempts: 3, run: (_, repository) => findEscalations(services, repository) },
    { kind: ruleKind, maxAttempts: 3, run: (payload, repository) => escalate(services, repository, payload) },
  ]
}

function environmentIn(services: Services, session: WriteSession): RouteEnvironment {
  const access = systemAccess(session.repository)
  return { services, host: backgroundEnvironment({ access, services, baseUrl: '' }).host }
}

/** One pass: each node is looked at by itself, and what is due becomes a job each, so that one that fails keeps no other back. */
export async function findEscalations(services: Services, repository: Repository): Promise<void> {
  for (let after = ''; ; ) {
    const page = await systemAccess(repository).read(async (session) => {
      const text = `SELECT * FROM RouteNode WHERE ecm:currentLifeCycleState = 'suspended' AND ecm:isProxy = 0 AND ecm:uuid > ${quoted(after)} ORDER BY ecm:uuid`
      return (await searchDocuments(session, compile(session, text), { offset: 0, limit: nodesAtOnce })).documents
    })
    for (const node of page) {
      if (!rulesOf(node).some(isPending)) continue
      try {
        await systemAccess(repository).write((session) => orderDue(environmentIn(services, session), session, node.id))
      } catch (err) {
        tellOfFailure(repository, node, err)
      }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < nodesAtOnce) return
    after = last.id
  }
}

function tellOfFailure({ log }: Repository, node: Document, err: unknown, rule?: string): void {
  const about = { event: 'workflow.escalationFailed', node: node.id, path: node.path, ...(rule !== undefined && { rule }), err }
  log.error(about, 'what is due at a node of a workflow cannot be told')
}

async function findWaiting(session: WriteSession, nodeDocumentId: string) {
  const found = await session.tx.documents.find(nodeDocumentId)
  if (found?.parentId == null || found.state !== 'suspended') return undefined
  const open = await openRoute(session, found.parentId)
  const node = open.findNode(nodeIdOf(found))
  return open.route.state === 'running' && node?.state === 'suspended' ? { open, node } : undefined
}

async function orderDue(environment: RouteEnvironment, session: WriteSession, nodeDocumentId: string): Promise<void> {
  const waiting = await findWaiting(session, nodeDocumentId)
  if (waiting === undefined) return
  const { open, node } = waiting
  const scope = await scopeOf(open)
  const isDue = async (rule: Rule): Promise<boolean> => {
    try {
      return await holds(environment, scope, { node, nodeState: node.state }, rule.condition, rule)
    } catch (err) {
      // A condition that is wrong keeps no other rule back. What the database refuses ends the transaction, whoever notices it first.
      if (!(err instanceof Problem)) throw err
      tellOfFailure(session.repository, node, err, rule.name)
      return false
    }
  }
  for (const rule of rulesOf(node).filter(isPending)) {
    if (await isDue(rule)) await order(session, node, rule)
  }
}

// More than ever wait, but for a queue that is stuck.
const mostLookedAt = 1_000

/** One job for each rule at most; what was given up is tried anew with each pass, and does not pile up. */
async function order({ tx: { jobs } }: WriteSession, node: Document, { name, executionDate }: Rule): Promise<void> {
  const isItsOwn = (payload: Json) => isJsonObject(payload) && payload['node'] === node.id && payload['rule'] === name
  const former = (await jobs.list({ kind: ruleKind }, mostLookedAt)).filter(({ payload }) => isItsOwn(payload))
  if (former.some(({ state }) => state !== 'parked')) return
  for (const { id } of former) await jobs.discard(ruleKind, id)
  await jobs.add(ruleKind, { node: node.id, rule: name, executed: executionDate })
}

/** Runs the chain of a rule, unless it ran meanwhile. */
async function escalate(services: Services, repository: Repository, payload: Json): Promise<void> {
  if (!isJsonObject(payload)) return
  const { node: id, rule: name, executed } = payload
  await systemAccess(repository).write(async (session) => {
    const waiting = await findWaiting(session, String(id))
    const rule = waiting && rulesOf(waiting.node).find((one) => one.name === name)
    if (waiting === undefined || rule === undefined || !isPending(rule) || rule.executionDate !== executed) return
    const { open, node } = waiting
    note(open, nodeIdOf(node), rule.name)
    await runChain(
      environmentIn(services, session),
      open,
      { node: open.node(nodeIdOf(node)), nodeState: 'suspended' },
      rule.chain,
    )
    await open.write()
  })
}

function note(open: OpenRoute, nodeId: string, rule: string): void {
  const rules = itemsAt(open.node(nodeId), 'rnode:escalationRules').map((item) =>
    item['name'] === rule ? { ...item, executed: true, executionDate: open.session.now } : item,
  )
  open.changeNode(nodeId, { 'rnode:escalationRules': rules })
}
