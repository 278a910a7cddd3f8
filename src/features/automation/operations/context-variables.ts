import type { OperationContext } from '../../../automation/context.ts'
import { evaluateTemplate } from '../../../automation/expressions/evaluate-template.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import { toBlob, toBlobs, toDocument, toDocuments } from '../../../automation/values/convert-value.ts'
import { nothing, type Value } from '../../../automation/values/value.ts'
import type { Outputs } from '../../../automation/values/words.ts'
import { defineProblem } from '../../../base/problem.ts'

export const variableMissing = defineProblem(
  'variableMissing',
  'invalid',
  (of: { name: string }) => `The context has no variable ${of.name}. Send it in "context", or set it in an earlier step.`,
)

const category = 'Execution Context'
const nameParameter = required('string', { description: 'Of the variable' })

/** What a step has put into a variable, or the client has sent as one. @throws variableMissing */
export function readVariable({ variables }: OperationContext, name: string): Value {
  const value = variables.get(name)
  if (value === undefined || value.kind === 'nothing') throw variableMissing({ name })
  return value
}

const setVariable = defineOperation({
  id: 'Context.SetVar',
  category,
  description: 'Sets a variable of the context.',
  effect: 'reads',
  params: { name: nameParameter, value: optional('object') },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { name, value = nothing }, context }) => {
      context.variables.set(name, value)
    }),
  ],
})

const setInputAsVariable = defineOperation({
  id: 'Context.SetInputAsVar',
  category,
  description: 'Keeps the input in a variable of the context.',
  effect: 'reads',
  params: { name: nameParameter },
  run: ({ on }) => [
    on('void', 'void', (_, { params: { name }, context }) => {
      context.variables.set(name, context.input)
    }),
  ],
})

/** Goes on with what a variable holds, or with what an expression gives. */
function defineRestoring<Word extends 'document' | 'documents' | 'blob' | 'bloblist'>(
  name: string,
  word: Word,
  read: (context: OperationContext, value: Value) => Promise<Outputs[Word]>,
): readonly Operation[] {
  return [
    defineOperation({
      id: `Context.Restore${name}Input`,
      category,
      description: `Goes on with the ${word} in a variable of the context.`,
      effect: 'reads',
      params: { name: nameParameter },
      run: ({ on }) => [on('void', word, (_, { params, context }) => read(context, readVariable(context, params.name)))],
    }),
    defineOperation({
      id: `Context.Restore${name}InputFromScript`,
      category,
      description: `Goes on with the ${word} that an expression gives.`,
      effect: 'reads',
      access: { administrators: true },
      params: { script: required('string', { widget: 'TextArea' }) },
      run: ({ on }) => [
        on('void', word, async (_, { params, context }) => read(context, await evaluateTemplate(context, params.script))),
      ],
    }),
  ]
}

export const contextVariableOperations: readonly Operation[] = [
  setVariable,
  setInputAsVariable,
  ...defineRestoring('Document', 'document', toDocument),
  ...defineRestoring('Documents', 'documents', toDocuments),
  ...defineRestoring('Blob', 'blob', toBlob),
  ...defineRestoring('Blobs', 'bloblist', toBlobs),
]
