import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Store } from '../../store/store.ts'
import { groupDirectory, groupMembers, subGroups, userDirectory } from '../directories/people.ts'
import { hashPassword } from './password.ts'
import { createPrincipals } from './principals.ts'

const rules = {
  administratorsGroups: ['administrators'],
  reservedGroups: [],
  reservedUsers: [],
  defaultAdministrators: ['Administrator'],
  virtualUsers: [],
  groupComputers: [],
}

async function addUser(store: Store, id: string, password: string | null): Promise<void> {
  const values = { username: id, password: password === null ? null : await hashPassword(password) }
  await store.transact((tx) => tx.directories.insert(userDirectory, { id, values }))
}

async function setGroup(store: Store, id: string, members: readonly string[], groups: readonly string[] = []): Promise<void> {
  await store.transact(async (tx) => {
    await tx.directories.insert(groupDirectory, { id, values: { groupname: id } })
    await tx.directories.replaceTargets(groupMembers, id, members)
    await tx.directories.replaceTargets(subGroups, id, groups)
  })
}

onEachEngine('a principal', (engine) => {
  test('has its groups and theirs, also when these go in a circle', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'secret')
    await setGroup(store, 'designers', ['ann'], ['staff'])
    await setGroup(store, 'staff', [], ['designers'])
    await setGroup(store, 'administrators', [], ['staff'])
    const ann = await createPrincipals(store, rules).find('ann')
    assert.deepEqual([...(ann?.groups ?? [])].sort(), ['administrators', 'designers', 'staff'])
    assert.equal(ann?.isAdministrator, true)
  })

  test('loses a group at once, also in another process', async () => {
    const database = await engine.createDatabase()
    const [here, there] = [await database.open(), await database.open()]
    await addUser(here, 'ann', 'secret')
    await setGroup(here, 'staff', ['ann'])
    const principals = createPrincipals(there, rules)
    assert.deepEqual((await principals.find('ann'))?.groups, ['staff'])
    await setGroup(here, 'staff', [])
    assert.deepEqual((await principals.find('ann'))?.groups, [])
  })

  test('is given for the right password only', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'secret')
    await addUser(store, 'pat', null)
    const principals = createPrincipals(store, rules)
    assert.equal((await principals.authenticate('ann', 'secret'))?.name, 'ann')
    assert.equal((await principals.authenticate('ann', 'secret'))?.name, 'ann')
    assert.equal(await principals.authenticate('ann', 'Secret'), undefined)
    assert.equal(await principals.authenticate('pat', ''), undefined)
    assert.equal(await principals.authenticate('nobody', 'secret'), undefined)
    assert.equal(await principals.authenticate('system', 'system'), undefined)
  })

  test('cannot use an old password once it is changed, however fresh the last success', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'old')
    const principals = createPrincipals(store, rules)
    assert.ok(await principals.authenticate('ann', 'old'))
    const values = { username: 'ann', password: await hashPassword('new') }
    await store.transact((tx) => tx.directories.update(userDirectory, { id: 'ann', values }))
    assert.equal(await principals.authenticate('ann', 'old'), undefined)
    assert.ok(await principals.authenticate('ann', 'new'))
  })

  test('cannot use an old password that is still being compared when it is changed', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'old')
    const principals = createPrincipals(store, rules)
    const values = { username: 'ann', password: await hashPassword('new') }
    await principals.find('ann')
    const early = principals.authenticate('ann', 'old')
    await store.transact((tx) => tx.directories.update(userDirectory, { id: 'ann', values }))
    assert.equal(await principals.authenticate('ann', 'old'), undefined)
    await early
    assert.equal(await principals.authenticate('ann', 'old'), undefined)
  })

  test('that was let in once is renewed with its groups of now, and not once its password is another', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'old')
    const principals = createPrincipals(store, rules)
    const ann = await principals.authenticate('ann', 'old')
    assert.ok(ann)
    await setGroup(store, 'staff', ['ann'])
    const renewed = await principals.renew(ann)
    assert.deepEqual(renewed?.groups, ['staff'])
    const values = { username: 'ann', password: await hashPassword('new') }
    await store.transact((tx) => tx.directories.update(userDirectory, { id: 'ann', values }))
    assert.equal(await principals.renew(ann), undefined)
    assert.equal(await principals.renew(renewed ?? ann), undefined)
  })

  test('that was never signed in cannot be renewed', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'secret')
    const principals = createPrincipals(store, rules)
    const ann = await principals.find('ann')
    assert.ok(ann)
    assert.equal(await principals.renew(ann), undefined)
  })

  test('is one value as long as nothing changes, so that what is derived from it can be kept', async () => {
    const store = await engine.openStore()
    await addUser(store, 'ann', 'secret')
    let groups: readonly string[] = ['computed']
    const computer = { name: 'test', groups: [], groupsOf: () => groups }
    const principals = createPrincipals(store, { ...rules, groupComputers: [computer] })
    const ann = await principals.find('ann')
    assert.deepEqual(ann?.groups, ['computed'])
    groups = ['computed']
    assert.equal(await principals.find('ann'), ann)
    groups = []
    assert.deepEqual((await principals.find('ann'))?.groups, [])
  })

  test('has a name that can be stored, else the directory is not asked', async () => {
    const store = await engine.openStore()
    const principals = createPrincipals(store, rules)
    for (const name of ['', 'a\0b', '\ud800', 'x'.repeat(1_000_000)]) assert.equal(await principals.find(name), undefined)
  })

  test('is known with what it is called, and never with its password', async () => {
    const store = await engine.openStore()
    const values = { username: 'ann', firstName: 'Ann', password: await hashPassword('secret') }
    await store.transact((tx) => tx.directories.insert(userDirectory, { id: 'ann', values }))
    const user = await createPrincipals(store, rules).findUser('ann')
    assert.deepEqual(user?.properties, { username: 'ann', firstName: 'Ann' })
    assert.ok(!JSON.stringify(user).includes('ARGON2ID'))
  })

  test('named in the configuration is an administrator without any group entry', async () => {
    const store = await engine.openStore()
    await addUser(store, 'Administrator', 'secret')
    const administrator = await createPrincipals(store, rules).find('Administrator')
    assert.equal(administrator?.isAdministrator, true)
    assert.deepEqual(administrator?.groups, ['administrators'])
  })
})
