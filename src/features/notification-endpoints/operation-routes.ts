import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, noContent } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { resourceNotFound } from './compute-problems.ts'
import { knownOf, knownOfList } from './field-mask.ts'
import { operationFields } from './field-types.ts'
import { listEntities, writeList } from './list-entities.ts'
import { type AnswerWishes, answerSpelled, callName, linkBase, type Mount, refusals, sharedBy } from './mount.ts'
import { type ComputeOperation, writeOperation } from './operation.ts'
import { listParameters, readParameters, spelledSchemas } from './schemas.ts'
import { type PathParameters, requireAdministrator, requireName, requireScope, scopeName } from './scope.ts'
import type { JsonFields } from './spelling.ts'
import { deleteOperation, findOperation, listOperations } from './stored-operations.ts'

const longestWaitMilliseconds = 120_000

export function operationRoutes(mount: Mount, regions: readonly string[]): readonly Route[] {
  const schemas = spelledSchemas[mount.spelling]
  const shared = { ...sharedBy(mount), query: readParameters }
  const listPath = `${mount.prefix}/projects/{project}/regions/{region}/operations`
  const onePath = `${listPath}/{regionOperationId}`

  async function read(exchange: Exchange, parameters: PathParameters): Promise<ComputeOperation> {
    const scope = requireScope(parameters, regions)
    const resource = (shown: string) => `${scopeName(scope)}/operations/${shown}`
    const name = requireName(parameters['regionOperationId'], resource)
    const found = await exchange.directories.read((session) => findOperation(session, scope.project, scope.region, name))
    if (found === undefined) throw resourceNotFound({ resource: resource(name) })
    return found
  }

  return [
    defineRoute({
      ...shared,
      operationId: callName(mount, 'listRegionOperations'),
      method: 'GET',
      path: listPath,
      summary: 'What was done to the notification endpoints of a region in the last two weeks',
      query: listParameters,
      answers: { 200: schemas.operations, ...refusals },
      async handle(exchange, parameters, { query }) {
        const scope = requireScope(parameters, regions)
        const id = `${scopeName(scope)}/operations`
        const page = await exchange.directories.read((session) =>
          listEntities(
            {
              address: id,
              fields: operationFields,
              read: (order, after, limit) => listOperations(session, scope.project, scope.region, order, after, limit),
              keyOf: (one: ComputeOperation, { by }) => ({ value: by === 'name' ? one.name : one.inserted, id: one.id }),
              write: (one) => writeNow(mount, exchange, one),
            },
            query,
          ),
        )
        const list = writeList(mount, 'compute#operationList', id, linkBase(mount, exchange.request), page)
        return answerSpelled(mount, query, list, knownOfList(operationFields))
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'getRegionOperation'),
      method: 'GET',
      path: onePath,
      summary: 'An operation, by its name or id',
      answers: { 200: schemas.operation, ...refusals },
      async handle(exchange, parameters, { query }) {
        return answerOperation(mount, exchange, query, await read(exchange, parameters))
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'waitForRegionOperation'),
      method: 'POST',
      path: `${onePath}/wait`,
      summary: 'An operation once it is done, or after two minutes',
      ignoresBody: true,
      answers: { 200: schemas.operation, ...refusals },
      async handle(exchange, parameters, { query }) {
        const operation = await read(exchange, parameters)
        const end = Math.min(Date.parse(operation.ended), Date.now() + longestWaitMilliseconds)
        // Not once: a timer may be a millisecond early.
        for (let now = Date.now(); now < end; now = Date.now())
          await pause(end - now, undefined, { signal: exchange.request.signal })
        return answerOperation(mount, exchange, query, operation)
      },
    }),
    defineRoute({
      ...shared,
      operationId: callName(mount, 'deleteRegionOperation'),
      method: 'DELETE',
      path: onePath,
      summary: 'Forget an operation; for administrators',
      ignoresBody: true,
      answers: { 204: 'forgotten', ...refusals },
      async handle(exchange, parameters) {
        requireAdministrator(exchange, 'deleteOperation', parameters)
        const { id } = await read(exchange, parameters)
        await exchange.directories.write((session) => deleteOperation(session, id))
        return noContent()
      },
    }),
  ]
}

/** An operation as it is answered by whatever led to it. */
export function answerOperation(mount: Mount, exchange: Exchange, wishes: AnswerWishes, operation: ComputeOperation): Answer {
  return answerSpelled(mount, wishes, writeNow(mount, exchange, operation), knownOf(operationFields))
}

function writeNow(mount: Mount, { request }: Exchange, operation: ComputeOperation): JsonFields {
  return writeOperation(operation, linkBase(mount, request), new Date().toISOString())
}
