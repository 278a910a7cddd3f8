import { principalIn } from '../../../core/references.ts'
import { compile, searchDocuments } from '../../../core/search/page/run-query.ts'
import { listed, quoted } from '../../../core/search/query/nxql-text.ts'
import type { Session } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Services } from '../../../rest/services.ts'
import { textAt, textsAt } from './route-documents.ts'

/** Why a workflow will not go on by itself, or is late. */
export type Hindrance =
  | { readonly reason: 'nobody' | 'overdue'; readonly task: Document }
  /** It waits, and there is nothing that it waits for. */
  | { readonly reason: 'nothing' }

/** An instance with what is open in it and what keeps it from going on. */
export interface ObservedWorkflow {
  readonly route: Document
  readonly openTasks: number
  readonly hindrances: readonly Hindrance[]
}

type People = Pick<Services, 'principals'>

/** What is open in each of a page of instances, with a few statements for all of them. */
export async function observeWorkflows(
  session: Session,
  people: People,
  routes: readonly Document[],
): Promise<readonly ObservedWorkflow[]> {
  const running = routes.filter(({ state }) => state === 'running').map(({ id }) => id)
  const tasks = Map.groupBy(await openTasksOf(session, running), (task) => textAt(task, 'nt:processId') ?? '')
  const exists = await whoExists(people, [...tasks.values()].flat())
  const idle = running.filter((id) => !tasks.has(id))
  const parents = await parentsOfRunning(session, idle)
  return routes.map((route) => {
    const open = tasks.get(route.id) ?? []
    const isIdle = idle.includes(route.id) && !parents.has(route.id)
    return {
      route,
      openTasks: open.length,
      hindrances: isIdle ? [{ reason: 'nothing' }] : open.flatMap((task) => hindrancesIn(task, session.now, exists)),
    }
  })
}

function hindrancesIn(task: Document, now: string, exists: (name: string) => boolean): readonly Hindrance[] {
  const isLate = dueMillis(task) < Date.parse(now)
  const isForNobody = !peopleOf(task).some((name) => exists(name) && isGiven(task, name))
  return [
    ...(isForNobody ? [{ reason: 'nobody', task } as const] : []),
    ...(isLate ? [{ reason: 'overdue', task } as const] : []),
  ]
}

/** Somebody else may have the name of who was meant by now, and is not given the task. */
function isGiven({ acls }: Document, name: string): boolean {
  return acls.some(({ aces }) => aces.some(({ username }) => username === name))
}

const minuteMillis = 60_000

/** Tasks whose model says nothing of it are due when they begin (contract: workflow 7.4), which makes none of them late. */
function dueMillis(task: Document): number {
  const [due, begun] = [textAt(task, 'nt:dueDate'), textAt(task, 'dc:created')].map((date) => Date.parse(date ?? ''))
  if (due === undefined || Number.isNaN(due)) return Number.POSITIVE_INFINITY
  return begun !== undefined && Math.abs(due - begun) < minuteMillis ? Number.POSITIVE_INFINITY : due
}

function peopleOf(task: Document): readonly string[] {
  return [...textsAt(task, 'nt:actors'), ...textsAt(task, 'nt:delegatedActors')].map(principalIn)
}

async function whoExists({ principals }: People, tasks: readonly Document[]): Promise<(name: string) => boolean> {
  const names = [...new Set(tasks.flatMap(peopleOf))]
  // Asked for at the same time, they are looked up together.
  const users = await Promise.all(names.map((name) => principals.find(name)))
  const known = new Set(names.filter((_, index) => users[index] !== undefined))
  const groups = await principals.labelGroups(names.filter((name) => !known.has(name)))
  return (name) => known.has(name) || groups.has(name)
}

async function openTasksOf(session: Session, routes: readonly DocumentId[]): Promise<readonly Document[]> {
  return findAll(session, routes, (ids) => [
    "SELECT * FROM Document WHERE ecm:mixinType = 'Task' AND ecm:isProxy = 0",
    `ecm:currentLifeCycleState = 'opened' AND nt:processId IN ${ids} ORDER BY nt:dueDate, dc:created, ecm:uuid`,
  ])
}

/** Those that wait for another workflow, which is under way. */
async function parentsOfRunning(session: Session, routes: readonly DocumentId[]): Promise<ReadonlySet<string>> {
  const children = await findAll(session, routes, (ids) => [
    "SELECT * FROM DocumentRoute WHERE ecm:currentLifeCycleState IN ('ready', 'running') AND ecm:isProxy = 0",
    `docri:parentRouteInstanceId IN ${ids} ORDER BY ecm:uuid`,
  ])
  return new Set(children.flatMap((child) => textAt(child, 'docri:parentRouteInstanceId') ?? []))
}

async function findAll(
  session: Session,
  routes: readonly DocumentId[],
  textFor: (ids: string) => readonly [from: string, where: string],
): Promise<readonly Document[]> {
  if (routes.length === 0) return []
  const text = textFor(listed(routes.map(quoted))).join(' AND ')
  const maxBytes = session.repository.rules.maxListedBytes
  return (await searchDocuments(session, compile(session, text), { offset: 0, maxBytes })).documents
}

/** What was found of a walk through all that is under way, and where the next one goes on. */
export interface StuckWorkflows {
  readonly found: readonly ObservedWorkflow[]
  readonly looked: number
  /** The last that was looked at, if others follow. */
  readonly next: DocumentId | undefined
}

const lookedAtOnce = 200
const mostLookedAt = 2_000

/** Those of the running ones that will not go on by themselves or are late, in the order of their ids: as many as can be found in a while. */
export async function findStuckWorkflows(
  session: Session,
  people: People,
  after: string,
  mostFound: number,
): Promise<StuckWorkflows> {
  const found: ObservedWorkflow[] = []
  for (let last = after, looked = 0; ; ) {
    const text = `SELECT * FROM DocumentRoute WHERE ecm:currentLifeCycleState = 'running' AND ecm:isProxy = 0 AND ecm:uuid > ${quoted(last)} ORDER BY ecm:uuid`
    const { documents } = await searchDocuments(session, compile(session, text), {
      offset: 0,
      limit: lookedAtOnce,
      countLimit: 1,
    })
    for (const observed of await observeWorkflows(session, people, documents)) {
      if (found.length === mostFound) return { found, looked, next: last }
      if (observed.hindrances.length > 0) found.push(observed)
      last = observed.route.id
      looked += 1
    }
    if (documents.length < lookedAtOnce) return { found, looked, next: undefined }
    if (looked >= mostLookedAt) return { found, looked, next: last }
  }
}
