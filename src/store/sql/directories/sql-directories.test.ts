import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { type DirectoryEntry, userDirectory } from '../../directories.ts'
import type { Transaction } from '../../store.ts'

const alice: DirectoryEntry = { id: 'alice', values: { firstName: 'Älice', age: 9007199254740993n, groups: ['a'], none: null } }

onEachEngine('directories', (engine) => {
  test('keep entries apart by directory and id, and list them in code-point order', async () => {
    const store = await engine.openStore()
    await store.transact(async (tx) => {
      assert.equal(await tx.directories.insert('user', alice), true)
      assert.equal(await tx.directories.insert('user', { id: 'alice', values: {} }), false)
      for (const id of ['é', 'Bob', 'b', '😀', '\uffee']) await tx.directories.insert('user', { id, values: {} })
      await tx.directories.insert('group', { id: 'alice', values: { label: 'other' } })
    })
    const { directories } = store.reader
    assert.deepEqual(await directories.find('user', 'alice'), alice)
    assert.deepEqual((await directories.find('group', 'alice'))?.values, { label: 'other' })
    assert.equal(await directories.find('user', 'nobody'), undefined)
    const listed = await directories.list('user')
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['Bob', 'alice', 'b', 'é', '\uffee', '😀'],
    )
    assert.equal(await directories.hasEntries('group'), true)
    assert.equal(await directories.hasEntries('nothing'), false)
  })

  test('update and remove what is there and say when it is not', async () => {
    const store = await engine.openStore()
    await store.transact(async (tx) => {
      assert.equal(await tx.directories.update('user', alice), false)
      await tx.directories.insert('user', alice)
      assert.equal(await tx.directories.update('user', { id: 'alice', values: { firstName: 'Eve' } }), true)
      assert.deepEqual((await tx.directories.find('user', 'alice'))?.values, { firstName: 'Eve' })
      assert.equal(await tx.directories.remove('user', 'alice'), true)
      assert.equal(await tx.directories.remove('user', 'alice'), false)
    })
    assert.equal(await store.reader.directories.find('user', 'alice'), undefined)
  })

  test('take many at once, and leave those whose id is taken as they are', async () => {
    const store = await engine.openStore()
    const added = await store.transact(async ({ directories }) => {
      await directories.insert('user', alice)
      const many = Array.from({ length: 2_500 }, (_, index) => ({ id: `user${index}`, values: { index } }))
      const again = [alice, ...many].map(({ id }) => ({ id, values: { firstName: 'Eve' } }))
      return directories.insertAll('user', [{ ...alice, values: {} }, ...many, ...again])
    })
    const { directories } = store.reader
    assert.deepEqual([added.size, added.has('alice')], [2_500, false])
    assert.deepEqual(await directories.find('user', 'alice'), alice)
    assert.deepEqual((await directories.find('user', 'user2499'))?.values, { index: 2_499 })
    await store.transact(async (tx) => assert.equal((await tx.directories.insertAll('user', [])).size, 0))
  })

  test('find by their terms also those that were taken together', async () => {
    const database = await engine.createDatabase()
    const store = await database.open()
    const entries = ['anna', 'bert'].map((id) => ({ id, values: { id }, terms: { id, name: id.toUpperCase() } }))
    await store.transact(({ directories }) => directories.insertAll('user', entries))
    assert.deepEqual(await database.query(sql`SELECT field, term, id FROM directory_terms ORDER BY field, term`), [
      ['id', 'anna', 'anna'],
      ['id', 'bert', 'bert'],
      ['name', 'ANNA', 'anna'],
      ['name', 'BERT', 'bert'],
    ])
  })

  test('remove many at once, from one directory only', async () => {
    const store = await engine.openStore()
    await store.transact(async ({ directories }) => {
      for (const id of ['a', 'b', 'c']) for (const name of ['one', 'two']) await directories.insert(name, { id, values: {} })
      await directories.removeAll('one', ['a', 'c', 'nothing'])
      await directories.removeAll('two', [])
    })
    const ids = async (name: string) => (await store.reader.directories.list(name)).map(({ id }) => id)
    assert.deepEqual([await ids('one'), await ids('two')], [['b'], ['a', 'b', 'c']])
  })

  test('keep references in order and find them from the other side', async () => {
    const store = await engine.openStore()
    await store.transact(async (tx) => {
      await tx.directories.replaceTargets('members', 'staff', ['carol', 'alice', 'bob', 'alice'])
      await tx.directories.replaceTargets('members', 'board', ['alice'])
      await tx.directories.replaceTargets('subGroups', 'staff', ['board'])
    })
    const { directories } = store.reader
    assert.deepEqual(await directories.listTargets('members', 'staff'), ['carol', 'alice', 'bob'])
    assert.deepEqual(await directories.listSources('members', 'alice'), ['board', 'staff'])
    await store.transact((tx) => tx.directories.replaceTargets('members', 'staff', ['bob']))
    assert.deepEqual(await directories.listTargets('members', 'staff'), ['bob'])
    await store.transact((tx) => tx.directories.replaceTargets('members', 'staff', []))
    assert.deepEqual(await directories.listTargets('members', 'staff'), [])
    assert.deepEqual(await directories.listTargets('subGroups', 'staff'), ['board'])
  })

  test('grow their generation with each transaction that wrote and committed, and with no other', async () => {
    const database = await engine.createDatabase()
    const [store, other] = [await database.open(), await database.open()]
    const before = await other.reader.directories.generation()
    await store.transact(async (tx) => {
      await tx.directories.insert('user', alice)
      await tx.directories.replaceTargets('members', 'staff', ['alice'])
    })
    const after = await other.reader.directories.generation()
    assert.ok(after > before)
    await store.transact((tx) => tx.directories.find('user', 'alice'))
    await assert.rejects(
      store.transact(async (tx) => {
        await tx.directories.remove('user', 'alice')
        throw new Error()
      }),
    )
    assert.equal(await other.reader.directories.generation(), after)
  })

  test('grow the generation of memberships only with references and new accounts', async () => {
    const database = await engine.createDatabase()
    const [store, other] = [await database.open(), await database.open()]
    const { directories } = other.reader
    const grows = async (write: (tx: Transaction) => Promise<unknown>) => {
      const before = await directories.membershipGeneration()
      await store.transact(write)
      return (await directories.membershipGeneration()) > before
    }
    assert.ok(await grows((tx) => tx.directories.insert(userDirectory, alice)))
    assert.ok(await grows((tx) => tx.directories.insertAll(userDirectory, [{ ...alice, id: 'bob' }])))
    assert.ok(await grows((tx) => tx.directories.addTarget('members', 'staff', 'alice')))
    assert.ok(await grows((tx) => tx.directories.replaceTargets('members', 'staff', [])))
    assert.ok(await grows((tx) => tx.directories.removeTarget('members', 'staff', 'alice')))
    assert.ok(await grows((tx) => tx.directories.removeSources('members', 'alice')))
    assert.ok(!(await grows((tx) => tx.directories.insert('notes', alice))))
    assert.ok(!(await grows((tx) => tx.directories.update(userDirectory, alice))))
    assert.ok(!(await grows((tx) => tx.directories.remove(userDirectory, 'alice'))))
    const undone = async (tx: Transaction) => {
      await tx
        .attempt(async () => {
          await tx.directories.addTarget('members', 'staff', 'bob')
          throw new Error()
        })
        .catch(() => {})
    }
    assert.ok(!(await grows(undone)))
    const redone = async (tx: Transaction) => {
      await undone(tx)
      await tx.directories.addTarget('members', 'staff', 'bob')
    }
    assert.ok(await grows(redone))
  })
})
