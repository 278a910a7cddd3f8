import { defineProblem } from '../../base/problem.ts'
import type { Parameter, ParameterTable } from '../parameter.ts'
import { readParameter } from '../values/convert-parameter.ts'
import type { Converting } from '../values/convert-value.ts'
import type { Value } from '../values/value.ts'
import { noOrigins, type Origin, type Origins } from './origin.ts'

export const parameterMissing = defineProblem(
  'parameterMissing',
  'invalid',
  (of: { name: string; operation: string }) =>
    `Failed to inject parameter '${of.name}'. Seems it is missing from the context. Operation: ${of.operation}`,
)

/** What a step is told by the chain in which it is. */
export interface ToldStep {
  readonly values: ReadonlyMap<string, Value>
  readonly origins: Origins
}

/** What a step is told by nobody. */
export const untold: ToldStep = { values: new Map(), origins: noOrigins }

export interface ResolvedParameters {
  readonly values: { readonly [name: string]: unknown }
  readonly origins: Origins
}

interface Sent {
  readonly value: Value
  readonly origin: Origin | undefined
}

/**
 * The parameters of a step by name, each from where it is found first: the step, the call, the variables (contract: operations 1.6).
 * A step that is for others than the caller takes none that the caller alone has said: who may not call it may not steer it.
 */
export async function resolveParameters(
  { id, params }: { readonly id: string; readonly params: ParameterTable },
  own: ToldStep,
  converting: Converting,
  { isForOthers = false }: { readonly isForOthers?: boolean } = {},
): Promise<ResolvedParameters> {
  const { callParameters, callOrigins, variables } = converting.context
  const findAny = (name: string) =>
    sentIn(own.values, own.origins, name) ?? sentIn(callParameters, callOrigins, name) ?? sentIn(variables, noOrigins, name)
  const find = (name: string) => {
    const sent = findAny(name)
    return isForOthers && sent?.origin === undefined ? undefined : sent
  }
  // Clients that have nothing to change send null, which changes nothing.
  const isNull = (name: string) =>
    (own.values.get(name) ?? (isForOthers ? undefined : callParameters.get(name)))?.kind === 'nothing'
  const resolved: { [name: string]: unknown } = {}
  const origins = new Map<string, Origin>()
  for (const name of Object.keys(params)) {
    const parameter = params[name] as Parameter
    const sent = find(name) ?? findFirst(parameter.aliases ?? [], find)
    if (sent?.origin !== undefined) origins.set(name, sent.origin)
    const read = sent && readParameter({ name, word: parameter.word }, sent.value, converting)
    const value = read instanceof Promise ? await read : read
    if (value !== undefined) resolved[name] = value
    else if (parameter.word === 'properties' && isNull(name)) resolved[name] = {}
    else if (parameter.isRequired) throw parameterMissing({ name, operation: id })
    else if (parameter.default !== undefined) resolved[name] = parameter.default
  }
  return { values: resolved, origins }
}

/** Null counts as not sent. */
function sentIn(place: ReadonlyMap<string, Value>, origins: Origins, name: string): Sent | undefined {
  const value = place.get(name)
  return value === undefined || value.kind === 'nothing' ? undefined : { value, origin: origins.get(name) }
}

function findFirst<Found>(names: readonly string[], find: (name: string) => Found | undefined): Found | undefined {
  for (const name of names) {
    const found = find(name)
    if (found !== undefined) return found
  }
  return undefined
}
