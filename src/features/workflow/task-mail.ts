import type { InlineListener } from '../../core/session.ts'
import { mailPrincipals } from '../mail/index.ts'

const templates: { readonly [event: string]: string | undefined } = {
  workflowTaskReassigned: 'workflowTaskReassigned',
  workflowTaskDelegated: 'workflowTaskDelegated',
}

/** Orders the mails of tasks whose node has a template for them, one for each document (contract: workflow 11). */
export const taskMail: InlineListener = {
  name: 'taskMail',
  when: 'inline',
  events: ['workflowTaskAssigned', 'workflowTaskReassigned', 'workflowTaskDelegated'],
  // Behind all that may still stop it.
  order: 200,
  async handle({ name, document, comment, properties }, session) {
    const { taskNotificationTemplate: own, recipients, taskName, directive, dueDate } = properties
    if (typeof own !== 'string' || !Array.isArray(recipients)) return
    const texts = {
      taskName: String(taskName ?? ''),
      directive: String(directive ?? ''),
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
