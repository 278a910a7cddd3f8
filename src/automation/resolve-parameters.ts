import { defineProblem } from '../base/problem.ts'
import { readParameter } from './convert-parameter.ts'
import type { Converting } from './convert-value.ts'
import type { Parameter, ParameterTable } from './parameter.ts'
import type { Value } from './value.ts'

export const parameterMissing = defineProblem(
  'parameterMissing',
  'invalid',
  (of: { name: string; operation: string }) =>
    `Failed to inject parameter '${of.name}'. Seems it is missing from the context. Operation: ${of.operation}`,
)

/** The parameters of a step by name, each from where it is found first: the step, the call, the variables (spec: operations 1.6). */
export async function resolveParameters(
  { id, params }: { readonly id: string; readonly params: ParameterTable },
  own: ReadonlyMap<string, Value>,
  converting: Converting,
): Promise<{ readonly [name: string]: unknown }> {
  const { callParameters, variables } = converting.context
  const find = (name: string) => given(own, name) ?? given(callParameters, name) ?? given(variables, name)
  const resolved: { [name: string]: unknown } = {}
  for (const name of Object.keys(params)) {
    const parameter = params[name] as Parameter
    const sent = find(name) ?? findFirst(parameter.aliases ?? [], find)
    const read = sent && readParameter({ name, word: parameter.word }, sent, converting)
    const value = read instanceof Promise ? await read : read
    if (value !== undefined) resolved[name] = value
    else if (parameter.isRequired) throw parameterMissing({ name, operation: id })
    else if (parameter.default !== undefined) resolved[name] = parameter.default
  }
  return resolved
}

/** Null counts as not sent. */
function given(place: ReadonlyMap<string, Value>, name: string): Value | undefined {
  const value = place.get(name)
  return value?.kind === 'nothing' ? undefined : value
}

function findFirst<Found>(names: readonly string[], find: (name: string) => Found | undefined): Found | undefined {
  for (const name of names) {
    const found = find(name)
    if (found !== undefined) return found
  }
  return undefined
}
