import { type Callable, mayCall, operationNotFound } from '../../automation/registry.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Exchange } from '../../rest/request/exchange.ts'

export const operationRefused = defineProblem(
  'operationRefused',
  'forbidden',
  (of: { id: string }) => `You may not call ${of.id}.`,
)

/** What a request calls. @throws operationNotFound, also for what the caller may not call: nobody learns of it here */
export function readCallable(exchange: Exchange, id: string): Callable {
  const callable = exchange.services.operations.read(id)
  if (!isOpenTo(exchange, callable)) throw operationNotFound({ id })
  return callable
}

/** The same where callers are told. @throws operationNotFound, operationRefused */
export function readCallableOrRefuse(exchange: Exchange, id: string): Callable {
  const callable = exchange.services.operations.read(id)
  if (!isOpenTo(exchange, callable)) throw operationRefused({ id })
  return callable
}

function isOpenTo({ principal, request }: Exchange, callable: Callable): boolean {
  return mayCall(callable, principal, request)
}
