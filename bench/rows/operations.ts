import { answerTo, type Call, textOf } from '../http/call.ts'
import { editor, reader } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import { answering, bareAnswering, bareJsonAnswer, manyConnections, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

const operation = (id: string, user: string, body: object): Call => ({
  method: 'POST',
  path: `/api/v1/automation/${id}`,
  user,
  body: JSON.stringify(body),
})

/** What calling an operation costs that does nothing: it writes a line that nobody wants to see, and gives back its input. */
const callNothing: RateRow = {
  name: 'operation',
  title: 'POST /automation/Log, which does nothing',
  leastShare: 0.5,
  async prepare({ server }) {
    const call = operation('Log', reader.name, { input: 'x', params: { level: 'debug', message: 'x' } })
    const next = takingTurns([call])
    return {
      quire: answering(server, next),
      bare: bareAnswering(await bareJsonAnswer(await answerTo(call, server.target)), next),
    }
  },
}

const filesUpdated = 500

/** The same change by an operation and by REST. */
const updateByOperation: RateRow = {
  name: 'operation-update',
  title: `Document.Update of one property, ${manyConnections} connections`,
  leastShare: 0.8,
  async prepare({ files, server }) {
    const ids = [...new Set(someReadableFiles(files, filesUpdated * 3))]
      .slice(0, filesUpdated * 2)
      .map((file) => idOf('file', file))
    const half = ids.length / 2
    const byOperation = (id: string, source: string) =>
      operation('Document.Update', editor.name, { input: id, params: { properties: { 'dc:source': source } } })
    const byRest = (id: string, source: string): Call => ({
      method: 'PUT',
      path: `/api/v1/id/${id}`,
      user: editor.name,
      body: JSON.stringify({ 'entity-type': 'document', properties: { 'dc:source': source } }),
    })
    return {
      quire: answering(server, inTurns(ids.slice(0, half), byOperation)),
      bare: answering(server, inTurns(ids.slice(half), byRest)),
    }
  },
}

function inTurns(ids: readonly string[], callFor: (id: string, source: string) => Call): () => string {
  let turn = 0
  return () => textOf(callFor(ids[turn++ % ids.length] as string, `scanner ${turn}`))
}

const listed = 1_000

/** A list of a thousand documents, which are looked up, handed through and shown. */
const passList: RateRow = {
  name: 'operation-list',
  title: `POST /automation/Log with ${listed} documents`,
  async prepare({ files, server }) {
    const ids = someReadableFiles(files, listed).map((file) => idOf('file', file))
    const request = { input: `docs:${ids.join(',')}`, params: { level: 'debug', message: 'x' } }
    // The bare program sends the bytes as they are; packing them would be most of the work.
    const call = { ...operation('Log', reader.name, request), headers: { 'accept-encoding': 'identity' } }
    const next = takingTurns([call])
    return {
      quire: answering(server, next),
      bare: bareAnswering(await bareJsonAnswer(await answerTo(call, server.target)), next),
    }
  },
}

export const operationRows: readonly RateRow[] = [callNothing, passList]
export const writingOperationRows: readonly RateRow[] = [updateByOperation]
