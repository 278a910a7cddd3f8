import { defineOperation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import type { Value } from '../../../automation/values/value.ts'
import { defineProblem } from '../../../base/problem.ts'
import { announce } from '../../../core/event.ts'
import { announceToServer } from '../../../core/server-event.ts'
import type { Document } from '../../../model/document.ts'

export const logRefused = defineProblem(
  'logRefused',
  'forbidden',
  (of: { level: string }) =>
    `Only administrators, and chains that say so themselves, write to the server's log at level ${of.level}. Use debug.`,
)

const longestMessage = 2_000
const longestCategory = 200

const levels = ['info', 'debug', 'warn', 'error'] as const

export const log = defineOperation({
  id: 'Log',
  aliases: ['LogOperation'],
  category: 'Notification',
  description:
    "Writes a line to the server's log; at another level than debug for administrators, and for chains that say the level.",
  // A line is not taken back and has no transaction to be in; a repeated request is answered without a second one.
  effect: 'waits',
  params: {
    message: required('string', { description: `Of which ${longestMessage} characters are written` }),
    level: required('string', { values: levels, description: 'Any other is taken for info' }),
    category: optional('string', { description: 'By which those who read the log find the line' }),
  },
  run: ({ on }) => [
    on('void', 'void', (_, { params, context }) => {
      const { vendored, log: lines } = context.services
      const level = levels.find((one) => one === params.level.toLowerCase()) ?? 'info'
      const category = params.category ?? vendored('org.platform.ecm.automation.logger')
      const isSaidByChain = context.originOf('level') !== undefined
      // People look at what is beyond debug, and disks are filled by it.
      if (level !== 'debug' && !isSaidByChain && !context.caller.isAdministrator) throw logRefused({ level })
      lines[level](
        { event: 'automation.log', category: shortened(category, longestCategory) },
        shortened(params.message, longestMessage),
      )
    }),
  ],
})

function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more)`
}

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
