import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { carryOverJob } from '../../src/core/blob-addresses/carry-over.ts'
import { checkBlobs } from '../../src/core/blob-check/check-blobs.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import type { Repository } from '../../src/core/session.ts'
import { nextChangeToken } from '../../src/model/document.ts'
import { type Properties, withBlobs } from '../../src/model/properties/property.ts'
import { untilIdle } from '../support/background.ts'
import { ageAll, type FileServer, listKeys, onEachFileServer } from '../support/file-servers.ts'
import { download } from '../support/files.ts'
import { noProgress } from '../support/no-progress.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const kind = 'carryOverFiles'

function repositoryOf({ server }: FileServer): Repository {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  return repository
}

/** A document that was acknowledged, with the bytes that it must have for ever. */
interface Entry {
  readonly uid: string
  readonly xpath: string
  readonly content: string
}

async function createDocuments(here: FileServer, name: string): Promise<readonly Entry[]> {
  const administrator = here.server.as('Administrator')
  const create = async (suffix: string, properties: object) => {
    const sent = { 'entity-type': 'document', type: 'File', name: `${name}-${suffix}`, properties }
    const { status, body, text } = await administrator.post('/path/default-domain/workspaces', sent)
    assert.equal(status, 201, text)
    return body.uid as string
  }
  const blob = (text: string) => ({ data: `${name} ${text}`, name: 'a.txt', 'mime-type': 'text/plain' })
  const one = await create('one', { 'dc:title': 'kept', 'file:content': blob('shared') })
  const two = await create('two', {
    'file:content': blob('shared'),
    'files:files': [{ file: blob('first') }, { file: blob('second') }],
  })
  await here.server.asSystem((session) => checkInDocument(session, one))
  await untilIdle(here.server)
  return [
    { uid: one, xpath: 'file:content', content: `${name} shared` },
    { uid: two, xpath: 'file:content', content: `${name} shared` },
    { uid: two, xpath: 'files:files/0/file', content: `${name} first` },
    { uid: two, xpath: 'files:files/1/file', content: `${name} second` },
  ]
}

/** Has everything as an earlier program left it: files named by their MD5, and documents that say so. */
async function asOfOld(here: FileServer): Promise<void> {
  const { store } = repositoryOf(here)
  const bytes = new Map<string, Buffer>()
  for await (const { key } of here.blobs.list()) {
    if (key.length === 32) continue
    const content = Buffer.concat(await Array.fromAsync(await here.blobs.read(key)))
    bytes.set(key, content)
  }
  for (const [key, content] of bytes) {
    const old = createHash('md5').update(content).digest('hex')
    await here.place.put(old, content)
    for (let after = 0; ; ) {
      const holders = await store.reader.blobKeys.listReferrers(key, after, 100)
      for (const { documentId } of holders) {
        await store.transact(async (tx) => {
          const before = await tx.documents.findForUpdate(documentId)
          assert.ok(before)
          const properties = withBlobs(before.properties, (blob) =>
            blob.key === key ? { ...blob, key: old } : blob,
          ) as Properties
          await tx.blobKeys.copyTexts(key, old)
          await tx.documents.update(before, { ...before, properties, changeToken: nextChangeToken(before.changeToken, false) })
        })
      }
      const last = holders.at(-1)
      if (last === undefined) break
      after = last.seq
    }
  }
  await ageAll(here)
  await store.transact((tx) => tx.blobKeys.forgetTexts([...bytes.keys()]))
  for await (const blob of here.blobs.list()) if (bytes.has(blob.key)) assert.equal(await here.blobs.remove(blob), true)
}

async function requireAll(here: FileServer, ledger: readonly Entry[], moment: string): Promise<void> {
  for (const { uid, xpath, content } of ledger) {
    const { status, text, headers } = await download(here.server, `nxfile/default/${uid}/${xpath}`)
    assert.deepEqual([status, text, headers.get('etag')], [200, content, `"${md5(content)}"`], `${moment}: ${uid} ${xpath}`)
  }
}

async function carryOver(here: FileServer): Promise<void> {
  await repositoryOf(here).store.transact((tx) => tx.jobs.add(kind, {}))
  await untilIdle(here.server)
}

async function flawsOf(here: FileServer) {
  return (await Array.fromAsync(checkBlobs(repositoryOf(here)))).flatMap(({ flaws }) => flaws)
}

