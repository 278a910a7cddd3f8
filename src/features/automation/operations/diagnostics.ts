import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { defaulted, optional } from '../../../automation/parameter.ts'
import { isWriting } from '../../../core/access.ts'

const category = 'Execution Context'

const getTrace = defineOperation({
  id: 'Traces.Get',
  category,
  description: 'Gives administrators what a call of an operation or chain has done, or the last call that failed.',
  effect: 'reads',
  params: {
    traceKey: optional('string', { description: 'The id of the operation or chain; the last failure when absent' }),
    index: defaulted('int', -1, { description: 'Which of its calls, from 0; the last one when absent' }),
  },
  run: ({ on }) => [
    on('void', 'string', async (_, { params: { traceKey, index }, session, context }) => {
      const { kept } = context.services.diagnostics
      if (!session.principal.isAdministrator) return undefined
      if (!isWriting(session)) await kept.settled()
      return context.directories.read(({ reader }) =>
        traceKey === undefined ? kept.findLastFailure(reader) : kept.find(reader, traceKey, index),
      )
    }),
  ],
})

const toggleRecording = defineOperation({
  id: 'Traces.ToggleRecording',
  category,
  description: 'Says whether traces are recorded, after turning that on or off for an administrator.',
  effect: 'writes',
  params: {
    enableTrace: optional('boolean', { description: 'The opposite of what is when absent' }),
    readOnly: defaulted('boolean', false, { description: 'Nothing is turned on or off' }),
  },
  run: ({ on }) => [
    on('void', 'boolean', (_, { params: { enableTrace, readOnly }, session, context }) => {
      const { diagnostics } = context.services
      return context.directories.write(({ tx }) =>
        session.principal.isAdministrator && !readOnly
          ? diagnostics.toggle(tx, 'recordsTraces', enableTrace)
          : diagnostics.isOn(tx, 'recordsTraces'),
      )
    }),
  ],
})

const toggleStackDisplay = defineOperation({
  id: 'JsonStack.ToggleDisplay',
  category,
  description: 'Says whether errors are answered with where they happened, after turning that on or off for an administrator.',
  effect: 'writes',
  params: { enableTrace: optional('boolean', { description: 'The opposite of what is when absent' }) },
  run: ({ on }) => [
    on('void', 'boolean', (_, { params: { enableTrace }, session, context }) => {
      const { diagnostics } = context.services
      return context.directories.write(({ tx }) =>
        session.principal.isAdministrator
          ? diagnostics.toggle(tx, 'showsStackTraces', enableTrace)
          : diagnostics.isOn(tx, 'showsStackTraces'),
      )
    }),
  ],
})

export const diagnosticOperations: readonly Operation[] = [getTrace, toggleRecording, toggleStackDisplay]
