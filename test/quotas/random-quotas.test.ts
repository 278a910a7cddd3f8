import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isoDate } from '../../src/base/iso-date.ts'
import { Problem } from '../../src/base/problem.ts'
import { accessIn, systemAccess } from '../../src/core/access.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { emptyTrash } from '../../src/core/documents/trash/empty-trash.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { listVersions } from '../../src/core/documents/versions/list-versions.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import type { Repository, WriteSession } from '../../src/core/session.ts'
import { listFoldersBelow } from '../../src/features/quotas/quota-folders.ts'
import { setQuota } from '../../src/features/quotas/set-quota.ts'
import type { Document } from '../../src/model/document.ts'
import type { BlobValue } from '../../src/model/properties/property.ts'
import type { TestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import { listMiscounted, repositoryOf } from './quota-desk.ts'

const kinds = [
  ...['createFile', 'createFile', 'createFolder', 'save', 'save', 'attach', 'version', 'version', 'restore', 'removeVersion'],
  ...['copy', 'copy', 'move', 'move', 'rename', 'trash', 'untrash', 'emptyTrash', 'remove', 'proxy', 'publish', 'quota', 'quota'],
] as const
type Kind = (typeof kinds)[number]

interface Step {
  readonly kind: Kind
  readonly what: number
  readonly where: number
  readonly size: number
}

const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  what: fc.nat(40),
  where: fc.nat(40),
  size: fc.nat(9),
})
/** Several steps in one transaction, of which some may fail by themselves, and the whole of which may fail in the end. */
const aTransaction = fc.record({
  steps: fc.array(aStep, { minLength: 1, maxLength: 4 }),
  inParts: fc.boolean(),
  failsInTheEnd: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
})
type Transaction = typeof aTransaction extends fc.Arbitrary<infer One> ? One : never
const aHistory = fc.array(aTransaction, { minLength: 5, maxLength: 25 })

async function someBlobs({ blobs }: Repository): Promise<readonly BlobValue[]> {
  const made: BlobValue[] = []
  for (let size = 0; size < 10; size += 1) {
    const stored = await blobs.write(Buffer.alloc(size * 10 + 1, `${size}`))
    const value = { ...stored, name: `${size}.bin`, 'mime-type': 'application/octet-stream', encoding: null }
    made.push(value)
  }
  return made
}

async function standing(session: WriteSession, path: string): Promise<readonly Document[]> {
  const top = await session.tx.documents.findByPath(path)
  assert.ok(top)
  return [top, ...(await session.tx.documents.listBelow(path, undefined, 500))]
}

async function take(session: WriteSession, path: string, step: Step, blobs: readonly BlobValue[]): Promise<void> {
  const documents = await standing(session, path)
  const isFolder = (one: Document) => !one.isProxy && session.model.shapeOf(one).hasFacet('Folderish')
  const folders = documents.filter(isFolder)
  const folder = folders[step.where % folders.length] as Document
  const blob = blobs[step.size] as BlobValue
  const create = (type: string, properties: Parameters<typeof createDocument>[1]['properties']) =>
    createDocument(session, { parent: folder, type, name: `${type}-${step.what}`, properties })
  if (step.kind === 'createFile') return void (await create('File', { 'file:content': blob }))
  if (step.kind === 'createFolder') return void (await create('Folder', {}))
  if (step.kind === 'emptyTrash') return void (await emptyTrash(session, folder.id))
  if (step.kind === 'quota') return void (await setQuota(session, folder.id, [-1, 0, 150, 300, 600][step.size % 5] ?? 0, 10_000))
  const chosen = documents[1 + (step.what % Math.max(1, documents.length - 1))]
  if (chosen === undefined) return
  switch (step.kind) {
    case 'save':
      return void (await saveDocument(session, chosen.id, { 'file:content': blob }))
    case 'attach': {
      const files = Array.from({ length: step.where % 3 }, () => ({ file: blob }))
      return void (await saveDocument(session, chosen.id, { 'files:files': files }, { versioning: 'minor' }))
    }
    case 'version':
      return void (await checkInDocument(session, chosen.id))
    case 'restore':
    case 'removeVersion': {
      const versions = await listVersions(session, chosen.id)
      const version = versions[step.size % Math.max(1, versions.length)]
      if (version === undefined) return
      if (step.kind === 'restore') await restoreVersion(session, chosen.id, version.id)
      else await removeDocument(session, version.id)
      return
    }
    case 'copy':
      return void (await copyDocument(session, chosen.id, { parentId: folder.id }))
    case 'move':
      return void (await moveDocument(session, chosen.id, { parentId: folder.id }))
    case 'rename':
      return void (await moveDocument(session, chosen.id, { name: `renamed-${step.size}` }))
    case 'trash':
      return void (await trashDocument(session, chosen.id))
    case 'untrash':
      return void (await untrashDocument(session, chosen.id))
    case 'remove':
      return removeDocument(session, chosen.id)
    case 'proxy':
      return void (await createProxy(session, chosen.id, folder.id))
    case 'publish':
      return void (await publishDocument(session, chosen.id, folder.id))
  }
}

/** A refusal is an outcome like any other; anything else is a mistake of the server. */
function requireRefusal(error: unknown): void {
  if (!(error instanceof Problem) || error.kind === 'failed') throw error
}

const inTheEnd = new Error('thrown in the end')

async function play(server: TestServer, name: string, history: readonly Transaction[]): Promise<void> {
  const repository = repositoryOf(server)
  const access = systemAccess(repository)
  const blobs = await someBlobs(repository)
  await access.write(async (session) => {
    const root = await session.tx.documents.findByPath('/')
    assert.ok(root)
    const { id } = await createDocument(session, { parent: root, type: 'Folder', name, properties: {} })
    await setQuota(session, id, 2_000, 10_000)
  })
  for (const { steps, inParts, failsInTheEnd } of history) {
    const before = await totals(repository)
    await access
      .write(async (session) => {
        for (const step of steps) {
          const one = () => take(session, `/${name}`, step, blobs)
          if (inParts) await accessIn(session).attempt(one).catch(requireRefusal)
          else await one()
        }
        if (failsInTheEnd) throw inTheEnd
      })
      .catch((error: unknown) => (error === inTheEnd ? undefined : requireRefusal(error)))
    assert.deepEqual(await listMiscounted(repository, `/${name}`), [], `${isoDate(new Date())} ${JSON.stringify(steps)}`)
    for (const [id, { total, max }] of await totals(repository)) {
      const was = before.get(id)
      const isLimitOfThen = was?.max === max && steps.every(({ kind }) => kind !== 'quota')
      if (isLimitOfThen && max > 0 && total > max) assert.ok(total <= was.total, `${id} was added to, though it is full`)
    }
  }
}

async function totals(repository: Repository) {
  const folders = await systemAccess(repository).read(({ reader }) => listFoldersBelow(reader.tables, '/'))
  return new Map(folders.map(({ id, max, sizes }) => [id, { total: sizes.total, max }]))
}

onEachServer('whatever happens to files in folders with quotas, in any order', (server) => {
  describe('and whatever fails', () => {
    let runs = 0
    test('what is counted is what a recount gives, and no folder gets fuller than it may be', async () => {
      const property = fc.asyncProperty(aHistory, (history) => play(server, `run-${++runs}`, history))
      await fc.assert(property, {
        seed: Number(process.env['QUOTA_SEED'] ?? 1),
        numRuns: Number(process.env['QUOTA_RUNS'] ?? 12),
      })
    })
  })
})