onEachFileServer(
  'files that an earlier program named by their MD5',
  (started) => {
    test('are read as before, and carried over without anybody noticing', async () => {
      const here = started()
      const administrator = here.server.as('Administrator')
      const ledger = await createDocuments(here, 'old')
      await asOfOld(here)
      const { reader } = repositoryOf(here).store
      assert.equal(await reader.blobKeys.countOldAddresses(), 3)
      assert.deepEqual(await listKeys(here.blobs), ['old shared', 'old first', 'old second'].map(md5).toSorted())
      await requireAll(here, ledger, 'before')
      const [{ uid } = { uid: '' }] = ledger
      const before = (await administrator.get(`/id/${uid}`, { properties: '*' })).body

      await carryOver(here)

      assert.equal(await reader.blobKeys.countOldAddresses(), 0)
      assert.deepEqual(await flawsOf(here), [])
      await requireAll(here, ledger, 'after')
      const after = (await administrator.get(`/id/${uid}`, { properties: '*' })).body
      const { data: _, ...shown } = before.properties['file:content']
      const { data: __, ...shownNow } = after.properties['file:content']
      assert.deepEqual([shownNow, after.lastModified], [shown, before.lastModified])
      const edit = { 'entity-type': 'document', changeToken: before.changeToken, properties: { 'dc:title': 'edited' } }
      assert.equal((await administrator.put(`/id/${uid}`, edit)).status, 200, 'nobody’s edit fails for it')
      const query = encodeURIComponent(`SELECT * FROM File WHERE ecm:blobKeys = '${md5('old first')}'`)
      assert.equal((await administrator.get(`/query?query=${query}`)).body.entries.length, 1)
      await ageAll(here)
      const collected = await administrator.delete('/management/blobs/orphaned')
      assert.deepEqual([collected.status, collected.body.numBinaries], [200, 3], collected.text)
      assert.deepEqual(await listKeys(here.blobs), ['old shared', 'old first', 'old second'].map(sha256).toSorted())
      await requireAll(here, ledger, 'once the old names are gone')
    })

    test('are found by their words without being read again', async () => {
      const here = started()
      await createDocuments(here, 'worded')
      await asOfOld(here)
      const { store } = repositoryOf(here)
      const texts = () => store.reader.fileTexts.list([{ key: sha256('worded first'), mimeType: 'text/plain' }])
      assert.deepEqual(await texts(), [])
      await carryOver(here)
      assert.deepEqual(await texts(), ['worded first'])
      const query = encodeURIComponent("SELECT * FROM File WHERE ecm:fulltext = 'worded'")
      assert.ok((await here.server.as('Administrator').get(`/query?query=${query}`)).body.entries.length >= 2)
    })

    test('are all there wherever the work is cut off, and whatever is collected meanwhile', async () => {
      const here = started()
      const ledger = await createDocuments(here, 'cut')
      await asOfOld(here)
      const repository = repositoryOf(here)
      const job = carryOverJob(0)
      let isWhole = false
      for (let steps = 1; !isWhole; steps++) {
        assert.ok(steps < 100)
        await job.run({}, cutOffAfter(repository, steps), new AbortController().signal, noProgress).then(
          () => {},
          (error) => assert.match(String(error), /cut off/),
        )
        isWhole = (await repository.store.reader.blobKeys.countOldAddresses()) === 0
        await requireAll(here, ledger, `cut off after ${steps} steps`)
        await here.server.as('Administrator').delete('/management/blobs/orphaned')
        await requireAll(here, ledger, `collected after ${steps} steps`)
      }
      await untilIdle(here.server)
      assert.deepEqual(await flawsOf(here), [])
    })

    test('that are damaged or missing keep their names, and the others do not wait for them', async () => {
      const here = started()
      const ledger = await createDocuments(here, 'hurt')
      await asOfOld(here)
      const [damaged, lost] = [md5('hurt first'), md5('hurt second')]
      await here.place.put(damaged, Buffer.from('HURT FIRST'))
      await here.place.age(damaged, new Date('2020-02-02T02:02:02.000Z'))
      for await (const blob of here.blobs.list(lost)) await here.blobs.remove(blob)
      await carryOver(here)
      const { reader } = repositoryOf(here).store
      assert.deepEqual(await reader.blobKeys.listOldAddresses('', 10), [damaged, lost].toSorted())
      await requireAll(here, ledger.slice(0, 2), 'the others')
      const flaws = await flawsOf(here)
      assert.deepEqual(flaws.map(({ flaw }) => flaw).toSorted(), ['missing', 'wrongDigest'])
      assert.deepEqual((await Array.fromAsync(here.blobs.flaws.list())).toSorted(), [damaged, lost].toSorted())
    })
  },
  { blobGcGrace: '0s' },
)

/** The repository in the hands of a process that ends after so many steps that change something. */
function cutOffAfter(repository: Repository, steps: number): Repository {
  let left = steps
  const step = () => {
    left -= 1
    if (left < 0) throw new Error('cut off')
  }
  const { store, blobs } = repository
  return {
    ...repository,
    store: {
      ...store,
      transact(...call) {
        step()
        return store.transact(...call)
      },
    },
    blobs: {
      ...blobs,
      addAddress(...call) {
        step()
        return blobs.addAddress(...call)
      },
    },
  }
}
