import { hasPermission } from '../../../core/permissions.ts'
import type { Page } from '../../../core/search/page/page.ts'
import { pageOf, planPage } from '../../../core/search/page/page-plan.ts'
import { compile, searchDocuments } from '../../../core/search/page/run-query.ts'
import type { ProviderRequest } from '../../../core/search/providers/provider-request.ts'
import { listed, quoted } from '../../../core/search/query/nxql-text.ts'
import type { Session } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { dataVisualization } from '../route-model.ts'
import { isRoute } from './open-route.ts'
import { modelNameOf } from './route-documents.ts'
import { modelsPath, standsBelow } from './route-roots.ts'

async function find(
  session: Session,
  conditions: readonly string[],
  order: string,
  limit?: number,
): Promise<readonly Document[]> {
  const text = `SELECT * FROM DocumentRoute WHERE ${[...conditions, 'ecm:isProxy = 0'].join(' AND ')} ORDER BY ${order}`
  const maxBytes = session.repository.rules.maxListedBytes
  const { documents } = await searchDocuments(session, compile(session, text), {
    offset: 0,
    ...(limit !== undefined && { limit }),
    maxBytes,
  })
  return documents.filter((document) => isRoute(session, document))
}

const inOrder = 'dc:created, ecm:uuid'
const running = "ecm:currentLifeCycleState = 'running'"

/** What the caller has started and is under way. */
export async function listOwnWorkflows(session: Session, modelName: string | undefined): Promise<readonly Document[]> {
  const own = await find(session, [running, `docri:initiator = ${quoted(session.principal.name)}`], inOrder)
  return modelName === undefined ? own : own.filter((route) => modelNameOf(route) === modelName)
}

/** What is under way on a document, as far as the session may see it. */
export function listWorkflowsOf(session: Session, documentId: DocumentId): Promise<readonly Document[]> {
  return find(session, [running, `docri:participatingDocuments/* = ${quoted(documentId)}`], inOrder)
}

/** The same with what waits to be started, so many of them: every reader of a document is told of it. */
export function listAllWorkflowsOf(session: Session, documentId: DocumentId, limit: number): Promise<readonly Document[]> {
  const states = "ecm:currentLifeCycleState IN ('ready', 'running')"
  return find(session.asSystem(), [states, `docri:participatingDocuments/* = ${quoted(documentId)}`], inOrder, limit)
}

export async function listModels(session: Session): Promise<readonly Document[]> {
  const found = await find(session, ["ecm:currentLifeCycleState = 'validated'", 'ecm:isTrashed = 0'], 'dc:title, ecm:uuid')
  return found.filter((model) => standsBelow(model, modelsPath))
}

/** The names of models of which the caller may see what happens in their workflows. */
export async function listFollowedModels(session: Session): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const model of await listModels(session)) {
    const isNamed = model.path === `${modelsPath}/${model.name}`
    if (isNamed && (await hasPermission(session, model, dataVisualization.name))) names.add(model.name)
  }
  return names
}

/** Of an instance: models are validated, and drafts are neither. */
export const instanceStates = ['ready', 'running', 'done', 'canceled'] as const

export interface InstanceFilter {
  readonly id?: DocumentId | undefined
  readonly model?: DocumentId | undefined
  readonly state?: (typeof instanceStates)[number] | undefined
}

type PageRequest = Pick<ProviderRequest, 'pageSize' | 'pageIndex'>

interface InstancePage {
  readonly routes: readonly Document[]
  readonly page: Page
}

/** The instances of everybody, the newest first. */
export async function listInstances(
  session: Session,
  { id, model, state }: InstanceFilter,
  request: PageRequest,
): Promise<InstancePage> {
  const plan = planPage({ pageSize: 50, maxPageSize: 1_000 }, request, session.repository.searchRules)
  const states = (state === undefined ? instanceStates : [state]).map(quoted)
  const conditions = [
    `ecm:currentLifeCycleState IN ${listed(states)}`,
    'ecm:isProxy = 0',
    ...(id === undefined ? [] : [`ecm:uuid = ${quoted(id)}`]),
    ...(model === undefined ? [] : [`docri:modelId = ${quoted(model)}`]),
  ]
  const text = `SELECT * FROM DocumentRoute WHERE ${conditions.join(' AND ')} ORDER BY dc:created DESC, ecm:uuid`
  const { documents, count } = await searchDocuments(session, compile(session, text), {
    offset: plan.offset,
    ...(plan.limit !== undefined && { limit: plan.limit }),
    ...(plan.countLimit !== undefined && { countLimit: plan.countLimit }),
    maxBytes: session.repository.rules.maxListedBytes,
  })
  return { routes: documents, page: pageOf(plan, documents.length, count) }
}
