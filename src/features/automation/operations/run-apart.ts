import { ChainExit } from '../../../automation/call-failure.ts'
import type { OperationContext, RunOptions } from '../../../automation/context.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { operationNotFound } from '../../../automation/registry.ts'
import { valueOfJson } from '../../../automation/values/read-sent-properties.ts'
import type { Value } from '../../../automation/values/value.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import { defineProblem } from '../../../base/problem.ts'

const noTimeAtAll = defineProblem(
  'noTimeAtAll',
  'invalid',
  (of: { id: string; timeout: number }) =>
    `The timeout of ${of.timeout} seconds leaves ${of.id.slice(0, 100)} no time. Send 1 or more, or none for 60.`,
)

export const idParameter = required('string', { description: 'Of the operation or chain to run' })

export const parametersParameter = optional('properties', { description: 'What the operation or chain is told' })

export const isolate = (isIsolated: boolean) =>
  defaulted('boolean', isIsolated, { description: 'What is done to variables is not seen afterwards' })

/** How an operation is run apart from the rest of its request. */
export const apartParameters = (rollsBackAll: boolean) => ({
  newTx: defaulted('boolean', false, { description: 'What it did is undone by itself when it fails' }),
  ...apartOnlyParameters(rollsBackAll),
})

export const apartOnlyParameters = (rollsBackAll: boolean) => ({
  timeout: defaulted('integer', 60, { description: 'Seconds after which no further step of it begins; 1 or more' }),
  rollbackGlobalOnError: defaulted('boolean', rollsBackAll, { description: 'False: a failure is only logged' }),
})

export interface Apart {
  readonly newTx: boolean
  readonly timeout: number
  readonly rollbackGlobalOnError: boolean
}

export interface RunRequest extends Pick<RunOptions, 'isIsolated' | 'variables'> {
  readonly id: string
  readonly parameters?: SentProperties | undefined
}

/** Runs what a caller or a chain has named. @throws operationNotFound, also for what the caller could not call */
export function runNamed(
  context: OperationContext,
  input: Value,
  { id, parameters, ...options }: RunRequest & Pick<RunOptions, 'timeoutSeconds'>,
): Promise<Value> {
  const told = parameters && new Map(Object.entries(parameters).map(([name, json]) => [name, valueOfJson(json)]))
  return context.run(id, input, {
    ...options,
    isDeclared: isNamedByChain(context),
    ...(told !== undefined && { parameters: told, origin: context.originOf('parameters') }),
  })
}

/** The author of a chain answers for the ids that it names; an expression may give what the caller wants. */
function isNamedByChain(context: OperationContext): boolean {
  return context.originOf('id') === 'declared'
}

/**
 * The same, apart from the rest if it is asked for: what it did is then undone by itself when it fails, and the rest of the request
 * may go on. The request stays one transaction all the same: when it fails later, this is undone with it.
 * @returns undefined when it failed and the call goes on
 * @throws noTimeAtAll
 */
export async function runApart(
  context: OperationContext,
  input: Value,
  request: RunRequest,
  { newTx, timeout, rollbackGlobalOnError }: Apart,
): Promise<Value | undefined> {
  if (!newTx) return runNamed(context, input, request)
  if (timeout <= 0) throw noTimeAtAll({ id: request.id, timeout })
  // A caller who may not run it is told so, even where failures are ignored.
  if (!isNamedByChain(context)) context.requireMayRun(request.id)
  try {
    return await context.attempt(() => runNamed(context, input, { ...request, timeoutSeconds: timeout }))
  } catch (err) {
    if (rollbackGlobalOnError || context.budget.isSpent || err instanceof ChainExit || operationNotFound.is(err)) throw err
    context.services.log.warn({ event: 'automation.undone', operation: request.id, err }, 'an operation failed and was undone')
    return undefined
  }
}
