import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { requireStored } from '../../../automation/unsaved-changes.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { Value } from '../../../automation/values/value.ts'
import { createYieldPoint } from '../../../base/event-loop.ts'
import { defineProblem } from '../../../base/problem.ts'
import { findReadable } from '../../../core/documents/read-document.ts'
import { requirePermission } from '../../../core/permissions.ts'
import { compile, searchDocuments } from '../../../core/search/page/run-query.ts'
import { listed, quoted } from '../../../core/search/query/nxql-text.ts'
import type { Session } from '../../../core/session.ts'
import { requireShort } from '../../../core/short-text.ts'
import { type Document, titleOf } from '../../../model/document.ts'
import type { Services } from '../../../rest/services.ts'
import { itemsAt, textAt, textsAt } from '../instance/route-documents.ts'
import { keepAttached } from '../instance/start-workflow.ts'
import { translator } from '../rest/graph-entity.ts'
import { knownAmong, requireAskable } from '../tasks/asked-people.ts'
import { everyTask, namesOf, partOfPage } from '../tasks/list-tasks.ts'
import { applyMapping } from '../tasks/map-task.ts'
import { createTask } from '../tasks/task-documents.ts'

export const nodeWithoutProcess = defineProblem(
  'nodeWithoutProcess',
  'invalid',
  (_: object) => 'nodeId and processId are said together, or neither is.',
)

const category = 'Workflow Context'

const longestName = 250
const longestDirective = 2_000

async function find(
  session: Session,
  text: string,
  bounds: { readonly limit?: number; readonly countLimit?: number } = {},
): Promise<readonly Document[]> {
  const maxBytes = session.repository.rules.maxListedBytes
  return (await searchDocuments(session, compile(session, text), { offset: 0, maxBytes, ...bounds })).documents
}

/** As many as the call may look at, and one more, with which it is refused. */
function boundsOf({ budget }: OperationContext) {
  const { documents: most } = budget.limits
  return { limit: most + 1, countLimit: most }
}

const openTasks = "ecm:mixinType = 'Task' AND ecm:currentLifeCycleState = 'opened' AND ecm:isProxy = 0"
const inOrder = 'ORDER BY nt:dueDate, dc:created, ecm:uuid'

/** A task as lists of old show it. */
async function rowOf(session: Session, baseUrl: string, task: Document): Promise<object | undefined> {
  const id = textsAt(task, 'nt:targetDocumentsIds')[0] ?? textAt(task, 'nt:targetDocumentId')
  const target = id === undefined ? undefined : await findReadable(session, id)
  if (target === undefined || target.isTrashed) return undefined
  const dueDate = textAt(task, 'nt:dueDate') ?? null
  const last = itemsAt(task, 'nt:taskComments').at(-1)
  return {
    id: task.id,
    docref: target.id,
    name: textAt(task, 'nt:name') ?? null,
    taskName: textAt(task, 'nt:name') ?? null,
    directive: textAt(task, 'nt:directive') ?? null,
    comment: last === undefined ? null : (textAt({ properties: last }, 'text') ?? null),
    dueDate,
    documentTitle: titleOf(target),
    documentLink: `${baseUrl}nxdoc/${target.repository}/${target.id}/view_documents`,
    startDate: textAt(task, 'dc:created') ?? null,
    expired: dueDate !== null && dueDate < session.now,
  }
}

async function rowsOf(session: Session, baseUrl: string, tasks: readonly Document[]): Promise<readonly object[]> {
  const rows: object[] = []
  const yieldPoint = createYieldPoint()
  for (const task of tasks) {
    const row = await rowOf(session, baseUrl, task)
    if (row !== undefined) rows.push(row)
    await yieldPoint()
  }
  return rows
}

/** The names in a variable of the context: one, or a list. */
function namesIn(value: Value | undefined): readonly string[] {
  if (value?.kind === 'string') return [value.text]
  if (value?.kind === 'list') return value.items.flatMap((item) => (item.kind === 'string' ? [item.text] : []))
  return value?.kind === 'users' ? value.names : []
}

