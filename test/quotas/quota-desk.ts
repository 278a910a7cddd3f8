import assert from 'node:assert/strict'
import { systemAccess } from '../../src/core/access.ts'
import type { Repository } from '../../src/core/session.ts'
import { countSizes } from '../../src/features/quotas/count-sizes.ts'
import { listFoldersAt, listFoldersBelow } from '../../src/features/quotas/quota-folders.ts'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { operationsOn } from '../support/operations.ts'
import { beginBatch, fileOf } from '../support/uploads.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

export const entityType = 'org.platform.ecm.quota.automation.SimpleQuotaInfo'

/** Folders with quotas as tests work on them. */
export function quotaDesk(server: TestServer) {
  const bench = workbenchOn(server)
  const call = (id: string, params: object = {}, input?: string, user = 'Administrator') =>
    operationsOn(server, user)(id, { params, ...(input !== undefined && { input }) })
  const setMaxSize = (uid: string, targetSize: unknown, user?: string) => call('Quotas.SetMaxSize', { targetSize }, uid, user)

  return {
    bench,
    call,
    setMaxSize,
    /** A folder with a quota. */
    async folder(max: number, parent?: string, type = 'Folder'): Promise<Answered> {
      const folder = await bench.create(type, {}, parent === undefined ? {} : { parent })
      assert.equal(requireStatus(200, await setMaxSize(folder.uid, max)).value, max)
      return folder
    },
    async info(uid: string, user?: string): Promise<Answered> {
      const body = requireStatus(200, await call('Quotas.GetInfo', {}, uid, user))
      assert.equal(body['entity-type'], entityType)
      return body.value
    },
    /** Total, trash and versions, as clients see them; and what a recount gives is the same. */
    async sizes(uid: string): Promise<readonly number[]> {
      const { quota } = (await bench.read(uid, { 'enrichers.document': 'quota' })).contextParameters
      const found = await listMiscounted(repositoryOf(server))
      assert.deepEqual(found, [], 'what is counted is what a recount gives')
      return [quota.totalSize, quota.sizeTrash, quota.sizeVersions]
    },
    async miscounted(): Promise<readonly string[]> {
      return listMiscounted(repositoryOf(server))
    },
    /** Creates a File with a file of so many bytes. */
    async upload(parent: string, bytes: number, { name = `f-${++made}`, user = 'Administrator' } = {}): Promise<ApiAnswer> {
      const batch = await beginBatch(server, user)
      requireStatus(201, await batch.send(0, contentOf(bytes), { 'X-File-Name': `${name}.bin` }))
      const properties = { 'dc:title': name, 'file:content': fileOf(batch) }
      return server.as(user).post(`/path${parent}`, { 'entity-type': 'document', type: 'File', name, properties })
    },
    async file(parent: string, bytes: number): Promise<Answered> {
      return requireStatus(201, await this.upload(parent, bytes))
    },
    /** Properties with so many bytes each, as a client sends them. */
    async sentFiles(...lengths: readonly number[]): Promise<readonly object[]> {
      const batch = await beginBatch(server)
      for (const [index, bytes] of lengths.entries()) {
        requireStatus(201, await batch.send(index, contentOf(bytes), { 'X-File-Name': `s-${index}.bin` }))
      }
      return lengths.map((_, index) => fileOf(batch, `${index}`))
    },
    put: (uid: string, properties: object, user = 'Administrator') =>
      server.as(user).put(`/id/${uid}`, { 'entity-type': 'document', properties }),
  }
}

let made = 0

/** Other bytes each time: files that are alike are stored once, but count wherever they are. */
function contentOf(bytes: number): Uint8Array {
  return Buffer.alloc(bytes, `${++made}.`)
}

export function repositoryOf({ services }: TestServer) {
  const repository = services.repositories.get('default')
  assert.ok(repository)
  return repository
}

/** Folders at and below a path whose counters are not what a recount gives. */
export function listMiscounted(repository: Repository, path = '/'): Promise<readonly string[]> {
  return systemAccess(repository).read(async (session) => {
    const { tables } = session.reader
    const wrong: string[] = []
    for (const folder of [...(await listFoldersAt(tables, [path])), ...(await listFoldersBelow(tables, path))]) {
      const { total, trash, versions } = await countSizes(session, folder.path)
      const { sizes } = folder
      if (total !== sizes.total || trash !== sizes.trash || versions !== sizes.versions) wrong.push(folder.id)
    }
    return wrong
  })
}
