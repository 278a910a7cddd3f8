import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { builtinIndexing } from '../../../test/support/builtin-indexing.ts'
import { freshPostgresSchema } from '../../../test/support/postgres.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import { attachedCache, type Document, nextChangeToken } from '../../model/document.ts'
import { grant } from '../../model/rights/acl.ts'
import { documentsTooLarge } from '../problems.ts'
import type { Store } from '../store.ts'
import { openPostgresStore } from './postgres-store.ts'

/** Two servers on one database. The first has folder, child and other at hand. */
async function twoServers<Result>(body: (servers: Servers) => Promise<Result>): Promise<void> {
  const place = await freshPostgresSchema()
  const open = () =>
    openPostgresStore({
      ...place,
      url: `${place.url}?application_name=${place.schema}`,
      repository: 'default',
      indexedProperties: [],
      indexing: builtinIndexing,
      cachedDocuments: 100,
      log: silentLog,
    })
  const [here, there] = [await open(), await open()]
  try {
    const root = await insertRoot(here)
    const folder = aStoredChild(root, 'folder')
    const child = aStoredChild(folder, 'child')
    const other = aStoredChild(folder, 'other')
    await insertAll(here, folder, child, other)
    for (const document of [folder, child, other, folder, child, other]) await here.reader.documents.find(document.id)
    await body({ here, there, root, folder, child, other, ...place })
  } finally {
    await here.close()
    await there.close()
  }
}

interface Servers {
  readonly here: Store
  readonly there: Store
  readonly root: Document
  readonly folder: Document
  readonly child: Document
  readonly other: Document
  readonly url: string
  readonly schema: string
}

async function changeState(store: Store, id: string, state: string): Promise<void> {
  await store.transact(async (tx) => {
    const before = await tx.documents.findForUpdate(id)
    assert.ok(before)
    const changeToken = nextChangeToken(before.changeToken, true)
    assert.ok(await tx.documents.update(before, { ...before, state, changeToken }))
  })
}

