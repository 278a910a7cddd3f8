import type { Json } from '../base/json.ts'
import type { WriteSession } from '../core/session.ts'
import type { Document } from '../model/document.ts'
import type { OperationContext } from './context.ts'
import { defineOperation, type Operation, type OperationCall, type OperationDefinition } from './operation.ts'
import type { ParametersOf, ParameterTable } from './parameter.ts'
import { readInput } from './values/convert-value.ts'
import type { FlowingBlob } from './values/flowing-blob.ts'
import { valueOfJson } from './values/read-sent-properties.ts'
import { nothing, type Value } from './values/value.ts'
import type { Inputs, InputWord, Outputs, OutputWord } from './values/words.ts'

/** What a script hands to the operations that it calls. */
export type Given = Json | undefined | Document | FlowingBlob | readonly Document[] | readonly FlowingBlob[]

export interface ScriptedCall<Word extends InputWord> {
  readonly input?: Given
  readonly params?: { readonly [name: string]: Given }
  /** What the script expects of it. */
  readonly gives: Word
}

/** What a script is handed beside its input. */
export interface Scripting<Values> extends OperationCall<Values, WriteSession> {
  /** Runs another operation or chain, in the same transaction. @throws operationNotFound, also for what the caller may not call; what it throws */
  call<Word extends InputWord>(id: string, called: ScriptedCall<Word>): Promise<Inputs[Word]>
}

export interface ScriptDefinition<Table extends ParameterTable, In extends InputWord, Out extends OutputWord>
  extends Pick<OperationDefinition<Table, 'writes'>, 'id' | 'aliases' | 'label' | 'description' | 'since' | 'access'> {
  /** `Scripting` when absent. */
  readonly category?: string
  readonly input: In
  readonly output: Out
  readonly params?: Table
  /** Ids of what it calls for callers who could not call that themselves. Everything else is theirs to call, or refused. */
  readonly runs?: readonly string[]
  run(input: Inputs[In], scripting: Scripting<ParametersOf<Table>>): Outputs[Out] | Promise<Outputs[Out]>
}

/**
 * Declares an operation as a function that calls other operations.
 * @example
 * export const describeAll = defineScript({
 *   id: 'Scripting.DescribeAll', description: 'Describes all that is in a folder.',
 *   input: 'document', output: 'documents',
 *   async run(folder, { call }) {
 *     const children = await call('Document.GetChildren', { input: folder, gives: 'documents' })
 *     const params = { xpath: 'dc:description', value: `in ${folder.name}` }
 *     return call('Document.SetProperty', { input: children, params, gives: 'documents' })
 *   },
 * })
 */
export function defineScript<const Table extends ParameterTable, In extends InputWord, Out extends OutputWord>(
  definition: ScriptDefinition<Table, In, Out>,
): Operation {
  const { input: word, output, run, category = 'Scripting', params = {} as Table, runs = [], ...rest } = definition
  return defineOperation({
    ...rest,
    category,
    params,
    effect: 'writes',
    run: ({ on }) => [
      on(word, output, (input, given) =>
        run(input, {
          ...given,
          call: (id, called) => callFrom(given.context, { id, isDeclared: runs.includes(id) }, called),
        }),
      ),
    ],
  })
}

async function callFrom<Word extends InputWord>(
  context: OperationContext,
  { id, isDeclared }: { readonly id: string; readonly isDeclared: boolean },
  { input, params = {}, gives }: ScriptedCall<Word>,
): Promise<Inputs[Word]> {
  const parameters = new Map(Object.entries(params).map(([name, given]) => [name, valueOfGiven(given)]))
  const value = await context.run(id, valueOfGiven(input), { parameters, isDeclared, origin: 'opened' })
  return (await readInput(gives, value, context)) as Inputs[Word]
}

function valueOfGiven(given: Given): Value {
  if (given === undefined) return nothing
  if (isDocument(given)) return { kind: 'document', document: given }
  if (isBlob(given)) return { kind: 'blob', blob: given }
  if (!Array.isArray(given)) return valueOfJson(given as Json)
  if (given.length > 0 && given.every(isDocument)) return { kind: 'documents', documents: given }
  if (given.length > 0 && given.every(isBlob)) return { kind: 'blobs', blobs: given }
  return { kind: 'list', items: given.map(valueOfGiven) }
}

function isDocument(given: unknown): given is Document {
  return typeof given === 'object' && given !== null && 'acpId' in given && 'changeToken' in given
}

function isBlob(given: unknown): given is FlowingBlob {
  if (typeof given !== 'object' || given === null || !('blob' in given)) return false
  return typeof given.blob === 'object' && given.blob !== null && 'digest' in given.blob
}
