import { setTimeout as pause } from 'node:timers/promises'
import { defineChain } from '../../src/automation/chain.ts'
import { defineOperation } from '../../src/automation/operation.ts'
import { required } from '../../src/automation/parameter.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'

const linger = defineOperation({
  id: 'Faults.Linger',
  category: 'Faults',
  description: 'Takes its time and gives what it is given.',
  effect: 'waits',
  params: { milliseconds: required('long') },
  run: ({ on }) => [
    on('document', 'document', async (document, { params }) => {
      await pause(Number(params.milliseconds))
      return document
    }),
  ],
})

/** Makes a file after a while. */
const create = defineChain({
  id: 'Faults.CreateSlowly',
  steps: [
    { operation: 'Faults.Linger', params: { milliseconds: 'expr:Context["milliseconds"]' } },
    { operation: 'Document.Create', params: { type: 'File', name: 'expr:Context["fileName"]' } },
  ],
})

/** Makes a file at once, in a transaction of its own, and tells of it after a while. */
const createAndLinger = defineOperation({
  id: 'Faults.CreateAndLinger',
  category: 'Faults',
  description: 'Makes a file, takes its time and gives the file.',
  effect: 'waits',
  params: { name: required('string'), milliseconds: required('long') },
  run: ({ on }) => [
    on('document', 'document', async (parent, { context, params: { name, milliseconds } }) => {
      const made = await context.write((session) => createDocument(session, { parent, type: 'File', name, properties: {} }))
      await pause(Number(milliseconds))
      return made
    }),
  ],
})

export default {
  plugins: [definePlugin({ name: 'lingering', operations: [linger, createAndLinger], chains: [create] })],
}
