import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { madeBlob } from '../../../automation/values/flowing-blob.ts'
import type { Value } from '../../../automation/values/value.ts'
import { documentsValue } from '../../../automation/values/value.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { mailPrincipals } from '../../mail/index.ts'
import { longestSummary } from './parallel-review.ts'
import { approveAll } from './review-approval.ts'
import { lockAll, unlockAll } from './review-locks.ts'
import { type ReviewAnswer, summaryHtml } from './review-summary.ts'

/** What the reviews run is for their nodes, and nobody calls it from outside. */
export const reviewAccess = { isDisabled: true } as const
const category = 'Review workflow'

function textIn({ variables }: OperationContext, name: string): string {
  const value = variables.get(name)
  return value?.kind === 'string' ? value.text : ''
}

function memberText({ variables }: OperationContext, map: string, name: string): string {
  const held = variables.get(map)
  const value = held?.kind === 'map' && Object.hasOwn(held.members, name) ? held.members[name] : undefined
  return value?.kind === 'string' ? value.text : ''
}

async function log(context: OperationContext, documents: readonly Document[], event: string, comment: string): Promise<void> {
  const parameters = new Map<string, Value>([
    ['event', { kind: 'string', text: event }],
    ['category', { kind: 'string', text: category }],
    ['comment', { kind: 'string', text: comment.slice(0, 1_000).toWellFormed() }],
  ])
  await context.run('Audit.LogEvent', documentsValue(documents), { parameters, isDeclared: true, origin: 'declared' })
}

async function logDecision(context: OperationContext, documents: readonly Document[]): Promise<void> {
  const isRefused = memberText(context, 'NodeVariables', 'button') === 'reject'
  const event = isRefused ? 'chain.document.refused' : 'chain.document.validated'
  const remark = memberText(context, 'NodeVariables', 'comment')
  await log(context, documents, event, `${textIn(context, 'nodeLastActor')} ${event}${remark === '' ? '' : `: ${remark}`}`)
}

/** A job of its own sends it, so that no mail server can fail the review. */
async function tellInitiator(context: OperationContext, session: WriteSession, documents: readonly Document[]): Promise<void> {
  const comment = memberText(context, 'NodeVariables', 'comment')
  const to = [`user:${textIn(context, 'workflowInitiator')}`]
  const words = { texts: comment === '' ? {} : { comment } }
  for (const document of documents) await mailPrincipals(session, { template: 'workflowApproved', to, document, words })
}

/** A step of a review, for the documents that it is about. */
function step(
  id: string,
  description: string,
  run: (documents: readonly Document[], session: WriteSession, context: OperationContext) => Promise<void>,
): Operation {
  return defineOperation({
    id,
    category: 'Workflow',
    description,
    effect: 'writes',
    access: reviewAccess,
    params: {},
    run: ({ on }) => [
      on('documents', 'documents', async (documents, { session, context }) => {
        await run(documents, session, context)
        const ids = documents.map((document) => document.id)
        return session.tx.documents.findAll(ids)
      }),
    ],
  })
}

/** One that is about nothing but documents: a review of none has nothing to do there. */
function documentsStep(...[id, description, run]: Parameters<typeof step>): Operation {
  return step(id, description, async (documents, session, context) => {
    if (documents.length > 0) await run(documents, session, context)
  })
}

export const reviewOperations: readonly Operation[] = [
  documentsStep(
    'review.approve',
    'Approves the documents, and what is in folders among them, where who started the review or who ends it may. Refuses a version, and what a hold or the lock of another keeps as it is.',
    (documents, session, context) => approveAll(context, session, textIn(context, 'workflowInstanceId'), documents),
  ),
  documentsStep('review.unlock', 'Unlocks the documents that the review has locked.', (documents, session, context) =>
    unlockAll(session, textIn(context, 'workflowInstanceId'), documents),
  ),
  documentsStep(
    'NRD-AC-PR-LockDocument',
    'Locks the documents for the initiator, unless they are locked.',
    (documents, session, context) => lockAll(session, textIn(context, 'workflowInitiator'), documents),
  ),
  documentsStep('logInAudit', 'Notes the decision of a participant.', (documents, _session, context) =>
    logDecision(context, documents),
  ),
  documentsStep(
    'terminateWorkflow',
    'Ends a serial review: approves the documents where it was for that.',
    async (documents, session, context) => {
      await logDecision(context, documents)
      if (memberText(context, 'WorkflowVariables', 'validationOrReview') === 'validation')
        await context.run('validateDocument', documentsValue(documents), { isDeclared: true })
      await tellInitiator(context, session, documents)
      await log(context, await session.tx.documents.findAll(documents.map(({ id }) => id)), 'Review completed successfully', '')
    },
  ),
  step('NRD-AC-PR-storeTaskInfo', 'Keeps what the participants said.', async (_documents, _session, context) => {
    const html = summaryHtml(await answersIn(context), longestSummary)
    const held = context.variables.get('WorkflowVariables')
    const members = held?.kind === 'map' ? held.members : {}
    const file: Value = { kind: 'blob', blob: madeBlob(html, { name: 'output.ftl', mimeType: 'text/xml' }) }
    const kept = { ...members, review_result: { kind: 'string', text: html } as const, review_result_file: file }
    context.variables.set('WorkflowVariables', { kind: 'map', members: kept })
  }),
  step(
    'NRD-AC-PR-force-validate',
    'Goes on without those who have not answered in time.',
    async (documents, _session, context) => {
      await log(context, documents, 'Consultation time excedeed', '')
      await context.run('Workflow.ResumeNode', { kind: 'nothing' }, { isDeclared: true })
    },
  ),
]

async function answersIn({ variables, services }: OperationContext): Promise<readonly ReviewAnswer[]> {
  const node = variables.get('NodeVariables')
  const tasks = node?.kind === 'map' ? node.members['tasks'] : undefined
  const rows = tasks?.kind === 'list' ? tasks.items : []
  const answers: ReviewAnswer[] = []
  for (const row of rows) {
    if (row.kind !== 'map') continue
    const text = (name: string) => {
      const value = row.members[name]
      return value?.kind === 'string' ? value.text : null
    }
    const actor = text('actor') ?? ''
    const user = actor === '' ? undefined : await services.principals.findUser(actor)
    const property = (name: string) => String(user?.properties[name] ?? '')
    answers.push({
      actor,
      firstName: property('firstName'),
      lastName: property('lastName'),
      status: text('status'),
      comment: text('comment') ?? '',
    })
  }
  return answers
}
