import type { Page } from '../../../core/search/page/page.ts'
import { pageOf, planPage } from '../../../core/search/page/page-plan.ts'
import { compile, searchDocuments } from '../../../core/search/page/run-query.ts'
import type { ProviderRequest } from '../../../core/search/providers/provider-request.ts'
import { listed, quoted } from '../../../core/search/query/nxql-text.ts'
import type { Session } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Services } from '../../../rest/services.ts'
import { modelNameOf, textAt, textsAt } from '../instance/route-documents.ts'

/** Which open tasks are wanted; what is absent does not matter. */
export interface TaskFilter {
  readonly userId?: string | undefined
  readonly workflowInstanceId?: string | undefined
  readonly workflowModelName?: string | undefined
  /** A document that the task is about. */
  readonly documentId?: DocumentId | undefined
}

export interface TaskPage {
  readonly tasks: readonly Document[]
  readonly page: Page
}

const maxPageSize = 1_000
const usualPageSize = 50

type PageRequest = Pick<ProviderRequest, 'pageSize' | 'pageIndex' | 'offset'>
type ListServices = Pick<Services, 'principals' | 'facts'>

/**
 * Open tasks that the caller may read, those that are due first before others. Without a page it is all of them, as one page, and of more
 * than an answer may have one too many, which is refused when it is written. Of one workflow model they cannot be paged: which it is shows
 * only in the instance.
 */
export async function listTasks(
  session: Session,
  services: ListServices,
  filter: TaskFilter,
  request?: PageRequest,
): Promise<TaskPage> {
  const isPaged = request !== undefined && filter.workflowModelName === undefined
  const plan = planPage(
    { pageSize: isPaged ? usualPageSize : 0, maxPageSize: isPaged ? maxPageSize : 0 },
    isPaged ? request : {},
    session.repository.searchRules,
  )
  const query = compile(session, await queryText(services, filter))
  const most = filter.workflowModelName === undefined ? services.facts.answerLimits.maxEntities + 1 : undefined
  const limit = plan.limit ?? most
  const { documents, count } = await searchDocuments(session, query, {
    offset: plan.offset,
    ...(limit !== undefined && { limit }),
    ...(plan.countLimit !== undefined && { countLimit: plan.countLimit }),
    maxBytes: session.repository.rules.maxListedBytes,
  })
  if (filter.workflowModelName === undefined) return { tasks: documents, page: shown(pageOf(plan, documents.length, count)) }
  const tasks = await ofModel(session, documents, filter.workflowModelName)
  return { tasks, page: shown(pageOf(plan, tasks.length, tasks.length)) }
}

/** So many that they can be read together with their workflows, each of which may be large. */
export const tasksAtOnce = 200

/** The same, all of them in their order, a few at a time: for who counts what no query can tell, and keeps a page of it. */
export async function* everyTask(
  session: Session,
  services: ListServices,
  filter: TaskFilter,
): AsyncGenerator<readonly Document[]> {
  for (let offset = 0; ; offset += tasksAtOnce) {
    const { tasks } = await listTasks(session, services, filter, { offset, pageSize: tasksAtOnce })
    yield tasks
    if (tasks.length < tasksAtOnce) return
  }
}

/** Of items that come behind so many others those that are on the page. */
export function partOfPage<Item>(
  items: readonly Item[],
  before: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly Item[] {
  return items.slice(Math.max(0, offset - before), Math.max(0, offset + limit - before))
}

/** A list that is not paged is one page, with the longest that others may have. */
function shown(page: Page): Page {
  return page.pageSize === 0 ? { ...page, maxPageSize } : page
}

async function queryText(services: Pick<Services, 'principals'>, filter: TaskFilter): Promise<string> {
  const names = filter.userId === undefined ? undefined : await namesOf(services, filter.userId)
  const anyOf = names && listed(names.map(quoted))
  const conditions = [
    "ecm:mixinType = 'Task'",
    "ecm:currentLifeCycleState = 'opened'",
    'ecm:isProxy = 0',
    ...(anyOf === undefined ? [] : [`(nt:actors/* IN ${anyOf} OR nt:delegatedActors/* IN ${anyOf})`]),
    ...(filter.workflowInstanceId === undefined ? [] : [`nt:processId = ${quoted(filter.workflowInstanceId)}`]),
    ...(filter.documentId === undefined ? [] : [`nt:targetDocumentsIds/* = ${quoted(filter.documentId)}`]),
  ]
  return `SELECT * FROM Document WHERE ${conditions.join(' AND ')} ORDER BY nt:dueDate, dc:created, ecm:uuid`
}

/** A user is meant with all groups, each with and without what it is before its name; anything else is meant as it is written. */
export async function namesOf({ principals }: Pick<Services, 'principals'>, userId: string): Promise<readonly string[]> {
  const user = await principals.find(userId)
  if (user === undefined) return [userId]
  return [user.name, `user:${user.name}`, ...user.groups.flatMap((group) => [group, `group:${group}`])]
}

/** Those about at least one document that is there and not in the trash. */
export async function withLivingTarget(session: Session, tasks: readonly Document[]): Promise<readonly Document[]> {
  const targetsOf = (task: Document) => textsAt(task, 'nt:targetDocumentsIds')
  const found = await session.reader.documents.findAll([...new Set(tasks.flatMap(targetsOf))])
  const living = new Set(found.filter(({ isTrashed }) => !isTrashed).map(({ id }) => id))
  return tasks.filter((task) => targetsOf(task).some((id) => living.has(id)))
}

/** Whoever may read a task is told which workflow it is of. */
async function ofModel(session: Session, tasks: readonly Document[], name: string): Promise<readonly Document[]> {
  const ids = [...new Set(tasks.flatMap((task) => textAt(task, 'nt:processId') ?? []))]
  const wanted = new Set<DocumentId>()
  for (let start = 0; start < ids.length; start += tasksAtOnce) {
    const routes = await session.reader.documents.findAll(ids.slice(start, start + tasksAtOnce))
    for (const route of routes) if (modelNameOf(route) === name) wanted.add(route.id)
  }
  return tasks.filter((task) => wanted.has(textAt(task, 'nt:processId') ?? ''))
}
