import { defineProblem } from '../../base/problem.ts'
import { type CollectionRules, collectBlobs } from '../../core/blob-gc/collect-blobs.ts'
import { json } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineRoute } from '../../rest/route.ts'

export const administratorsOnly = defineProblem(
  'administratorsOnly',
  'forbidden',
  (_: object) => 'Only administrators may remove files that nobody needs.',
)

const result = Type.Object({
  gcDuration: Type.Integer({ description: 'Milliseconds that it took' }),
  numBinaries: Type.Integer({ description: 'Files that stay' }),
  sizeBinaries: Type.Integer({ description: 'Their bytes' }),
  numBinariesGC: Type.Integer({ description: 'Files that were removed, or would be' }),
  sizeBinariesGC: Type.Integer({ description: 'Their bytes' }),
  dryRun: Type.Boolean(),
})

/** For a store of so many files that no client waits for the end, there are the nights and `quire gc`. */
export const orphanedFilesRoute = (rules: CollectionRules) =>
  defineRoute({
    method: 'DELETE',
    path: '/management/blobs/orphaned',
    operationId: 'deleteOrphanedBlobs',
    under: 'api',
    summary: 'Remove the files that no document and no upload refers to',
    query: Type.Object({ dryRun: Type.Flag({ description: 'Remove nothing, only count' }) }),
    ignoresBody: true,
    answers: {
      200: result,
      403: 'the caller is no administrator',
      409: 'too much would be removed, or a repository exists that this server does not serve',
    },
    async handle({ principal, request, services }, _parameters, { query: { dryRun = false } }) {
      if (!principal.isAdministrator) throw administratorsOnly({})
      const collected = await collectBlobs(services.repositories, { ...rules, dryRun, signal: request.signal })
      return json({ ...collected, dryRun })
    },
  })
