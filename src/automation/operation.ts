import type { Session, WriteSession } from '../core/session.ts'
import type { JsonObject } from '../model/properties/coercion.ts'
import type { OperationContext } from './context.ts'
import type { ParametersOf, ParameterTable } from './parameter.ts'
import type { Inputs, InputWord, Outputs, OutputWord } from './values/words.ts'

/**
 * What running an operation needs of its environment. `reads`: nothing but a session; it changes nothing anywhere, and is run again when
 * its call is repeated with the same `Idempotency-Key`. `writes`: the transaction of the request. `waits`: it does what takes time (hashes
 * a password, zips, calls out) or changes what is not in the store, and writes, if at all, through `context.write`; where it comes first it
 * runs before the transaction, so that no other request waits for the writer meanwhile.
 */
export type Effect = 'reads' | 'writes' | 'waits'

export type SessionFor<E extends Effect> = E extends 'writes' ? WriteSession : Session

/** What the body of an operation is handed beside its input. */
export interface OperationCall<Values, S extends Session> {
  readonly params: Values
  /** That of the context: most bodies take nothing else. */
  readonly session: S
  readonly context: OperationContext<S>
}

/** One way to run an operation: for one kind of input. */
export interface OperationMethod {
  readonly input: InputWord
  readonly output: OutputWord
  /** Given a list it runs for each item, and what they give is the list that goes on. */
  readonly isItemwise: boolean
  /** The words say what the input and the result are; the caller has made sure of both. */
  run(input: never, call: OperationCall<never, never>): unknown
}

type Body<In extends InputWord, Out extends OutputWord, Values, S extends Session> = (
  input: Inputs[In],
  call: OperationCall<Values, S>,
) => Outputs[Out] | Promise<Outputs[Out]>

type Item = 'document' | 'blob'
type ItemResult = 'document' | 'documents' | 'blob' | 'bloblist' | 'void' | 'string'

/** How the methods of an operation are declared. */
export interface MethodBuilders<Values, S extends Session> {
  /** Runs for an input of that kind. */
  on<In extends InputWord, Out extends OutputWord>(input: In, output: Out, run: Body<In, Out, Values, S>): OperationMethod
  /** Runs for an input of that kind, and for each item of a list of them. */
  each<In extends Item, Out extends ItemResult>(input: In, output: Out, run: Body<In, Out, Values, S>): OperationMethod
}

const builders: MethodBuilders<never, never> = {
  on: (input, output, run) => ({ input, output, isItemwise: false, run }),
  each: (input, output, run) => ({ input, output, isItemwise: true, run }),
}

/** Who may call it over HTTP. Inside a chain the chain's own binding has decided. */
export interface OperationBinding {
  readonly isDisabled?: boolean
  /** Administrators, and members of the `groups` if there are any. */
  readonly administrators?: boolean
  readonly groups?: readonly string[]
  /** Only over https. */
  readonly isSecure?: boolean
}

/** One command of the server: what it is called, what it takes, and what it does. */
export interface Operation {
  readonly id: string
  readonly aliases: readonly string[]
  readonly label: string
  readonly category: string
  readonly description: string
  readonly since?: string
  readonly requires?: 'Workflow' | 'Seam'
  readonly effect: Effect
  /** Whether with these parameters, as they are written down or sent, it does not write but waits for something else than the store. */
  readonly waitsFor?: ((params: JsonObject) => boolean) | undefined
  readonly access: OperationBinding
  readonly params: ParameterTable
  readonly methods: readonly OperationMethod[]
}

/** What a definition says; the rest has a usual value. */
export interface OperationDefinition<Table extends ParameterTable, E extends Effect> {
  readonly id: string
  readonly aliases?: readonly string[]
  /** The id when absent. */
  readonly label?: string
  readonly category: string
  readonly description: string
  readonly since?: string
  readonly requires?: 'Workflow' | 'Seam'
  readonly effect: E
  readonly waitsFor?: Operation['waitsFor']
  readonly access?: OperationBinding
  readonly params: Table
  run(builders: MethodBuilders<ParametersOf<Table>, SessionFor<E>>): readonly OperationMethod[]
}

/**
 * Declares an operation.
 * @example
 * export const lock = defineOperation({
 *   id: 'Document.Lock', category: 'Document', description: 'Locks the document for the current user.',
 *   effect: 'writes', params: {},
 *   run: ({ each }) => [each('document', 'document', (document, { session }) => lockDocument(session, document.id))],
 * })
 */
export function defineOperation<const Table extends ParameterTable, const E extends Effect>(
  definition: OperationDefinition<Table, E>,
): Operation {
  const { run, aliases = [], label = definition.id, access = {}, ...rest } = definition
  return { ...rest, aliases, label, access, methods: run(builders as MethodBuilders<ParametersOf<Table>, SessionFor<E>>) }
}
