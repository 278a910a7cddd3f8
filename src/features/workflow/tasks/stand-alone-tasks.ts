import { openContext } from '../../../automation/run/open-context.ts'
import { documentsValue } from '../../../automation/values/value.ts'
import { defineProblem } from '../../../base/problem.ts'
import { accessIn, actingAs } from '../../../core/access.ts'
import { announce } from '../../../core/event.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { RouteEnvironment } from '../instance/route-context.ts'
import { textAt, textsAt } from '../instance/route-documents.ts'
import { closeTask, taskVariable, withComment, withTaskVariable } from './task-documents.ts'

export const noWorkflowOfTask = defineProblem(
  'noWorkflowOfTask',
  'invalid',
  (of: { id: string; action: string }) =>
    `The task ${of.id} belongs to no workflow. It can be accepted or rejected, with the actions accept and reject; ${of.action} is neither.`,
)

const makerGone = defineProblem(
  'makerGone',
  'invalid',
  (of: { maker: string; chain: string }) =>
    `${of.maker} made the task, whose chain ${of.chain} runs with the rights of that user; there is no such user any more.`,
)

const outcomes = {
  accept: { validated: 'true', chain: 'acceptOperationChain', event: 'workflowTaskCompleted' },
  reject: { validated: 'false', chain: 'rejectOperationChain', event: 'workflowTaskRejected' },
} as const

/** Ends a task that belongs to no workflow, or to one that is gone, and runs the chain that it was made with (contract: workflow 10). */
export async function endAlone(
  environment: RouteEnvironment,
  session: WriteSession,
  task: Document,
  { action, comment }: { readonly action: string; readonly comment: string | undefined },
): Promise<Document> {
  const outcome = Object.hasOwn(outcomes, action) ? outcomes[action as keyof typeof outcomes] : undefined
  if (outcome === undefined) throw noWorkflowOfTask({ id: task.id, action })
  const system = session.asSystem()
  const remark = comment === undefined || comment.trim() === '' ? {} : withComment(system, task, comment)
  const ended = await closeTask(system, task, 'ended', {
    ...remark,
    ...withTaskVariable(task, 'validated', outcome.validated),
    'nt:accepted': outcome.validated === 'true',
  })
  const documents = await session.tx.documents.findAll(textsAt(task, 'nt:targetDocumentsIds'))
  const chain = taskVariable(task, outcome.chain)
  if (chain !== undefined) await runForDocuments(environment, session, { task, documents, chain })
  for (const document of documents) {
    const properties = { taskId: task.id, workflowTaskCompletionAction: action }
    await announce(system, outcome.event, document, { comment: comment ?? null, properties })
  }
  return ended
}

/**
 * With the rights of who made the task: whoever completes it, perhaps an administrator, has not chosen the chain, and its maker is to
 * have done nothing that they could not do themselves.
 */
async function runForDocuments(
  { services, host, budget }: RouteEnvironment,
  session: WriteSession,
  { task, documents, chain }: { readonly task: Document; readonly documents: readonly Document[]; readonly chain: string },
): Promise<void> {
  const maker = textAt(task, 'nt:initiator') ?? ''
  const principal = await services.principals.findDoer(maker, textAt(task, 'dc:created'))
  if (principal === undefined) throw makerGone({ maker, chain })
  const acting = actingAs(session, principal)
  const environment = { access: accessIn(acting), operations: services.operations, services, host, ...(budget && { budget }) }
  const [only, ...others] = documents
  const input =
    only !== undefined && others.length === 0 ? ({ kind: 'document', document: only } as const) : documentsValue(documents)
  await openContext(environment, acting).run(chain, input)
}
