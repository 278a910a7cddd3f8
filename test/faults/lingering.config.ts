import { setTimeout as pause } from 'node:timers/promises'
import { defineChain } from '../../src/automation/chain.ts'
import { defineOperation } from '../../src/automation/operation.ts'
import { required } from '../../src/automation/parameter.ts'
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

export default { plugins: [definePlugin({ name: 'lingering', operations: [linger], chains: [create] })] }
