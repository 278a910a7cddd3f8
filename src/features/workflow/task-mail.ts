import type { IsoDate } from '../../base/iso-date.ts'
import { actingAs } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import { principalIn } from '../../core/references.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { createPrincipal } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { countMails, listReceivers, mailPrincipals, requireMailRate } from '../mail/index.ts'
import { everyPage } from './every-page.ts'
import { textAt, textsAt } from './instance/route-documents.ts'
import { type Translate, translator } from './rest/graph-entity.ts'
import { knownAmong } from './tasks/asked-people.ts'
import { isTask, taskVariable } from './tasks/task-documents.ts'

const templates: { readonly [event: string]: string | undefined } = {
  workflowTaskReassigned: 'workflowTaskReassigned',
  workflowTaskDelegated: 'workflowTaskDelegated',
}

/** Names and directives of tasks are keys of texts: people are written what they mean. */
function wordsIn(services: Services): Translate {
  return translator(services.workflows.values(), [])
}

/** Orders the mails of tasks whose node has a template for them, one for each document (contract: workflow 11). */
export function taskMail(services: Services): InlineListener {
  return {
    name: 'taskMail',
    when: 'inline',
    events: ['workflowTaskAssigned', 'workflowTaskReassigned', 'workflowTaskDelegated'],
    // Behind all that may still stop it.
    order: 200,
    async handle({ name, document, comment, properties }, session) {
      const { taskNotificationTemplate: own, recipients, isChosenHere, taskName, directive, dueDate } = properties
      if (typeof own !== 'string' || !Array.isArray(recipients)) return
      const translate = wordsIn(services)
      const texts = {
        taskName: translate(String(taskName ?? '')),
        directive: translate(String(directive ?? '')),
        ...(comment !== null && { comment }),
      }
      await mailPrincipals(session, {
        template: templates[name] ?? own,
        to: await withinRate(services, session, {
          sender: senderIn(session),
          document,
          names: recipients.map(String),
          isChosenHere: isChosenHere === true,
        }),
        document,
        words: { texts, ...(typeof dueDate === 'string' && { dates: { dueDate } }) },
      })
    },
  }
}

/** Who causes what the session does; undefined for the server by itself. */
function senderIn({ principal: { isSystem, name, onBehalfOf } }: WriteSession): string | undefined {
  return isSystem ? onBehalfOf : name
}

interface TaskMail {
  readonly sender: string | undefined
  readonly document: Pick<Document, 'id'>
  readonly names: readonly string[]
  /** The sender chooses them now. */
  readonly isChosenHere: boolean
}

/**
 * Those of the names whose mails the sender may still cause in this hour, each counted. Who chooses more people than that is refused. Who
 * only lets a workflow go on has not chosen them, and nobody can ask a large group in smaller parts: there the mails are left out, and the
 * task is seen where tasks are.
 * @throws tooMuchMail
 */
async function withinRate(
  services: Services,
  session: WriteSession,
  { sender, document, names, isChosenHere }: TaskMail,
): Promise<readonly string[]> {
  if (sender === undefined) return names
  const principal = (await services.principals.find(sender)) ?? createPrincipal(sender, [], { isAdministrator: false })
  if (principal.isAdministrator) return names
  const sending = actingAs(session, principal)
  const people = { principals: services.principals, directories: services.directories.store.reader.directories }
  const known = await knownAmong(session, names)
  const within: string[] = []
  for (const name of names.filter((one) => known.has(principalIn(one)))) {
    const receivers = (await listReceivers(people, [name])).filter((one) => one !== sender)
    const isOne = receivers.every((one) => one === principalIn(name))
    if (isOne && isChosenHere) await requireMailRate(sending, services.valuesOf, receivers.length)
    else if (!(await countMails(sending, services.valuesOf, receivers.length))) {
      const about = { event: 'workflow.mailLeftOut', user: sender, document: document.id, receivers: receivers.length }
      session.repository.log.warn(about, 'people are not mailed about a task: who caused it has sent too many mails in this hour')
      continue
    }
    within.push(name)
  }
  return within
}

/** Reminds people of what is due soon. @param beforeMillis so long before; 0: nobody is reminded */
export function reminderSchedule(services: Services, intervalMillis: number, beforeMillis: number): Schedule {
  return {
    name: 'workflowReminders',
    everySeconds: intervalMillis / 1_000,
    async run(session, { since }) {
      const later = (moment: string) => new Date(Date.parse(moment) + beforeMillis).toISOString()
      if (beforeMillis > 0) await remind(services, session, { after: later(since), until: later(session.now) })
    },
  }
}

/** What was not yet, and now is, so close to its end. */
export interface DueSpan {
  readonly after: IsoDate
  readonly until: IsoDate
}

/** Reminds those who have not done yet what is due in the span. Each task lies in one of them, unless it is given another date. */
export async function remind(services: Services, session: WriteSession, { after, until }: DueSpan): Promise<void> {
  const translate = wordsIn(services)
  const due = `nt:dueDate > ${moment(after)} AND nt:dueDate <= ${moment(until)}`
  for await (const tasks of everyPage(session, 'Document', [openTask, due]))
    for (const task of tasks) if (isTask(session, task)) await remindOf(services, session, task, translate)
}

const openTask = "ecm:mixinType = 'Task' AND ecm:currentLifeCycleState = 'opened' AND ecm:isProxy = 0"
const moment = (date: IsoDate) => `TIMESTAMP ${quoted(date)}`

/** Who was sent no mail when the task was made is sent none now. */
async function remindOf(services: Services, session: WriteSession, task: Document, translate: Translate): Promise<void> {
  const [id] = textsAt(task, 'nt:targetDocumentsIds')
  if (id === undefined || taskVariable(task, 'taskNotificationTemplate') === undefined) return
  const dueDate = textAt(task, 'nt:dueDate')
  const names = [...textsAt(task, 'nt:actors'), ...textsAt(task, 'nt:delegatedActors')]
  const sender = textAt(task, 'nt:initiator')
  await mailPrincipals(session, {
    template: 'workflowTaskReminder',
    to: await withinRate(services, session, { sender, document: { id }, names, isChosenHere: false }),
    document: { id },
    words: {
      texts: {
        taskName: translate(textAt(task, 'nt:name') ?? ''),
        directive: translate(textAt(task, 'nt:directive') ?? ''),
      },
      ...(dueDate !== undefined && { dates: { dueDate } }),
    },
  })
}