describe('a document that one server has at hand', () => {
  test('stays at hand while it is the same, also when others change', () =>
    twoServers(async ({ here, there, child, other }) => {
      const first = await here.reader.documents.find(child.id)
      assert.ok(first && attachedCache(first))
      assert.equal(await here.reader.documents.find(child.id), first)
      await changeState(there, other.id, 'approved')
      assert.equal(await here.reader.documents.find(child.id), first)
      assert.equal(await here.reader.documents.findByPath('/folder/child'), first)
      assert.equal((await here.reader.documents.findAll([child.id]))[0], first)
    }))

  test('is what another has just made of it, however it is looked up', () =>
    twoServers(async ({ here, there, child, other }) => {
      const { documents } = here.reader
      const lookups: (() => Promise<Document | undefined>)[] = [
        () => documents.find(child.id),
        () => documents.findByPath('/folder/child'),
        async () => (await documents.findAll([other.id, child.id]))[1],
      ]
      for (const [index, lookup] of [...lookups, ...lookups].entries()) {
        await changeState(there, child.id, `state ${index}`)
        assert.equal((await lookup())?.state, `state ${index}`)
      }
    }))

  test('is what this one has just made of it, within the transaction and after it', () =>
    twoServers(async ({ here, child }) => {
      await here.transact(async (tx) => {
        const before = await tx.documents.findForUpdate(child.id)
        assert.ok(before)
        await tx.documents.update(before, { ...before, state: 'mine' })
        assert.equal((await tx.documents.find(child.id))?.state, 'mine')
        assert.notEqual((await here.reader.documents.find(child.id))?.state, 'mine')
      })
      assert.equal((await here.reader.documents.find(child.id))?.state, 'mine')
    }))

  test('is gone with it, and found where it was moved to', () =>
    twoServers(async ({ here, there, root, folder, child, other }) => {
      const to = { parentId: root.id, name: 'moved', path: '/moved', position: null }
      assert.equal(await there.transact((tx) => tx.documents.move(folder, to)), true)
      const { documents } = here.reader
      assert.equal((await documents.find(child.id))?.path, '/moved/child')
      assert.equal(await documents.findByPath('/folder/child'), undefined)
      assert.equal((await documents.findByPath('/moved/child'))?.id, child.id)
      await there.transact((tx) => tx.documents.remove(other.id))
      assert.equal(await documents.find(other.id), undefined)
      assert.deepEqual(
        (await documents.findAll([other.id, child.id])).map(({ id }) => id),
        [child.id],
      )
      // Another one has its place.
      const next = aStoredChild({ ...folder, path: '/moved' }, 'other')
      await insertAll(there, next)
      assert.equal((await documents.findByPath('/moved/other'))?.id, next.id)
    }))

  test('has the rights that another server has just given it', () =>
    twoServers(async ({ here, there, folder, child }) => {
      const before = await here.reader.documents.find(child.id)
      const last = (await here.reader.acps.listAfter(0)).at(-1)?.id ?? 0
      assert.deepEqual(await here.reader.acps.listAfter(last), [])
      await there.transact((tx) => tx.acps.replaceAcls(folder, [{ name: 'local', aces: [grant('ann', 'Read')] }]))
      const after = await here.reader.documents.find(child.id)
      assert.notEqual(after?.acpId, before?.acpId)
      assert.deepEqual(
        (await here.reader.acps.listAfter(last)).map(({ id }) => id),
        [after?.acpId],
      )
    }))

  test('is asked about together with all others of a turn, and each gets its own', () =>
    twoServers(async ({ here, there, root, folder, child, other }) => {
      await changeState(there, child.id, 'changed')
      const { documents } = here.reader
      const found = await Promise.all([
        documents.find(child.id),
        documents.find(other.id),
        documents.findByPath('/folder'),
        documents.find('00000000-0000-0000-0000-000000000000'),
        documents.find('no\u0000id'),
        documents.findByPath('/nowhere'),
        documents.find(child.id),
        documents.findByPath('/'),
      ])
      assert.deepEqual(
        found.map((one) => one?.id),
        [child.id, other.id, folder.id, undefined, undefined, undefined, child.id, root.id],
      )
      assert.equal(found[0]?.state, 'changed')
    }))

  test('is asked about with the state of the database where it is expected, unless nothing was committed since', (context) =>
    twoServers(async ({ here, there, child, other }) => {
      const { documents, directories } = here.reader
      const sent = context.mock.method(pg.Client.prototype, 'query')
      const countSent = async (reference: { id: string } | { path: string }) => {
        await nextTurn() // after which what was told before is known no more
        const before = sent.mock.callCount()
        documents.expect?.(reference)
        await directories.generation()
        const found = await documents.find(child.id)
        return { sent: sent.mock.callCount() - before, state: found?.state }
      }
      // Whatever else commits on the same server is asked about as well, so that only the best of a few times counts.
      const fewestSent = async (reference: { id: string } | { path: string }, change = async () => {}) => {
        let best = { sent: Number.POSITIVE_INFINITY, state: undefined as string | undefined }
        for (let time = 0; time < 5; time++) {
          await change()
          await directories.generation()
          const counted = await countSent(reference)
          if (counted.sent <= best.sent) best = counted
        }
        return best
      }
      await documents.find(child.id)
      assert.deepEqual(await fewestSent({ id: child.id }), { sent: 1, state: child.state })
      let changes = 0
      const changeOther = () => changeState(there, other.id, `other ${changes++}`)
      for (const reference of [{ id: child.id }, { path: '/folder/child' }]) {
        assert.deepEqual(await fewestSent(reference, changeOther), { sent: 2, state: child.state })
      }
      const changeChild = () => changeState(there, child.id, 'changed')
      assert.deepEqual(await fewestSent({ id: child.id }, changeChild), { sent: 2, state: 'changed' })
      // What is not at hand, or not there, is not asked about before it is looked for.
      assert.equal((await countSent({ id: 'no\u0000id' })).state, 'changed')
      await changeState(there, child.id, 'again')
      assert.equal((await countSent({ path: '/nowhere' })).state, 'again')
    }))

  test('is not among a list that is too large', () =>
    twoServers(async ({ here, child, other }) => {
      await assert.rejects(here.reader.documents.findAll([child.id, other.id], 1), documentsTooLarge.is)
    }))

  test('is right after the connections broke', () =>
    twoServers(async ({ here, there, child, url, schema }) => {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [schema])
      await client.end()
      const again = async <Result>(work: () => Promise<Result>) => work().catch(work).catch(work)
      await again(() => changeState(there, child.id, 'after'))
      assert.equal((await again(() => here.reader.documents.find(child.id)))?.state, 'after')
    }))
})

describe('what a server knows of the directories', () => {
  test('is of the generation that another has just made', () =>
    twoServers(async ({ here, there }) => {
      const before = await here.reader.directories.generation()
      await there.transact((tx) => tx.directories.insert('people', { id: 'ann', values: {} }))
      assert.equal(await here.reader.directories.generation(), before + 1)
    }))
})
