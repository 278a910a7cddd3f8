import { type Chain, defineChain } from '../../../automation/chain.ts'
import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { madeBlob } from '../../../automation/values/flowing-blob.ts'
import type { Value } from '../../../automation/values/value.ts'
import { documentsValue } from '../../../automation/values/value.ts'
import { defineProblem } from '../../../base/problem.ts'
import { actingAs } from '../../../core/access.ts'
import { followTransition } from '../../../core/documents/lifecycle/follow-transition.ts'
import { lockDocument } from '../../../core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../../core/documents/locks/unlock-document.ts'
import { findTarget } from '../../../core/documents/proxies/proxy.ts'
import { readStoredForUpdate, readTargetForUpdate } from '../../../core/documents/read-for-update.ts'
import { hasPermission } from '../../../core/permissions.ts'
import type { InlineListener, Session, WriteSession } from '../../../core/session.ts'
import { type Document, isUnderRetentionOrHold, type Lock } from '../../../model/document.ts'
import { createPrincipal, isOwn, systemPrincipal } from '../../../model/rights/principal.ts'
import { mailPrincipals } from '../../mail/index.ts'
import { findOpenRoute, type OpenRoute } from '../instance/open-route.ts'
import { behindRoute } from '../instance/passed-rights.ts'
import { initiatorOf } from '../instance/route-documents.ts'
import { longestSummary, parallelTitle } from './parallel-review.ts'
import { type ReviewAnswer, summaryHtml } from './review-summary.ts'

// What the two reviews run (contract: workflow 9.3). All of it is for their nodes, and nobody calls it from outside.

const access = { isDisabled: true } as const
const category = 'Review workflow'

const setWorkflow = (name: string, value: string) => ({ operation: 'Context.SetWorkflowVar', params: { name, value } })
const setNode = (name: string, value: string | null) => ({ operation: 'Workflow.SetNodeVariable', params: { name, value } })
const chain = (id: string, description: string, ...steps: Chain['steps']): Chain =>
  defineChain({ id, description, access, steps })

const index = 'WorkflowVariables["index"]'
const pressed = (button: string) => `NodeVariables["button"] == "${button}"`

export const reviewChains: readonly Chain[] = [
  chain(
    'initInitiatorComment',
    'Keeps what the initiator said for the participants.',
    setWorkflow(
      'initiatorComment',
      'expr:NodeVariables["comment"] == empty ? WorkflowVariables["initiatorComment"] : NodeVariables["comment"]',
    ),
  ),
  chain('reinitAssigneeComment', 'The next participant begins with an empty remark.', setNode('comment', null)),
  chain(
    'nextAssignee',
    'Goes on to the participant who is asked next.',
    setWorkflow(
      'index',
      `expr:${pressed('validate')} ? ${index} + 1 : ${pressed('reject')} ? ${index} - 1 : ${pressed('submit')} ? 0 : ${index}`,
    ),
  ),
  chain(
    'validateDocument',
    'Approves the documents and keeps a version of them.',
    { operation: 'review.approve' },
    { operation: 'Document.CheckIn', params: { version: 'minor', comment: 'Approved by a review' } },
  ),
  chain('NRD-AC-PR-UnlockDocument', 'Unlocks the documents that the review has locked.', { operation: 'review.unlock' }),
  chain(
    'NRD-AC-PR-ChooseParticipants-Output',
    'Locks the documents, and keeps what the initiator said.',
    { operation: 'NRD-AC-PR-LockDocument' },
    setWorkflow('initiatorComment', 'expr:NodeVariables["comment"]'),
  ),
  chain(
    'NRD-AC-PR-ValidateNode-Output',
    'Unlocks the documents and notes the decision.',
    { operation: 'NRD-AC-PR-UnlockDocument' },
    { operation: 'logInAudit' },
  ),
  chain('voidChain', 'Does nothing.'),
]

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
    access,
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

/** The lock of what a step acts on: of a proxy, that of what it shows. */
async function lockOf(session: WriteSession, document: Document): Promise<Lock | null> {
  return (await findTarget(session, document))?.lock ?? null
}

/**
 * A lock is the review's that is its initiator's and was taken at the moment of one of its steps; what is locked otherwise, by whomever,
 * stays so.
 */
function isTakenBy({ route, nodes }: OpenRoute, { owner, created }: Lock): boolean {
  const moments = nodes.flatMap(({ properties }) => [properties['rnode:startDate'], properties['rnode:endDate']])
  const taken = Date.parse(created)
  return owner === initiatorOf(route) && moments.some((moment) => typeof moment === 'string' && Date.parse(moment) === taken)
}

/** Unlocks what the review has locked that this transaction works on. */
async function unlockAll(session: WriteSession, instanceId: string, documents: readonly Document[]): Promise<void> {
  const open = findOpenRoute(session, instanceId)
  if (open === undefined) return
  for (const document of documents) {
    const lock = await lockOf(session, document)
    if (lock !== null && isTakenBy(open, lock)) await unlockDocument(session, document.id)
  }
}

