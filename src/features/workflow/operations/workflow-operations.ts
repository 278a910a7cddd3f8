import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import type { Json } from '../../../base/json.ts'
import { parseJson } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { store } from '../../../core/documents/read-for-update.ts'
import { removeDocument } from '../../../core/documents/remove-document.ts'
import { announce, lifecycleCategory } from '../../../core/event.ts'
import { quoted } from '../../../core/search/query/nxql-text.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Services } from '../../../rest/services.ts'
import { everyPage } from '../every-page.ts'
import { cancelRoute, cancelWorkflow } from '../instance/cancel-workflow.ts'
import { isRoute, listNodes, openRoute } from '../instance/open-route.ts'
import { resumeNode } from '../instance/resume-node.ts'
import type { RouteEnvironment } from '../instance/route-context.ts'
import { attachedIdsOf, modelNameOf } from '../instance/route-documents.ts'
import { childRoutes, startWorkflow } from '../instance/start-workflow.ts'
import { workflowNotFound } from '../instance/workflow-problems.ts'
import { translator, writeGraph } from '../rest/graph-entity.ts'
import { completeTask } from '../tasks/complete-task.ts'
import { instanceInContext } from './variable-operations.ts'

export const noInstanceNamed = defineProblem(
  'noInstanceNamed',
  'invalid',
  (of: { operation: string; parameter: string }) =>
    `${of.operation} does not know which one is meant: say so in ${of.parameter}.`,
)

const category = 'Workflow Context'

/** What the engine needs, where an operation asks for it. */
export function environmentIn(services: Services, { host, budget }: OperationContext): RouteEnvironment {
  return { services, host, budget }
}

/** Each value is JSON in a text, or a text as it is. */
function decoded(sent: SentProperties = {}): { readonly [name: string]: Json } {
  const decode = (value: Json): Json => {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
    try {
      return parseJson(value)
    } catch {
      return value
    }
  }
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, decode(value)]))
}

function startOperation(services: Services): Operation {
  const start = async (
    documents: readonly Document[],
    session: WriteSession,
    context: OperationContext,
    { id, start: isStarted, variables }: { id: string; start: boolean; variables: SentProperties | undefined },
  ) => {
    const { route } = await startWorkflow(environmentIn(services, context), session, {
      modelName: id,
      attachedIds: documents.map((document) => document.id),
      variables: { sent: decoded(variables), isLegacy: false },
      isLeftReady: !isStarted,
    })
    for (const name of ['WorkflowId', 'workflowInstanceId']) context.variables.set(name, { kind: 'string', text: route.id })
  }
  return defineOperation({
    id: 'Context.StartWorkflow',
    category,
    description: 'Starts a workflow on all documents together.',
    effect: 'writes',
    params: {
      id: required('string', { description: 'The name of the model' }),
      start: defaulted('boolean', true, { description: 'False: it is made and not started' }),
      variables: optional('properties'),
    },
    run: ({ on }) => [
      on('documents', 'documents', async (documents, { session, context, params }) => {
        await start(documents, session, context, params)
        return documents
      }),
      on('document', 'document', async (document, { session, context, params }) => {
        await start([document], session, context, params)
        return document
      }),
    ],
  })
}

/** Cancels the running instances of a model and starts new ones on the same documents. */
async function restartAll(environment: RouteEnvironment, session: WriteSession, wanted: Restart): Promise<void> {
  // What is started meanwhile is left out.
  const running = [
    "ecm:currentLifeCycleState = 'running'",
    `ecm:name LIKE ${quoted(`${wanted.workflowId}%`)}`,
    `dc:created < TIMESTAMP ${quoted(session.now)}`,
  ]
  for await (const routes of everyPage(session, 'DocumentRoute', running, wanted.batchSize)) {
    const meant = routes.filter((route) => isRoute(session, route) && modelNameOf(route) === wanted.workflowId)
    for (const route of meant) await restart(environment, session, route, wanted)
  }
}

interface Restart {
  readonly workflowId: string
  readonly nodeId: string | undefined
  readonly reinitLifecycle: boolean
  readonly batchSize: number
}

async function restart(
  environment: RouteEnvironment,
  session: WriteSession,
  route: Document,
  { workflowId: modelName, nodeId, reinitLifecycle }: Restart,
): Promise<void> {
  const open = await openRoute(session, route.id)
  if (open.route.state !== 'running') return
  if (nodeId !== undefined && open.findNode(nodeId)?.state !== 'suspended') return
  await cancelRoute(environment, open, childRoutes)
  const documents = await session.tx.documents.findAll(attachedIdsOf(route))
  if (reinitLifecycle) for (const { id } of documents) await beginLifeAnew(session, id)
  const variables = { sent: {}, isLegacy: false }
  await startWorkflow(environment, session, { modelName, attachedIds: documents.map(({ id }) => id), variables })
  await removeDocument(session.asSystem(), route.id)
}

