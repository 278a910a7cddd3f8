import { setTimeout as wait } from 'node:timers/promises'
import type { Chain } from '../../src/automation/chain.ts'
import { defineOperation, type Operation } from '../../src/automation/operation.ts'
import { defaulted, optional, required } from '../../src/automation/parameter.ts'
import { jsonOfValue } from '../../src/automation/values/read-sent-properties.ts'
import type { Value } from '../../src/automation/values/value.ts'
import type { Json } from '../../src/base/json.ts'
import { defineProblem } from '../../src/base/problem.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { definePlugin, type Plugin } from '../../src/plugin/define-plugin.ts'

const category = 'Flow'

export const flowRefused = defineProblem('flowRefused', 'conflict', (of: { why: string }) => `Refused: ${of.why}`)

const refuse = defineOperation({
  id: 'Flow.Refuse',
  aliases: ['Flow.Decline'],
  category,
  description: 'Fails as operations do.',
  effect: 'reads',
  params: { why: defaulted('string', 'it is a test') },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { why } }) => {
      throw flowRefused({ why })
    }),
  ],
})

const breakDown = defineOperation({
  id: 'Flow.Break',
  category,
  description: 'Fails as nothing should.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('void', 'void', () => {
      throw new Error('a secret')
    }),
  ],
})

const exit = defineOperation({
  id: 'Flow.Exit',
  category,
  description: 'Ends the call early.',
  effect: 'reads',
  params: { undone: defaulted('boolean', false), status: optional('int') },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { undone, status }, context }) => {
      if (status !== undefined) context.succeedWith(status)
      context.exit(context.input, { isUndone: undone })
    }),
  ],
})

/** Of what has no JSON only what it is. */
function shown(value: Value): Json {
  const json = jsonOfValue(value)
  return json === undefined ? value.kind : json
}

const show = defineOperation({
  id: 'Flow.Show',
  category,
  description: 'Shows what a step can see.',
  effect: 'reads',
  params: { given: optional('object'), text: optional('string') },
  run: ({ on }) => [
    on('void', 'map', (_, { params, context, session }) => ({
      given: params.given === undefined ? null : shown(params.given),
      text: params.text ?? null,
      input: context.input.kind,
      user: session.principal.name,
      call: Object.fromEntries([...context.callParameters].map(([name, value]) => [name, shown(value)])),
      variables: Object.fromEntries([...context.variables].map(([name, value]) => [name, shown(value)])),
    })),
  ],
})

const note = defineOperation({
  id: 'Flow.Note',
  category,
  description: 'Adds its word to the variable with the words so far.',
  effect: 'reads',
  params: { word: required('string') },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { word }, context: { variables } }) => {
      const before = variables.get('words')
      variables.set('words', { kind: 'string', text: before?.kind === 'string' ? `${before.text} ${word}` : word })
    }),
  ],
})

/** Documents that are made in the workspaces. */
function makeFolder(session: WriteSession, name: string) {
  const parent = readDocumentByPath(session, '/default-domain/workspaces')
  return parent.then((workspaces) => createDocument(session, { parent: workspaces, type: 'Folder', name, properties: {} }))
}

const make = defineOperation({
  id: 'Flow.Make',
  category,
  description: 'Makes a folder in the workspaces.',
  effect: 'writes',
  params: { name: required('string') },
  run: ({ on }) => [on('void', 'document', (_, { params: { name }, session }) => makeFolder(session, name))],
})

/** How often it waited, to see whether a call began anew. */
export const waited = { times: 0 }

const waitAndMake = defineOperation({
  id: 'Flow.WaitAndMake',
  category,
  description: 'Waits for something, then makes a folder.',
  effect: 'waits',
  params: { slowName: required('string') },
  run: ({ on }) => [
    on('void', 'document', async (_, { params: { slowName }, context }) => {
      await wait(1)
      waited.times += 1
      return context.write((session) => makeFolder(session, slowName))
    }),
  ],
})

const linger = defineOperation({
  id: 'Flow.Linger',
  category,
  description: 'Takes its time.',
  effect: 'reads',
  params: { millis: required('int') },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { millis } }) => {
      await wait(millis)
    }),
  ],
})

const choice = defineOperation({
  id: 'Flow.Choice',
  category,
  description: 'Says yes, or gives documents to those who need some.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('document', 'boolean', () => true), on('document', 'documents', (document) => [document, document])],
})

const count = defineOperation({
  id: 'Flow.Count',
  category,
  description: 'Counts documents.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('documents', 'long', (documents) => documents.length)],
})

export const flowOperations: readonly Operation[] = [
  refuse,
  breakDown,
  exit,
  show,
  note,
  make,
  waitAndMake,
  linger,
  choice,
  count,
]

/** Operations with which tests see how steps run, and chains of the test's own. */
export function flowPlugin(...chains: readonly Chain[]): Plugin {
  return definePlugin({ name: 'flow', operations: flowOperations, chains })
}
