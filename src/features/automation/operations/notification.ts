import { defineOperation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import type { Value } from '../../../automation/value.ts'
import { announce } from '../../../core/event.ts'
import { announceToServer } from '../../../core/server-event.ts'
import type { Document } from '../../../model/document.ts'

const levels = ['info', 'debug', 'warn', 'error'] as const

export const log = defineOperation({
  id: 'Log',
  aliases: ['LogOperation'],
  category: 'Notification',
  description: "Writes a line to the server's log.",
  effect: 'reads',
  params: {
    message: required('string'),
    level: required('string', { values: levels, description: 'Any other is taken for info' }),
    category: optional('string', { description: 'By which those who read the log find the line' }),
  },
  run: ({ on }) => [
    on('void', 'void', (_, { params, context }) => {
      const { vendored, log: lines } = context.services
      const level = levels.find((one) => one === params.level.toLowerCase()) ?? 'info'
      const category = params.category ?? vendored('org.platform.ecm.automation.logger')
      lines[level]({ event: 'automation.log', category }, params.message)
    }),
  ],
})

const category = 'Automation'

export const fireEvent = defineOperation({
  id: 'Event.Fire',
  aliases: ['Notification.SendEvent'],
  category: 'Notification',
  description: 'Tells the listeners of an event, once for each document that is given, or once without a document.',
  effect: 'writes',
  // Listeners act on what they are told as the server itself; a chain says what it tells, a caller could say anything.
  access: { administrators: true },
  params: { name: required('string', { description: 'Of the event' }) },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { name }, context, session }) => {
      const documents = documentsIn(context.input)
      for (const document of documents) await announce(session, name, document, { category })
      if (documents.length === 0) await announceToServer(session, name, { category })
    }),
  ],
})

function documentsIn(input: Value): readonly Document[] {
  if (input.kind === 'document') return [input.document]
  return input.kind === 'documents' ? input.documents : []
}