/** Puts a document back to the first state of its lifecycle, whatever transitions lead there. */
async function beginLifeAnew(session: WriteSession, id: DocumentId): Promise<void> {
  const document = await session.tx.documents.findForUpdate(id)
  const to = document && session.model.lifecycleOf(document.type)?.initial
  if (document === undefined || to === undefined || document.state === to || document.isVersion || document.isProxy) return
  const stored = await store(session, document, { ...document, state: to })
  const properties = { from: document.state, to, transition: null }
  await announce(session, 'lifecycle_transition_event', stored, { category: lifecycleCategory, properties })
}

export function workflowOperations(services: Services): readonly Operation[] {
  return [
    startOperation(services),
    defineOperation({
      id: 'WorkflowTask.Complete',
      aliases: ['Workflow.CompleteTaskOperation'],
      category,
      description: 'Completes tasks, as their buttons do.',
      effect: 'writes',
      params: {
        status: optional('string', { description: 'The name of the button' }),
        comment: optional('string'),
        nodeVariables: optional('properties'),
        workflowVariables: optional('properties'),
      },
      run: ({ each }) => [
        each('document', 'document', ({ id }, { session, context, params }) =>
          completeTask(environmentIn(services, context), session, id, {
            action: params.status ?? '',
            comment: params.comment,
            variables: {},
            ofNode: decoded(params.nodeVariables),
            ofWorkflow: decoded(params.workflowVariables),
            isLegacy: false,
          }),
        ),
      ],
    }),
    defineOperation({
      id: 'WorkflowInstance.Cancel',
      aliases: ['Context.CancelWorkflow'],
      category,
      description: 'Cancels a workflow.',
      effect: 'writes',
      params: { id: required('string') },
      run: ({ on }) => [
        on('void', 'void', (_, { session, context, params: { id } }) =>
          cancelWorkflow(environmentIn(services, context), session, id, childRoutes),
        ),
      ],
    }),
    defineOperation({
      id: 'Workflow.ResumeNode',
      aliases: ['Workflow.ResumeNodeOperation'],
      category,
      description: 'Lets a node go on that waits; its open tasks are cancelled.',
      effect: 'writes',
      access: { administrators: true },
      params: { workflowInstanceId: optional('string'), nodeId: optional('string') },
      run: ({ on }) => [
        on('void', 'void', async (_, { params, session, context }) => {
          const id = params.workflowInstanceId ?? instanceInContext(context)
          const node = context.variables.get('nodeId')
          const nodeId = params.nodeId ?? (node?.kind === 'string' ? node.text : undefined)
          const operation = 'Workflow.ResumeNode'
          if (id === undefined) throw noInstanceNamed({ operation, parameter: 'workflowInstanceId' })
          if (nodeId === undefined) throw noInstanceNamed({ operation, parameter: 'nodeId' })
          await resumeNode(environmentIn(services, context), session, { id, nodeId })
        }),
      ],
    }),
    defineOperation({
      id: 'WorkflowModel.BulkRestartInstances',
      aliases: ['BulkRestartWorkflow'],
      category,
      description: 'Cancels the workflows of a model that are under way, and starts new ones on their documents.',
      effect: 'writes',
      access: { administrators: true },
      params: {
        workflowId: required('string', { description: 'The name of the model' }),
        nodeId: optional('string', { description: 'Only those that wait at this node' }),
        reinitLifecycle: optional('boolean', { description: 'Their documents begin their lifecycle anew' }),
        batchSize: defaulted('integer', 1_000),
      },
      run: ({ on }) => [
        on('void', 'void', (_, { session, context, params }) =>
          restartAll(environmentIn(services, context), session, {
            ...params,
            reinitLifecycle: params.reinitLifecycle ?? false,
            batchSize: Math.min(Math.max(1, params.batchSize), 1_000),
          }),
        ),
      ],
    }),
    defineOperation({
      id: 'Document.Routing.GetGraph',
      category: 'Routing',
      description: 'The graph of a workflow, as JSON.',
      effect: 'reads',
      params: { routeDocId: required('string'), language: optional('string') },
      run: ({ on }) => [
        on('void', 'blob', async (_, { session, params: { routeDocId: id, language } }) => {
          const route = await session.reader.documents.find(id)
          if (route === undefined || !isRoute(session, route)) throw workflowNotFound({ id })
          const translate = translator(services.workflows.values(), language === undefined ? [] : [language])
          return jsonBlob(writeGraph(await listNodes(session, route), translate))
        }),
      ],
    }),
  ]
}
