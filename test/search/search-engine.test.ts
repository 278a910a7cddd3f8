import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { accessTo } from '../../src/core/access.ts'
import { compile, searchDocuments } from '../../src/core/search/page/run-query.ts'
import type { Repository } from '../../src/core/session.ts'
import { newestPosition, readerPosition } from '../../src/features/outbox/index.ts'
import type { Document } from '../../src/model/document.ts'
import { type ApiCaller, startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { EngineRefusal } from '../support/opensearch/refusal.ts'
import { type OpenSearchServer, startOpenSearchServer } from '../support/opensearch-server.ts'
import { aStoredChild } from '../support/stored-document.ts'

for (const databaseEngine of engines) {
  describe(`a search engine beside the database (${databaseEngine})`, { timeout: 120_000 }, () => {
    let engine: OpenSearchServer
    let place: DatabasePlace
    let server: TestServer
    let administrator: ApiCaller
    let repository: Repository
    const events: string[] = []
    const note = ({ event }: { event: string }) => void events.push(event)
    const log = { error: note, warn: note, info: note, debug: () => {} }
    /** What no database has a part in. */
    const testOnce: typeof test = databaseEngine === 'sqlite' ? test : (((): void => {}) as unknown as typeof test)
    const settings = () => ({
      ...place.settings,
      searchEngineUrl: engine.url,
      searchEngineUser: engine.user,
      searchEnginePassword: engine.password,
      searchEngineFor: 'all',
      searchEngineTimeout: '300ms',
    })
    const start = async () => {
      server = await startTestServer({ settings: settings(), log })
      administrator = server.as('Administrator')
      repository = server.services.repositories.get('default') as Repository
    }

    before(async () => {
      engine = await startOpenSearchServer()
      place = await filledPlace(databaseEngine)
      await start()
    })
    after(async () => {
      await server?.stop()
      await engine?.stop()
    })

    const status = async () => (await commandLineAt(place).json(['search-engine', 'status'])) as Record<string, unknown>

    /** Until the engine knows all that was committed, and finds it. */
    async function caughtUp(): Promise<void> {
      const { tables } = repository.store.reader
      for (;;) {
        const isReady = (await administrator.post('/management/probes/searchEngineStatus')).body.status.success as boolean
        const read = (await readerPosition(tables, 'search-engine')) ?? -1
        // It is looked for an index that serves once a second.
        const isAsked = isReady && (await find("ecm:path = '/'")).isOfEngine
        if (isAsked && read >= (await newestPosition(repository))) break
        await delay(20)
      }
      engine.refresh()
    }

    async function create(parent: string, name: string, type = 'File', properties = {}): Promise<string> {
      const document = { 'entity-type': 'document', type, name, properties: { 'dc:title': name, ...properties } }
      const { status: answered, body } = await administrator.post(`/path${parent}`, document)
      assert.equal(answered, 201, JSON.stringify(body))
      return body.uid
    }
    const operate = async (id: string, operation: string, params: object = {}) => {
      const { status: answered, body } = await administrator.post(`/id/${id}/@op/${operation}`, { params })
      assert.ok(answered < 300, JSON.stringify(body))
      return body
    }
    const searches = () => engine.seen.get('SEARCH') ?? 0

    /** What the user finds, and whether the engine was asked. */
    async function find(condition: string, user = 'Administrator') {
      const before = searches()
      const query = encodeURIComponent(`SELECT * FROM Document WHERE ${condition} ORDER BY dc:title`)
      const { status: answered, body } = await server.as(user).get(`/search/lang/NXQL/execute?query=${query}`)
      assert.equal(answered, 200, JSON.stringify(body))
      const titles = (body.entries as { title: string }[]).map(({ title }) => title)
      return { titles, count: body.resultsCount as number, isOfEngine: searches() > before }
    }

    /** Asks both about everything there is, for the user. */
    async function requireSameEverywhere(user = 'Administrator'): Promise<void> {
      const principal = await server.services.principals.find(user)
      assert.ok(principal !== undefined)
      const { searchIndex: _, ...withoutIndex } = repository
      const ask = (asked: Repository, text: string, offset: number) =>
        accessTo(asked, principal).read((session) => searchDocuments(session, compile(session, text), { offset, limit: 7 }))
      for (const text of standing) {
        for (const offset of [0, 5]) {
          const before = searches()
          const [byEngine, byDatabase] = [await ask(repository, text, offset), await ask(withoutIndex, text, offset)]
          assert.ok(searches() > before, `the engine was not asked: ${text}`)
          assert.deepEqual(
            byEngine.documents.map(({ id, path }) => path ?? id),
            byDatabase.documents.map(({ id, path }) => path ?? id),
            text,
          )
          assert.equal(byEngine.count, byDatabase.count, text)
        }
      }
    }

    test('is filled at the first start, and then answers', async () => {
      await create('/default-domain/workspaces', 'first', 'Workspace')
      await caughtUp()
      assert.deepEqual(await find("dc:title = 'first'"), { titles: ['first'], count: 1, isOfEngine: true })
      const { serving, building, behind } = await status()
      assert.match(String(serving), /^quire-default-/)
      assert.deepEqual([building, behind], [null, 0])
    })

    test('gives the same answers after whatever happens to documents', async () => {
      const root = '/default-domain/workspaces/first'
      const folder = await create(root, 'shelf', 'Folder')
      const inner = await create(`${root}/shelf`, 'inner', 'Folder', { 'dc:subjects': ['sciences', 'art'] })
      const note = await create(`${root}/shelf/inner`, 'note', 'Note', { 'dc:description': 'a rhinoceros, quite large' })
      const file = await create(`${root}/shelf/inner`, 'file', 'File', { 'dc:source': 'Paris' })
      await caughtUp()
      await requireSameEverywhere()
      // A version, and a proxy that shows the live document.
      await operate(file, 'Document.CreateVersion', { increment: 'Major' })
      const section = await create('/default-domain/sections', 'section', 'Section')
      await operate(note, 'Document.CreateLiveProxy', { 'Destination Path': section })
      await caughtUp()
      await requireSameEverywhere()
      // What is shown by a proxy, and what is below what moves.
      await administrator.put(`/id/${note}`, { 'entity-type': 'document', properties: { 'dc:description': 'an elephant' } })
      await operate(inner, 'Document.Move', { target: root, name: 'moved' })
      await operate(file, 'Document.Lock')
      await operate(note, 'Document.Lock')
      await operate(file, 'Document.SetLifeCycle', { value: 'approve' })
      await caughtUp()
      await requireSameEverywhere()
      await operate(inner, 'Document.Copy', { target: folder, name: 'copied' })
      await operate(folder, 'Document.Trash')
      await caughtUp()
      await requireSameEverywhere()
      await operate(folder, 'Document.Untrash')
      await operate(inner, 'Document.AddPermission', { permission: 'Read', username: 'members' })
      await caughtUp()
      await requireSameEverywhere()
      // With all below it, level by level, and its versions.
      assert.equal((await administrator.delete(`/id/${folder}`)).status, 204)
      await operate(file, 'Document.Unlock')
      await operate(note, 'Document.Unlock')
      await caughtUp()
      await requireSameEverywhere()
      // Nothing of what is gone is left in the index, where nobody would look for it.
      const stored = await repository.store.reader.documents.listIdsAfter(0, 10_000)
      assert.equal(engine.indexes.get(String((await status())['serving']))?.size, stored.length)
    })
    const refuse = () => {
      throw new EngineRefusal(503, 'cluster_block_exception', 'not now')
    }
    const standing = [
      'SELECT * FROM Document',
      "SELECT * FROM Document WHERE ecm:fulltext = 'rhinoceros' OR ecm:fulltext = 'elephant'",
      "SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces/first' ORDER BY ecm:path",
      'SELECT * FROM Document WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 ORDER BY dc:title DESC',
      "SELECT * FROM Document WHERE ecm:isProxy = 1 OR ecm:isVersion = 1 OR ecm:mixinType = 'Folderish'",
      "SELECT * FROM Document WHERE dc:subjects = 'art' OR dc:source LIKE 'Par%' OR dc:description IS NULL ORDER BY dc:created",
      "SELECT * FROM Document WHERE NOT dc:title = 'note' AND ecm:currentLifeCycleState <> 'approved' ORDER BY ecm:name",
      "SELECT * FROM Document WHERE ecm:lockOwner = 'Administrator' OR ecm:versionLabel = '1.0' OR dc:title ILIKE 'N%'",
    ]

    test('shows nobody what they may not read, and nothing any more once they may not, from the next request on', async () => {
      await server.addUser('mira', ['members'])
      const id = await create('/default-domain/workspaces', 'secret')
      await caughtUp()
      assert.deepEqual(await find("dc:title = 'secret'", 'mira'), { titles: ['secret'], count: 1, isOfEngine: true })
      // Nothing of it comes to the engine meanwhile.
      engine.intercept(({ operation }) => {
        if (operation === 'BULK') throw new EngineRefusal(429, 'rejected_execution_exception', 'busy')
      })
      await operate(id, 'Document.BlockPermissionInheritance')
      assert.deepEqual(await find("dc:title = 'secret'", 'mira'), { titles: [], count: 0, isOfEngine: true })
      assert.deepEqual((await find("dc:title = 'secret'")).titles, ['secret'])
      engine.intercept(undefined)
      await caughtUp()
      assert.deepEqual(await find("dc:title = 'secret'", 'mira'), { titles: [], count: 0, isOfEngine: true })
      await requireSameEverywhere('mira')
    })

    test('shows nothing that is gone, though the engine knows nothing of it yet', async () => {
      const id = await create('/default-domain/workspaces', 'fleeting')
      await caughtUp()
      engine.intercept(({ operation }) => {
        if (operation === 'BULK') throw new EngineRefusal(429, 'rejected_execution_exception', 'busy')
      })
      assert.equal((await administrator.delete(`/id/${id}`)).status, 204)
      assert.deepEqual(await find("dc:title = 'fleeting'"), { titles: [], count: 0, isOfEngine: true })
      engine.intercept(undefined)
      await caughtUp()
    })

    testOnce('never has an older state of a document take the place of a newer one', async () => {
      const id = await create('/default-domain/workspaces', 'twice')
      await caughtUp()
      const index = engine.indexes.get(String((await status())['serving']))
      const version = index?.get(id)?.version ?? 0
      assert.throws(() => index?.put(id, version - 1, {}), /version conflict/)
    })

    test('is left alone while it fails or hangs, with one line in the log, and asked again later', async () => {
      await create('/default-domain/workspaces', 'patience')
      await caughtUp()
      // By turns, as what follows is the same.
      const fault = databaseEngine === 'sqlite' ? refuse : () => new Promise<void>(() => {})
      events.length = 0
      engine.intercept(({ operation }) => (operation === 'SEARCH' ? fault() : undefined))
      assert.deepEqual(await find("dc:title = 'patience'"), { titles: ['patience'], count: 1, isOfEngine: true })
      // While it rests nobody waits for it.
      assert.deepEqual(await find("dc:title = 'patience'"), { titles: ['patience'], count: 1, isOfEngine: false })
      assert.equal(events.filter((event) => event === 'searchEngine.left').length, 1)
      engine.intercept(undefined)
      while (!(await find("dc:title = 'patience'")).isOfEngine) await delay(100)
      assert.equal(events.filter((event) => event === 'searchEngine.back').length, 1)
    })

    test('is told later what happened while it took nothing, and says so in the health that it is behind, without a failure', async () => {
      events.length = 0
      engine.intercept(() => {
        throw new EngineRefusal(503, 'cluster_block_exception', 'down')
      })
      await create('/default-domain/workspaces', 'meanwhile')
      while (!events.includes('searchEngine.notFed')) await delay(20)
      const { body } = await administrator.post('/management/probes/searchEngineStatus')
      assert.deepEqual([body.status.success, body.name], [false, 'searchEngineStatus'])
      const ready = await administrator.call('GET', 'health/ready')
      assert.equal(ready.status, 200)
      assert.match(await metric('quire_search_engine_behind'), /repository="default"\} [1-9]/)
      engine.intercept(undefined)
      await caughtUp()
      assert.equal(events.filter((event) => event === 'searchEngine.notFed').length, 1)
      assert.ok(events.includes('searchEngine.fedAgain'))
      assert.deepEqual(await find("dc:title = 'meanwhile'"), { titles: ['meanwhile'], count: 1, isOfEngine: true })
      assert.match(await metric('quire_search_engine_behind'), /repository="default"\} 0/)
    })

    const metric = async (name: string) => {
      const { text } = await administrator.call('GET', 'metrics')
      return text.split('\n').find((line) => line.startsWith(name)) ?? ''
    }

    test('counts what it answers, how long that takes, and what it is told of', async () => {
      const counted = () =>
        Promise.all(
          [
            'quire_search_engine_searches_total',
            'quire_search_engine_search_duration_seconds',
            'quire_search_engine_documents_total',
          ].map(sumOf),
        )
      const before = await counted()
      await create('/default-domain/workspaces', 'counted')
      await caughtUp()
      assert.equal((await find("dc:title = 'counted'")).isOfEngine, true)
      const after = await counted()
      for (const [index, sum] of after.entries()) assert.ok(sum > (before[index] ?? 0), `${before} ${after}`)
    })

    /** Of a counter, or how often something that takes time was measured. */
    const sumOf = async (name: string) => {
      const { text } = await administrator.call('GET', 'metrics')
      const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_count`))
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    }

    testOnce('leaves to the database what it does not answer alike', async () => {
      for (const condition of [
        "dc:title LIKE '%atien%'",
        "dc:subjects/* = 'art'",
        'dc:created = dc:modified',
        "file:content/name = 'a.txt'",
        'ecm:pos > 0',
      ]) {
        assert.equal((await find(condition)).isOfEngine, false, condition)
      }
      assert.match(await metric('quire_search_engine_searches_total'), /\d/)
    })

    test('is filled anew by a command, or by itself when it has lost everything', async () => {
      const before = String((await status())['serving'])
      const rebuilt = await commandLineAt(place).run(['search-engine', 'rebuild', ...engineFlags()], { variables: secret() })
      assert.equal(rebuilt.code, 0, rebuilt.complained)
      const after = String((await status())['serving'])
      assert.notEqual(after, before)
      assert.equal(engine.indexes.has(before), false)
      await caughtUp()
      await requireSameEverywhere()
      engine.wipe()
      await create('/default-domain/workspaces', 'after the loss')
      while (String((await status())['serving']) === after) await delay(50)
      await caughtUp()
      assert.deepEqual(await find("dc:title = 'after the loss'"), { titles: ['after the loss'], count: 1, isOfEngine: true })
      await requireSameEverywhere()
    })

    const shelf = '/default-domain/workspaces/first'
    const engineFlags = () => ['--search-engine-url', engine.url, '--search-engine-user', engine.user]
    const secret = () => ({ QUIRE_SEARCH_ENGINE_PASSWORD: engine.password })

    test('goes on filling where it was when the server stopped in the middle', async () => {
      const parent = (await repository.store.reader.documents.findByPath(shelf)) as Document
      // More than are sent at once, and nobody told the engine of them.
      const many = Array.from({ length: 600 }, (_, at) => aStoredChild(parent, `many-${at}`, { id: `many-${at}`, type: 'Note' }))
      await server.asSystem(({ tx }) => tx.documents.insertMany(many))
      await server.stop()
      const rebuild = () =>
        commandLineAt(place).run(['search-engine', 'rebuild', '--log-level', 'warn', ...engineFlags()], { variables: secret() })
      let bulks = 0
      engine.intercept(({ operation }) => {
        // After its position, and the first documents.
        if (operation === 'BULK' && ++bulks > 2) refuse()
      })
      assert.notEqual((await rebuild()).code, 0)
      const { building, walked } = await status()
      assert.ok(Number(walked) > 0)
      const sent: string[] = []
      engine.intercept(({ operation, body }) => {
        if (operation === 'BULK') sent.push(body)
      })
      const again = await rebuild()
      assert.equal(again.code, 0, again.complained)
      assert.equal((await status())['serving'], building)
      assert.ok(sent.join('').includes('many-599'))
      assert.ok(!sent.join('').includes('"_id":"many-0"'), 'what was sent before is not sent again')
      engine.intercept(undefined)
      await start()
      await caughtUp()
      await requireSameEverywhere()
    })

    test('is fed by another server when the one that did stops', async () => {
      const former = server
      await start()
      await former.stop()
      await create('/default-domain/workspaces', 'handed over')
      await caughtUp()
      assert.deepEqual(await find("dc:title = 'handed over'"), { titles: ['handed over'], count: 1, isOfEngine: true })
    })

    testOnce('is forgotten by a server that has none, and filled anew by one that has it again', async () => {
      await server.stop()
      const other = await startTestServer({ settings: place.settings })
      const others = other.services.repositories.get('default') as Repository
      while ((await readerPosition(others.store.reader.tables, 'search-engine')) !== undefined) await delay(20)
      await other.stop()
      await start()
      await caughtUp()
      await requireSameEverywhere()
    })
  })
}
