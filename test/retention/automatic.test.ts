import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { operationBenchOn } from '../support/operation-bench.ts'
import { retentionBenchOn } from '../support/retention-bench.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('automatic retention rules', (server) => {
  const bench = operationBenchOn(server)
  const { rule, attach, repository } = retentionBenchOn(server, bench)
  const automatic = (properties: object, options = {}) =>
    rule({ 'retention_rule:applicationPolicy': 'auto', ...properties }, options)
  const file = async (title: string, properties = {}): Promise<string> =>
    (await bench.make('File', { 'dc:title': title, ...properties })).uid
  const isKept = async (uid: string): Promise<boolean> => {
    await untilIdle(server)
    return (await bench.read(uid)).isUnderRetentionOrLegalHold
  }
  const jobsOf = async (listener: string) =>
    (await repository().store.reader.jobs.list({}, 1_000)).filter(({ payload }) => JSON.stringify(payload).includes(listener))
  before(async () => {
    await server.addUser('keeper', ['members', 'RecordManager'])
  })

  test('cost nothing while there are none', async () => {
    await untilIdle(server)
    await file('plain')
    assert.deepEqual(await jobsOf('applyRetentionRules'), [])
  })

  describe('with what has to hold', () => {
    before(() => automatic({ 'retention_def:expression': 'Document.title == "contract"' }))
    test('are attached to what is created', async () => {
      assert.equal(await isKept(await file('contract')), true)
      assert.equal(await isKept(await file('letter')), false)
    })
    test('or changed so that it holds', async () => {
      const uid = await file('draft')
      assert.equal(await isKept(uid), false)
      await bench.update(uid, { 'dc:title': 'contract' })
      assert.equal(await isKept(uid), true)
    })
    test('or copied, with all that is below', async () => {
      const folder = await bench.make('Folder')
      const uid = (await bench.make('File', { 'dc:title': 'contract' }, { parent: folder.path })).uid
      assert.equal(await isKept(uid), true)
      const copy = await bench.run('Document.Copy', folder.uid, { target: bench.shared.uid, name: `copied-${Date.now()}` })
      await untilIdle(server)
      const [below] = await bench.listChildren(copy.uid)
      assert.equal(await isKept(String(below)), true)
    })
    test('by whoever writes, in the name of the server', async () => {
      const body = { 'entity-type': 'document', type: 'File', name: 'by-writer', properties: { 'dc:title': 'contract' } }
      const { body: made } = await server.as('writer').post(`/path${bench.shared.path}`, body)
      assert.equal(await isKept(made.uid), true)
    })
    test('not to versions, proxies, folders and rules', async () => {
      const uid = await file('letter')
      const folder = (await bench.make('Folder', { 'dc:title': 'contract' })).uid
      const kept = await rule({ 'dc:title': 'contract' })
      for (const one of [(await bench.checkIn(uid)).version.id, await bench.createProxy(folder, uid), folder, kept])
        assert.equal(await isKept(one), false)
    })
    test('not to what is trashed, before it is taken back', async () => {
      const uid = await file('letter')
      await bench.run('Document.Trash', uid)
      await bench.update(uid, { 'dc:title': 'contract' })
      assert.equal(await isKept(uid), false)
      await bench.run('Document.Untrash', uid)
      assert.equal(await isKept(uid), true)
    })
    test('not to what has a rule or is on hold, but once the hold is taken away', async () => {
      const uid = await file('letter')
      await bench.run('Document.Hold', uid)
      await bench.update(uid, { 'dc:title': 'contract' })
      await untilIdle(server)
      assert.equal((await bench.read(uid)).retainUntil, null)
      await bench.run('Document.Unhold', uid)
      assert.equal(await isKept(uid), true)
      const other = await file('letter')
      const { retainUntil } = await attach(other, await rule({ 'retention_def:durationYears': 9 }))
      await bench.update(other, { 'dc:title': 'contract' })
      await untilIdle(server)
      assert.equal((await bench.read(other)).retainUntil, retainUntil)
    })
  })

  test('are attached to the types that they name', async () => {
    await automatic({ 'retention_rule:docTypes': ['Note'] })
    assert.equal(await isKept((await bench.make('Note')).uid), true)
    assert.equal(await isKept(await file('letter')), false)
  })

  test('are asked in the order of their folder, and the first one is taken', async () => {
    const expression = { 'retention_def:expression': 'Document.title == "ordered"' }
    const first = await automatic({ ...expression, 'retention_def:durationYears': 3 })
    await automatic({ ...expression, 'retention_def:durationYears': 8 })
    const uid = await file('ordered')
    await isKept(uid)
    assert.deepEqual((await bench.readProperties(uid))['record:ruleIds'], [first])
  })

  test('count in a folder for rules alone, which users do not make', async () => {
    await automatic({ 'retention_def:expression': 'Document.title == "elsewhere"' }, { parent: bench.shared.path })
    assert.equal(await isKept(await file('elsewhere')), false)
  })

  test('do not count while they are disabled or in the trash', async () => {
    const kept = await automatic({ 'retention_def:expression': 'Document.title == "off"', 'retention_rule:enabled': false })
    assert.equal(await isKept(await file('off')), false)
    await bench.update(kept, { 'retention_rule:enabled': true })
    assert.equal(await isKept(await file('off')), true)
    await bench.run('Document.Trash', kept)
    assert.equal(await isKept(await file('off')), false)
  })

  test('that fail on a document are passed over for it, and keep no other rule back', async () => {
    await automatic({ 'retention_def:expression': 'Document.nothing.at.all == 1' })
    await automatic({ 'retention_def:expression': 'Document.title == "after a failure"' })
    assert.equal(await isKept(await file('after a failure')), true)
  })

  test('see the document alone, whoever wrote it', async () => {
    const secret = await bench.make('File', { 'dc:title': 'secret' })
    await bench.restrict(secret.uid)
    await automatic({ 'retention_def:expression': `Session.getDocument("${secret.uid}").title == "secret"` })
    assert.equal(await isKept(await file('spy')), false)
  })

  test('are looked through later for what was written while another process did not know of them', async () => {
    const uid = await file('missed')
    await untilIdle(server)
    await automatic({ 'retention_def:expression': 'Document.title == "missed"' })
    assert.equal(await isKept(uid), false)
    await server.asSystem(async ({ tx, now }) => {
      const waiting = await tx.jobs.list({ kind: 'retention.applyRules' }, 100)
      for (const { payload } of waiting) await tx.jobs.add('retention.applyRules', payload, { runAfter: now })
    })
    assert.equal(await isKept(uid), true)
  })
})