export const heldFromReview = defineProblem(
  'heldFromReview',
  'conflict',
  (of: { id: string }) =>
    `${of.id} is under retention or legal hold and keeps its state: a review cannot approve it. Take the hold away first, have an administrator complete the task, or cancel the review.`,
)

export const lockedFromReview = defineProblem(
  'lockedFromReview',
  'conflict',
  (of: { id: string; owner: string }) =>
    `${of.id} is locked by ${of.owner}, who may be working on it: a review cannot approve it meanwhile. Have it unlocked and complete the task again.`,
)

export const keptFromReview = defineProblem(
  'keptFromReview',
  'conflict',
  (of: { id: string }) =>
    `${of.id} is a version, or shows one, and keeps its state: a review cannot approve it. Review the document that it is a version of, or have an administrator complete the task.`,
)

export const nobodyApproves = defineProblem(
  'nobodyApproves',
  'forbidden',
  (of: { id: string }) =>
    `Neither who started the review nor you may change the state of ${of.id}, and so the review cannot approve it. Have the task handed over to somebody who may, or cancel the review.`,
)

/**
 * A review approves with all rights, but for people: who started it or who ends it may change the state of each document. What keeps
 * everybody from a document holds for it as well: retention and legal hold, and the lock of somebody else. A version stays as it is, for
 * all who see it: a place to which it was published is no way to its state.
 * @throws keptFromReview, heldFromReview, lockedFromReview, nobodyApproves
 */
async function requireApprovable(
  documents: readonly Document[],
  session: WriteSession,
  people: readonly Session[],
): Promise<void> {
  const isTheirs = ({ owner, created }: Lock) => people.some(({ principal }) => isOwn(principal, owner, created))
  for (const { id } of documents) {
    const stored = await readStoredForUpdate(session, id)
    const { lock, ...target } = await readTargetForUpdate(session, stored)
    if (target.isVersion) throw keptFromReview({ id })
    if (isUnderRetentionOrHold(target, session.now)) throw heldFromReview({ id })
    if (lock !== null && !isTheirs(lock)) throw lockedFromReview({ id, owner: lock.owner })
    if (!(await mayBeApproved(people, stored, target))) throw nobodyApproves({ id })
  }
}

/** Of a proxy, where it is and where that is which it shows. Whose lock keeps others from it is looked at by itself. */
async function mayBeApproved(people: readonly Session[], stored: Document, target: Omit<Document, 'lock'>): Promise<boolean> {
  const places = stored.isProxy ? [stored, target] : [stored]
  for (const session of people) {
    const may = await Promise.all(places.map((place) => hasPermission(session, { ...place, lock: null }, 'WriteLifeCycle')))
    if (may.every(Boolean)) return true
  }
  return false
}

/** With what is in a folder, as far as the same people may. */
async function approve(documents: readonly Document[], session: WriteSession, context: OperationContext): Promise<void> {
  const open = findOpenRoute(session, textIn(context, 'workflowInstanceId'))
  const people = open === undefined ? [] : await behindRoute(context, open)
  const actor = people.find(({ principal }) => principal.name === session.principal.onBehalfOf)
  if (!actor?.principal.isAdministrator) await requireApprovable(documents, session, people)
  const askedBy = people.map(({ principal }) => principal.name)
  for (const { id } of documents) await followTransition(session, id, 'approve', { askedBy })
}

export const reviewOperations: readonly Operation[] = [
  step(
    'review.approve',
    'Approves the documents, and what is in folders among them, where who started the review or who ends it may. Refuses a version, and what a hold or the lock of another keeps as it is.',
    approve,
  ),
  step('review.unlock', 'Unlocks the documents that the review has locked.', async (documents, session, context) =>
    unlockAll(session, textIn(context, 'workflowInstanceId'), documents),
  ),
  step(
    'NRD-AC-PR-LockDocument',
    'Locks the documents for the initiator, unless they are locked.',
    async (documents, session, context) => {
      const initiator = createPrincipal(textIn(context, 'workflowInitiator'), [], { isAdministrator: false })
      const locking = actingAs(session, systemPrincipal(initiator))
      for (const document of documents) if ((await lockOf(session, document)) === null) await lockDocument(locking, document.id)
    },
  ),
  step('logInAudit', 'Notes the decision of a participant.', (documents, _session, context) => logDecision(context, documents)),
  step(
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

/** Whoever ends a parallel review before its end unlocks the document that it has locked. */
export const unlockCancelled: InlineListener = {
  name: 'cancelWorkflow',
  when: 'inline',
  events: ['workflowCanceled'],
  async handle({ document: { id }, properties }, session) {
    if (properties['wfName'] !== parallelTitle) return
    const document = await session.tx.documents.find(id)
    if (document !== undefined) await unlockAll(session.asSystem(), String(properties['wfId']), [document])
  },
}
