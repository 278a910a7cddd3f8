import { answerTo, type Call } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { filePath, idOf, someReadableFiles } from '../load/tree.ts'
import { answering, answeringFromCache, bareAnswer, bareAnswering, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** As many as people work with; a server with the usual settings keeps them at hand. */
const filesInUse = 20_000
/** Far more than a server keeps at hand, in a repository that has as many: what reading costs when nothing was read before. */
const filesAnywhere = 200_000

const byId = (file: number) => `/id/${idOf('file', file)}`

export const readById = reading('read-by-id', 'GET /id/{id}, all properties', filesInUse, byId, 0.5)
export const readByPath = reading(
  'read-by-path',
  'GET /path/{path}, all properties',
  filesInUse,
  (file) => `/path${filePath(file)}`,
  0.5,
)
export const readAnywhere = reading('read-anywhere', 'GET /id/{id}, of all documents', filesAnywhere, byId)

function reading(name: string, title: string, filesRead: number, pathOf: (file: number) => string, leastShare?: number): RateRow {
  const callFor = (file: number): Call => ({
    method: 'GET',
    path: `/api/v1${pathOf(file)}`,
    user: reader.name,
    headers: { properties: '*' },
  })
  return {
    name,
    title,
    ...(leastShare !== undefined && { leastShare }),
    async prepare({ files, server }) {
      const calls = someReadableFiles(files, filesRead).map(callFor)
      const answer = await answerTo(callFor(0), server.target)
      const next = takingTurns(calls)
      const quire = filesRead > filesInUse ? answering(server, next) : answeringFromCache(server, next, calls.length)
      return { quire, bare: bareAnswering(await bareAnswer(answer), next) }
    },
  }
}
