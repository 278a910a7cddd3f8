import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('Access entries in queries', (server) => {
  const bench = workbenchOn(server)
  let [browsed, read, hidden] = ['', '', '']

  before(async () => {
    await server.addUser('dave', ['members'])
    browsed = (await bench.create('File', { 'dc:title': 'guarded' })).uid
    read = (await bench.create('File', { 'dc:title': 'guarded' })).uid
    hidden = (await bench.create('File', { 'dc:title': 'guarded' })).uid
    await bench.restrict(browsed, grant('dave', 'Browse'), grant('erin', 'Read'))
    await bench.restrict(read, grant('dave', 'Read'), grant('erin', 'Read'))
    // Who may read the entries but not see the document finds it by no query.
    await bench.restrict(hidden, grant('dave', 'ReadSecurity'), grant('erin', 'Read'))
  })

  const found = async (condition: string, user = 'dave'): Promise<readonly string[]> => {
    const query = `SELECT * FROM File WHERE dc:title = 'guarded' AND ${condition} ORDER BY ecm:uuid`
    const { entries } = requireStatus(200, await server.as(user).get(`/search/execute?query=${encodeURIComponent(query)}`))
    return entries.map(({ uid }: { uid: string }) => uid)
  }
  const rows = async (columns: string, user = 'dave') => {
    const query = `SELECT ${columns} FROM File WHERE dc:title = 'guarded'`
    const body = { params: { query } }
    return requireStatus(200, await server.as(user).post('/automation/Repository.ResultSetQuery', body)).entries
  }

  test('are told of the documents alone whose entries the caller may read', async () => {
    const told = await rows('ecm:uuid, ecm:acl/*1/principal, ecm:acl/*1/creator')
    assert.deepEqual([...new Set(told.map((row: { 'ecm:uuid': string }) => row['ecm:uuid']))], [read])
    assert.ok(told.some((row: { 'ecm:acl/*1/principal': string }) => row['ecm:acl/*1/principal'] === 'erin'))
    const all = await rows('ecm:uuid, ecm:acl/*1/principal', 'Administrator')
    assert.equal(new Set(all.map((row: { 'ecm:uuid': string }) => row['ecm:uuid'])).size, 3)
  })

  test('are counted of these alone', async () => {
    const [counted] = await rows('COUNT(ecm:acl/*1/principal)')
    assert.equal(counted['COUNT(ecm:acl/*1/principal)'], 4)
  })

  test('are no way to ask about others, by a condition or its negation', async () => {
    assert.deepEqual(await found("ecm:acl/*1/principal = 'erin'"), [read])
    assert.deepEqual(await found("NOT ecm:acl/*/principal = 'nobody'"), [read])
    assert.deepEqual(await found("(ecm:acl/*/principal = 'nobody' OR dc:title = 'guarded')"), [read])
    assert.equal((await found("ecm:acl/*1/principal = 'erin'", 'Administrator')).length, 3)
  })

  test('change nothing for queries that do not name them', async () => {
    assert.deepEqual(await found("dc:title = 'guarded'"), [browsed, read].toSorted())
  })
})
