import type { IsoDate } from '../../base/iso-date.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { mailPrincipals } from '../mail/index.ts'
import { everyPage } from './every-page.ts'
import { textAt, textsAt } from './instance/route-documents.ts'
import { type Translate, translator } from './rest/graph-entity.ts'
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
      const { taskNotificationTemplate: own, recipients, taskName, directive, dueDate } = properties
      if (typeof own !== 'string' || !Array.isArray(recipients)) return
      const translate = wordsIn(services)
      const texts = {
        taskName: translate(String(taskName ?? '')),
        directive: translate(String(directive ?? '')),
        ...(comment !== null && { comment }),
      }
      await mailPrincipals(session, {
        template: templates[name] ?? own,
        to: recipients.map(String),
        document,
        words: { texts, ...(typeof dueDate === 'string' && { dates: { dueDate } }) },
      })
    },
  }
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
    for (const task of tasks) if (isTask(session, task)) await remindOf(session, task, translate)
}

const openTask = "ecm:mixinType = 'Task' AND ecm:currentLifeCycleState = 'opened' AND ecm:isProxy = 0"
const moment = (date: IsoDate) => `TIMESTAMP ${quoted(date)}`

/** Who was sent no mail when the task was made is sent none now. */
async function remindOf(session: WriteSession, task: Document, translate: Translate): Promise<void> {
  const [id] = textsAt(task, 'nt:targetDocumentsIds')
  if (id === undefined || taskVariable(task, 'taskNotificationTemplate') === undefined) return
  const dueDate = textAt(task, 'nt:dueDate')
  await mailPrincipals(session, {
    template: 'workflowTaskReminder',
    to: [...textsAt(task, 'nt:actors'), ...textsAt(task, 'nt:delegatedActors')],
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