export function taskOperations(services: Services): readonly Operation[] {
  return [
    defineOperation({
      id: 'Workflow.GetOpenTasks',
      aliases: ['Context.GetOpenTasks'],
      category,
      description: 'The open tasks about documents, or those of a node.',
      effect: 'reads',
      params: {
        nodeId: optional('string'),
        processId: optional('string', { aliases: ['workflowInstanceId'] }),
        username: optional('string'),
      },
      run: ({ on }) => [
        on('documents', 'documents', async (documents, { session, context, params: { nodeId, processId, username } }) => {
          if ((nodeId === undefined) !== (processId === undefined)) throw nodeWithoutProcess({})
          for (const document of documents) await requirePermission(session, document, 'Read')
          if (documents.length === 0) return []
          const names = username === undefined ? undefined : listed((await namesOf(services, username)).map(quoted))
          const conditions = [
            openTasks,
            `nt:targetDocumentsIds/* IN ${listed(documents.map(({ id }) => quoted(id)))}`,
            ...(nodeId === undefined ? [] : [`nt:type = ${quoted(nodeId)}`]),
            ...(processId === undefined ? [] : [`nt:processId = ${quoted(processId)}`]),
            ...(names === undefined ? [] : [`(nt:actors/* IN ${names} OR nt:delegatedActors/* IN ${names})`]),
          ]
          const text = `SELECT * FROM Document WHERE ${conditions.join(' AND ')} ${inOrder}`
          return find(session.asSystem(), text, boundsOf(context))
        }),
      ],
    }),
    defineOperation({
      id: 'Context.GetTaskNames',
      category,
      description: 'Open tasks of workflows, one for each name, titled as people know them.',
      effect: 'reads',
      params: {
        lang: optional('string'),
        searchTerm: optional('string', { description: 'How the name begins' }),
        value: optional('string', { description: 'The very name' }),
        xpath: optional('string'),
        limit: defaulted('int', -1),
      },
      run: ({ on }) => [
        on('void', 'documents', async (_, { session, params: { lang, searchTerm = '', value, limit } }) => {
          const translate = translator(services.workflows.values(), lang === undefined ? [] : [lang])
          const byName = new Map<string, Document>()
          for (const task of await find(session, `SELECT * FROM RoutingTask WHERE ${openTasks} ${inOrder}`)) {
            const name = textAt(task, 'nt:name') ?? ''
            const isMeant =
              value === undefined ? translate(name).toLowerCase().startsWith(searchTerm.toLowerCase()) : name === value
            if (isMeant && !byName.has(name)) byName.set(name, task)
          }
          const tasks = [...byName].slice(0, limit < 0 ? undefined : limit)
          const routeIds = tasks.flatMap(([, task]) => textAt(task, 'nt:processId') ?? [])
          const routes = await session.reader.documents.findAll([...new Set(routeIds)], session.repository.rules.maxListedBytes)
          const titles = new Map(routes.map((route) => [route.id, translate(titleOf(route))]))
          return tasks.map(([name, task]) => {
            const title = `[${titles.get(textAt(task, 'nt:processId') ?? '') ?? ''}] ${translate(name)}`
            return { ...task, properties: { ...task.properties, 'dc:title': title } }
          })
        }),
      ],
    }),
    defineOperation({
      id: 'Task.Create',
      aliases: ['Workflow.CreateTask'],
      category: 'Services',
      description: 'Makes a task about the document that belongs to no workflow.',
      effect: 'writes',
      params: {
        'task name': required('string'),
        'due date': optional('date'),
        directive: optional('string'),
        comment: optional('string'),
        'accept operation chain': optional('string'),
        'reject operation chain': optional('string'),
        'variable name for actors prefixed ids': optional('string'),
        'additional list of actors prefixed ids': optional('stringlist'),
        'create one task per actor': defaulted('boolean', true),
      },
      run: ({ each }) => [
        each('document', 'document', async (document, { session, context, params }) => {
          requireStored(context, document)
          await requirePermission(session, document, 'Read')
          const held = namesIn(context.variables.get(params['variable name for actors prefixed ids'] ?? ''))
          const actors = [...new Set([...held, ...(params['additional list of actors prefixed ids'] ?? [])])]
          requireAskable(actors)
          requireShort('The name of the task', params['task name'], longestName)
          requireShort('The directive', params.directive ?? '', longestDirective)
          const given = await knownAmong(session, actors)
          const chains = (['accept', 'reject'] as const).flatMap((kind) => {
            const chain = params[`${kind} operation chain`]
            if (chain !== undefined) context.requireMayRun(chain)
            return chain === undefined ? [] : [[`${kind}OperationChain`, chain] as const]
          })
          await keepAttached(session, [document])
          const groups = params['create one task per actor'] ? actors.map((actor) => [actor]) : [actors]
          for (const group of groups.filter(({ length }) => length > 0)) {
            await createTask(session.asSystem(), {
              type: 'TaskDoc',
              segment: params['task name'],
              name: params['task name'],
              people: { actors: group, delegates: [], given },
              directive: params.directive ?? null,
              description: null,
              dueDate: params['due date'] ?? null,
              targets: [document.id],
              processId: null,
              nodeId: null,
              comment: params.comment,
              variables: [
                ['documentId', document.id],
                ['documentRepositoryName', document.repository],
                ['createdFromCreateTaskOperation', 'true'],
                ['disableNotificationService', 'true'],
                ...chains,
              ],
            })
          }
          return document
        }),
      ],
    }),
    defineOperation({
      id: 'Task.GetAssigned',
      aliases: ['Workflow.GetTask'],
      category: 'Services',
      description: 'The open tasks of the caller, as JSON.',
      effect: 'reads',
      params: {},
      run: ({ on }) => [
        on('void', 'blob', async (_, { session, context }) => {
          const names = listed((await namesOf(services, session.principal.name)).map(quoted))
          const text = `SELECT * FROM Document WHERE ${openTasks} AND nt:actors/* IN ${names} ${inOrder}`
          const tasks = await find(session, text, boundsOf(context))
          context.budget.give(tasks)
          return jsonBlob(await rowsOf(session, context.host.baseUrl, tasks))
        }),
      ],
    }),
    defineOperation({
      id: 'Workflow.UserTaskPageProvider',
      category: 'Services',
      description: 'A page of the open tasks of the caller, as JSON.',
      effect: 'reads',
      params: { language: optional('string'), page: defaulted('integer', 0), pageSize: defaulted('integer', 20) },
      run: ({ on }) => [
        on('void', 'blob', async (_, { session, context, params }) => {
          const pageSize = Math.min(Math.max(1, params.pageSize), 1_000)
          const pageIndex = Math.max(0, params.page)
          const entries: object[] = []
          let totalSize = 0
          for await (const tasks of everyTask(session, services, { userId: session.principal.name })) {
            const rows = await rowsOf(session, context.host.baseUrl, tasks)
            entries.push(...partOfPage(rows, totalSize, { offset: pageIndex * pageSize, limit: pageSize }))
            totalSize += rows.length
            await context.budget.work(tasks.length)
          }
          const pageCount = Math.ceil(totalSize / pageSize)
          return jsonBlob({ isPaginable: true, totalSize, pageIndex, pageSize, pageCount, entries })
        }),
      ],
    }),
    defineOperation({
      id: 'Task.ApplyDocumentMapping',
      aliases: ['Context.ApplyMappingOnTask'],
      category,
      description: 'Copies properties of the document of a task to the task, as a mapping says.',
      effect: 'writes',
      params: { mappingName: required('string') },
      run: ({ on }) => [
        on('document', 'document', (task, { session, params: { mappingName } }) =>
          applyMapping(services, session, task, mappingName),
        ),
      ],
    }),
  ]
}
