import type { Chain } from '../../automation/chain.ts'
import type { Operation, OperationMethod } from '../../automation/operation.ts'
import type { Parameter, ParameterTable } from '../../automation/parameter.ts'
import type { Callable, OperationRegistry } from '../../automation/registry.ts'
import type { InputWord, OutputWord } from '../../automation/values/words.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'

const parameterSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.Nullable(Type.String()),
    type: Type.String(),
    required: Type.Boolean(),
    widget: Type.Nullable(Type.String()),
    order: Type.Integer(),
    values: Type.Array(Type.String()),
  },
  { $id: 'OperationParameter' },
)

/** What clients read of an operation or chain before they call it (contract: operations 1.4). */
export const documentationSchema = Type.Object(
  {
    id: Type.String(),
    aliases: Type.Optional(Type.Array(Type.String())),
    label: Type.String(),
    category: Type.String(),
    requires: Type.Nullable(Type.String()),
    description: Type.Nullable(Type.String()),
    since: Type.Optional(Type.String()),
    url: Type.String(),
    signature: Type.Array(Type.String(), { description: 'What goes in and what comes out, in turns' }),
    params: Type.Array(parameterSchema),
  },
  { $id: 'OperationDocumentation' },
)

export type OperationDocumentation = Static<typeof documentationSchema>
type ParameterDocumentation = Static<typeof parameterSchema>

export const chainCategory = 'Chain'

interface Described {
  readonly operations: OperationRegistry
  readonly vendored: VendorIdentifiers
}

/** All operations and chains by their labels. */
export function documentAll(described: Described): readonly OperationDocumentation[] {
  const { operations, chains } = described.operations
  const all = [
    ...operations.map((operation) => documentOperation(operation, described)),
    ...chains.map((chain) => documentChain(chain, described)),
  ]
  return all.sort((left, right) => compare(left.label, right.label) || compare(left.id, right.id))
}

export function documentCallable(callable: Callable, described: Described): OperationDocumentation {
  return callable.kind === 'operation'
    ? documentOperation(callable.operation, described)
    : documentChain(callable.chain, described)
}

function documentOperation(operation: Operation, { vendored }: Described): OperationDocumentation {
  const { id, aliases, label, category, requires = null, description, since } = operation
  return {
    id,
    ...(aliases.length > 0 && { aliases }),
    label,
    category,
    requires,
    description,
    ...(since !== undefined && { since }),
    url: id,
    signature: signatureOf(operation).flat().map(vendored),
    params: documentParameters(operation.params, ''),
  }
}

function documentChain(chain: Chain, described: Described): OperationDocumentation {
  const { id, aliases = [], description = null, params = {} } = chain
  return {
    id,
    ...(aliases.length > 0 && { aliases }),
    label: id,
    category: chainCategory,
    requires: null,
    description,
    url: id,
    signature: chainSignature(chain, described.operations).flat().map(described.vendored),
    params: documentParameters(params, null),
  }
}

type Pair = readonly [input: string, output: string]

function signatureOf({ methods }: Pick<Operation, 'methods'>): readonly Pair[] {
  return withoutRepeats(methods.flatMap(pairsOf))
}

function pairsOf({ input, output, isItemwise }: OperationMethod): readonly Pair[] {
  return isItemwise
    ? [
        [input, output],
        [listOf[input] ?? input, listOf[output] ?? output],
      ]
    : [[input, output]]
}

/** What several of them are together. */
const listOf: { readonly [word in InputWord | OutputWord]?: string } = {
  document: 'documents',
  blob: 'bloblist',
  string: 'list',
}

/** What the first step takes, with what the last one gives. */
function chainSignature({ steps }: Chain, registry: OperationRegistry): readonly Pair[] {
  const pairs = (step: { readonly operation: string } | undefined) =>
    step === undefined ? ([['void', 'void']] as const) : signatureOfCallable(registry.read(step.operation), registry)
  const outputs = pairs(steps.at(-1)).map(([, output]) => output)
  return withoutRepeats(pairs(steps[0]).flatMap(([input]) => outputs.map((output): Pair => [input, output])))
}

function signatureOfCallable(callable: Callable, registry: OperationRegistry): readonly Pair[] {
  return callable.kind === 'operation' ? signatureOf(callable.operation) : chainSignature(callable.chain, registry)
}

function withoutRepeats(pairs: readonly Pair[]): readonly Pair[] {
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()]
}

function documentParameters(table: ParameterTable, noDescription: '' | null): readonly ParameterDocumentation[] {
  const parameters = Object.entries(table).map(([name, parameter]) => documentParameter(name, parameter, noDescription))
  return parameters.sort(byImportance)
}

function documentParameter(name: string, parameter: Parameter, noDescription: '' | null): ParameterDocumentation {
  const { word, isRequired, description = noDescription, widget = null, order = 0, values = [] } = parameter
  return { name, description, type: word, required: isRequired, widget, order, values }
}

/** By their order where both have one; else what is required first, then by name. */
function byImportance(left: ParameterDocumentation, right: ParameterDocumentation): number {
  if (left.order !== 0 && right.order !== 0 && left.order !== right.order) return left.order - right.order
  if (left.required !== right.required) return left.required ? -1 : 1
  return compare(left.name, right.name)
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
