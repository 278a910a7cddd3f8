import { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'
import { type DownloadResult, readDownloadResult, removeDownloadResult } from '../../core/blobs/download-results.ts'
import { mayStill } from '../../core/noted-rights.ts'
import { type Answer, json, noContent } from '../../rest/answer.ts'
import { answerDownload } from '../../rest/download/download.ts'
import { downloadQuery } from '../../rest/download/download-conditions.ts'
import { downloadRefused } from '../../rest/download/download-rule.ts'
import { bytesAnswer, emptyAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { downloadHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Route } from '../../rest/route.ts'

export const downloadFailed = defineProblem('downloadFailed', 'failed', (of: { message: string }) => of.message)

const statusSchema = Type.Object(
  {
    key: Type.String(),
    completed: Type.Boolean({ description: 'Whether it can be fetched, or the reason why it failed' }),
    progress: Type.Number({ description: '0 to 100; -1 when nobody knows' }),
  },
  { $id: 'DownloadStatus' },
)

/** Downloads that were asked for and made meanwhile. */
export const resultRoutes: readonly Route[] = [
  ...[
    { name: 'nxbigblob', by: '' },
    { name: 'nxbigzipfile', by: 'ByAlias' },
  ].map(
    ({ name, by }): Route => ({
      method: 'GET',
      path: `/${name}/{key}`,
      operationId: `fetchDownload${by}`,
      under: 'server',
      summary: 'Fetch what was made for download; then it is gone',
      query: downloadQuery,
      headers: Type.Object(downloadHeaders),
      answers: {
        200: bytesAnswer('the bytes'),
        202: emptyAnswer('not finished'),
        404: 'unknown, of another user, or fetched already',
        500: 'it failed; the message says why',
      },
      handle: (exchange, { key = '' }) =>
        exchange.read(async (session) => {
          const result = await readDownloadResult(session, key)
          switch (result.kind) {
            case 'underway':
              return noContent(202)
            case 'failed':
              throw downloadFailed(result)
            case 'done':
              await requireStillAllowed(exchange, result)
              return fetchOnce(exchange, key, await answerDownload(exchange, session, { blob: result.blob, reason: 'download' }))
          }
        }),
    }),
  ),
  {
    method: 'GET',
    path: '/nxblobstatus/{key}',
    operationId: 'getDownloadStatus',
    under: 'server',
    summary: 'How far a download is that is being made',
    answers: {
      200: statusSchema,
      404: 'unknown, of another user, or fetched already',
    },
    handle: (exchange, { key = '' }) =>
      exchange.read(async (session) => {
        const result = await readDownloadResult(session, key)
        const isUnderway = result.kind === 'underway'
        const progress = isUnderway ? (result.progress ?? -1) : result.kind === 'done' ? 100 : -1
        const status: Static<typeof statusSchema> = { key, completed: !isUnderway, progress }
        return json(status)
      }),
  },
]

/** @throws downloadRefused */
async function requireStillAllowed({ services, principal }: Exchange, { rights }: DownloadResult): Promise<void> {
  if (rights === undefined || principal.isAdministrator) return
  if (!(await mayStill(services.repositories, principal, rights))) throw downloadRefused({})
}

/** Who got all of it in one piece has fetched it; one that asks for a part may have to ask again. */
function fetchOnce(exchange: Exchange, key: string, answer: Answer): Answer {
  if (answer.kind !== 'stream' || answer.status !== 200) return answer
  const remove = () => exchange.write(({ tx }) => removeDownloadResult(tx, key))
  const stream = Readable.from(heldBack(answer.stream, remove))
  stream.once('close', () => answer.stream.destroy())
  return { ...answer, stream }
}

/** Sends the last bytes only when something was done: a client that has them can rely on it. */
async function* heldBack(stream: Readable, act: () => Promise<void>): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    if (last !== undefined) yield last
    last = chunk
  }
  await act()
  if (last !== undefined) yield last
}
