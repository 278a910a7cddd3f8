import { grant } from '../../src/model/rights/acl.ts'
import type { TestServer } from '../../src/testing.ts'
import { untilIdle } from './background.ts'
import { type OperationBody, operationsOn } from './operations.ts'
import { type Answered, requireStatus, workbenchOn } from './workbench.ts'

export interface FilesInFolder {
  readonly folder: Answered
  readonly files: readonly Answered[]
  /** Finds the files. */
  readonly query: string
}

/** The status of an action that bob has just asked for, but for its id and its time. */
export const scheduledByBob = {
  'entity-type': 'bulkStatus',
  state: 'SCHEDULED',
  processed: 0,
  error: false,
  errorCount: 0,
  total: 0,
  action: 'setProperties',
  username: 'bob',
  scrollStart: null,
  scrollEnd: null,
  processingStart: null,
  processingEnd: null,
  completed: null,
  processingMillis: 0,
}

/** Bulk actions on a server, started by operations and followed to their end. */
export function bulkOn(server: TestServer) {
  const bench = workbenchOn(server)
  let folders = 0

  /** A folder with so many files in it, to each of whom bob may write. */
  async function filesInFolder(count: number): Promise<FilesInFolder> {
    const folder = await bench.create('Folder', {}, { name: `bulk-${++folders}` })
    await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    const files: Answered[] = []
    for (let index = 0; index < count; index++) {
      files.push(await bench.create('File', { 'dc:title': `file ${index}` }, { parent: folder.path, name: `f${index}` }))
    }
    return { folder, files, query: `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'` }
  }

  /** The status of a command once it is over. */
  async function ended({ commandId }: Answered): Promise<Answered> {
    await untilIdle(server)
    return requireStatus(200, await server.as('Administrator').get(`/bulk/${commandId}`))
  }

  const start = async (params: OperationBody['params'], user = 'bob'): Promise<Answered> =>
    requireStatus(200, await operationsOn(server, user)('Bulk.RunAction', { params: params ?? {} })).value

  return {
    bench,
    filesInFolder,
    ended,
    start,
    run: async (params: OperationBody['params'], user = 'bob') => ended(await start(params, user)),
    valuesOf: (files: readonly Answered[], xpath: string): Promise<readonly unknown[]> =>
      Promise.all(files.map(async ({ uid }) => (await bench.readProperties(uid))[xpath])),
  }
}
