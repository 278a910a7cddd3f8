import { answerTo, type Call } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { filePath, idOf, someReadableFiles } from '../load/tree.ts'
import { answering, bareAnswer, bareAnswering, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** More than the server keeps at hand, in a repository that has as many: the bounds hold for any document, not only for hot ones. */
const manyFiles = 20_000
/** Fewer than it keeps at hand. */
const filesInUse = 5_000

const byId = (file: number) => `/id/${idOf('file', file)}`

export const readById = reading('read-by-id', 'GET /id/{id}, all properties', manyFiles, byId, 0.5)
export const readByPath = reading(
  'read-by-path',
  'GET /path/{path}, all properties',
  manyFiles,
  (file) => `/path${filePath(file)}`,
  0.5,
)
export const readInUse = reading('read-in-use', 'GET /id/{id}, a few over and over', filesInUse, byId)

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
      return { quire: answering(server, next), bare: bareAnswering(await bareAnswer(answer), next) }
    },
  }
}
