import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { defineBulkAction } from '../../src/core/bulk/bulk-action.ts'
import { submitBulk } from '../../src/core/bulk/bulk-commands.ts'
import { userDirectory } from '../../src/core/directories/people.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { scheduledByBob } from '../support/bulk.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const failing = new Set<string>()

const slowly = defineBulkAction({ name: 'slowly', isOpen: true, batchSize: 1, run: async () => void (await wait(20)) })

/** In which turn of the event loop each document had the action. */
const turnsOfDocuments: number[] = []
let turn = 0
let isCounting = false
const countTurns = () => {
  turn += 1
  if (isCounting) setImmediate(countTurns)
}

const actions = definePlugin({
  name: 'test-actions',
  bulkActions: [
    slowly,
    defineBulkAction({ name: 'counted', isOpen: true, batchSize: 10, run: async () => void turnsOfDocuments.push(turn) }),
    defineBulkAction({
      name: 'brittle',
      isOpen: true,
      async run({ tx }, id) {
        const before = await tx.documents.findForUpdate(id)
        if (before === undefined) throw new Error('gone')
        await tx.documents.update(before, { ...before, properties: { ...before.properties, 'dc:source': 'touched' } })
        if (failing.has(id)) throw new Error('a bug')
      },
    }),
  ],
})

onEachServer(
  'a bulk action on a search',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      for (const user of ['bob', 'ann', 'leaving']) await server.addUser(user, ['members'])
    })

    let folders = 0
    /** A folder with so many files in it, to each of whom bob may write. */
    async function filesInFolder(count: number): Promise<{ folder: Answered; files: readonly Answered[]; query: string }> {
      const folder = await bench.create('Folder', {}, { name: `bulk-${++folders}` })
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite'), grant('leaving', 'ReadWrite')] }])
      const files: Answered[] = []
      for (let index = 0; index < count; index++) {
        files.push(await bench.create('File', { 'dc:title': `file ${index}` }, { parent: folder.path, name: `f${index}` }))
      }
      return { folder, files, query: `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'` }
    }

    const post = (address: string, parameters: Record<string, string>, body: unknown = {}, user = 'bob') =>
      server.as(user).post(`${address}?${new URLSearchParams(parameters)}`, body)

    async function done(status: Answered, user = 'bob'): Promise<Answered> {
      await untilIdle(server)
      return requireStatus(200, await server.as(user).get(`/bulk/${status.commandId}`))
    }

    const descriptions = (files: readonly Answered[]) =>
      Promise.all(files.map(async ({ uid }) => (await bench.readProperties(uid))['dc:description']))

    describe('that is accepted', () => {
      test('is answered with 202 and a status that says it is scheduled', async () => {
        const { query } = await filesInFolder(1)
        const answer = await post('/search/bulk/setProperties', { query }, { 'dc:description': 'x' })
        assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=bulkStatus')
        const { commandId, submitted, ...rest } = requireStatus(202, answer)
        assert.match(commandId, /^[0-9a-f-]{36}$/)
        assert.ok(Math.abs(Date.parse(submitted) - Date.now()) < 60_000)
        assert.deepEqual(rest, scheduledByBob)
      })

      test('is done to all that the query finds and to nothing else', async () => {
        const { files, query } = await filesInFolder(60)
        const others = await filesInFolder(1)
        const status = await done(
          requireStatus(202, await post('/search/bulk/setProperties', { query }, { 'dc:description': 'x' })),
        )
        assert.deepEqual(
          [status.state, status.total, status.processed, status.error, status.errorCount],
          ['COMPLETED', 60, 60, false, 0],
        )
        for (const moment of ['submitted', 'scrollStart', 'scrollEnd', 'processingStart', 'processingEnd', 'completed']) {
          assert.ok(!Number.isNaN(Date.parse(status[moment])), `${moment} is a date`)
        }
        assert.deepEqual(new Set(await descriptions(files)), new Set(['x']))
        assert.deepEqual(await descriptions(others.files), [null])
      })

      test('is done as who asked for it', async () => {
        const { files, query } = await filesInFolder(1)
        await done(requireStatus(202, await post('/search/bulk/setProperties', { query }, { 'dc:description': 'x' })))
        assert.equal((await bench.readProperties(files[0].uid))['dc:lastContributor'], 'bob')
      })

      test('is completed at once where nothing is found', async () => {
        const { query } = await filesInFolder(0)
        const status = await done(requireStatus(202, await post('/search/bulk/setProperties', { query }, {})))
        assert.deepEqual([status.state, status.total], ['COMPLETED', 0])
      })

      test('needs no body', async () => {
        const { query } = await filesInFolder(1)
        const address = `api/v1/search/bulk/setProperties?${new URLSearchParams({ query })}`
        const answer = await server.as('bob').call('POST', address)
        assert.equal((await done(requireStatus(202, answer))).state, 'COMPLETED')
      })

      test('is done to as many as the limit says', async () => {
        const { files, query } = await filesInFolder(5)
        const status = await done(
          requireStatus(202, await post('/search/bulk/setProperties', { query, queryLimit: '2' }, { 'dc:description': 'x' })),
        )
        assert.deepEqual([status.total, status.processed], [2, 2])
        assert.equal((await descriptions(files)).filter((one) => one === 'x').length, 2)
      })

      test('is not cut into pages', async () => {
        const { query } = await filesInFolder(3)
        const paging = { pageSize: '1', currentPageIndex: '1', sortBy: 'dc:title', sortOrder: 'asc' }
        const status = await done(requireStatus(202, await post('/search/bulk/setProperties', { query, ...paging }, {})))
        assert.equal(status.total, 3)
      })

      for (const scroll of ['default', 'repository', 'elastic']) {
        test(`may be enumerated by ${scroll}`, async () => {
          const { query } = await filesInFolder(1)
          const status = await done(requireStatus(202, await post('/search/bulk/setProperties', { query, scroll }, {})))
          assert.equal(status.total, 1)
        })
      }

      test('goes to the documents that the first column names', async () => {
        const { files, folder } = await filesInFolder(2)
        await bench.change(files[0].uid, { properties: { 'dc:source': files[1].uid } })
        const query = `SELECT dc:source FROM File WHERE ecm:parentId = '${folder.uid}'`
        await done(requireStatus(202, await post('/search/bulk/setProperties', { query }, { 'dc:description': 'x' })))
        assert.deepEqual(await descriptions(files), [null, 'x'])
      })

      test('keeps to the limit of the query itself', async () => {
        const { query } = await filesInFolder(4)
        const status = await done(
          requireStatus(202, await post('/search/bulk/setProperties', { query: `${query} LIMIT 3 OFFSET 2` }, {})),
        )
        assert.equal(status.total, 2)
      })
    })

    describe('that is started elsewhere', () => {
      test('in a language that is named', async () => {
        const { files, query } = await filesInFolder(1)
        await done(requireStatus(202, await post('/search/lang/NXQL/bulk/setProperties', { query }, { 'dc:description': 'x' })))
        assert.deepEqual(await descriptions(files), ['x'])
        assert.equal((await post('/search/lang/nxql/bulk/setProperties', { query })).body.message, 'invalid query language')
      })

      test('with the parameters of the query filled in', async () => {
        const { files, folder } = await filesInFolder(2)
        const query = 'SELECT * FROM File WHERE ecm:parentId = ? AND dc:title = :title'
        const parameters = { query, queryParams: folder.uid, title: 'file 1' }
        await done(requireStatus(202, await post('/search/bulk/setProperties', parameters, { 'dc:description': 'x' })))
        assert.deepEqual(await descriptions(files), [null, 'x'])
      })

      test('with a page provider and its parameters', async () => {
        const { files, folder } = await filesInFolder(2)
        const address = '/search/pp/CURRENT_DOC_CHILDREN/bulk/setProperties'
        const status = await done(
          requireStatus(202, await post(address, { queryParams: folder.uid, pageSize: '1' }, { 'dc:description': 'x' })),
        )
        assert.equal(status.total, 2)
        assert.deepEqual(await descriptions(files), ['x', 'x'])
      })

      test('with a page provider that is not there', async () =>
        assert.equal((await post('/search/pp/nowhere/bulk/setProperties', {})).status, 404))

      test('with a saved search', async () => {
        const { files, query } = await filesInFolder(1)
        const search = { 'entity-type': 'savedSearch', title: 'Mine', query, queryLanguage: 'NXQL' }
        const { id } = requireStatus(200, await server.as('bob').post('/search/saved', search))
        await done(requireStatus(202, await post(`/search/saved/${id}/bulk/setProperties`, {}, { 'dc:description': 'x' })))
        assert.deepEqual(await descriptions(files), ['x'])
        assert.equal((await post('/search/saved/nowhere/bulk/setProperties', {})).status, 404)
      })
    })

    describe('that is refused', () => {
      test('with 400 where there is no such action, and told which there are', async () => {
        const answer = await post('/search/bulk/nonsense', { query: 'SELECT * FROM File' })
        assert.equal(answer.status, 400)
        assert.match(answer.body.message, /^There is no bulk action nonsense, only .*setProperties/)
      })

      test('with 403 where it is for administrators', async () => {
        const { files, query } = await filesInFolder(1)
        for (const action of ['trash', 'removeProxy']) assert.equal((await post(`/search/bulk/${action}`, { query })).status, 403)
        await untilIdle(server)
        assert.equal((await bench.read(files[0].uid)).isTrashed, false)
      })

      const mistakes: readonly [what: string, parameters: Record<string, string>, body: unknown][] = [
        ['the query', { query: 'SELECT nonsense' }, {}],
        ['a parameter that is missing', { query: 'SELECT * FROM File WHERE dc:title = :title' }, {}],
        ['the limit', { queryLimit: 'many' }, {}],
        ['the way to enumerate', { scroll: 'sideways' }, {}],
        ['a property that nobody knows', {}, { 'no:such': 'x' }],
        ['a body that is a list', {}, ['x']],
        ['a body that is no JSON', {}, '{'],
      ]
      for (const [what, parameters, body] of mistakes) {
        test(`with 400 for ${what}`, async () => {
          const answer = await post('/search/bulk/setProperties', { query: 'SELECT * FROM File', ...parameters }, body)
          assert.equal(answer.status, 400, answer.text)
        })
      }
    })

    describe('that fails for some documents', () => {
      test('does the others and counts those where a right is missing', async () => {
        const { files, query } = await filesInFolder(30)
        await bench.restrict(files[7].uid, grant('bob', 'Read'))
        const status = await done(
          requireStatus(202, await post('/search/bulk/setProperties', { query }, { 'dc:description': 'x' })),
        )
        const { state, total, processed, error, errorCount, errorMessage } = status
        assert.deepEqual(
          { state, total, processed, error, errorCount, errorMessage },
          {
            state: 'COMPLETED',
            total: 30,
            processed: 30,
            error: true,
            errorCount: 1,
            errorMessage: "Privilege 'WriteProperties' is not granted to 'bob'",
          },
        )
        const written = await descriptions(files)
        assert.equal(written.filter((one) => one === 'x').length, 29)
        assert.equal(written[7], null)
      })

      test('counts documents that have no such property', async () => {
        const { folder } = await filesInFolder(1)
        await bench.create('Folder', {}, { parent: folder.path })
        const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`
        const status = await done(requireStatus(202, await post('/search/bulk/setProperties', { query }, { 'uid:uid': 'u' })))
        assert.deepEqual([status.errorCount, status.errorMessage], [1, 'A Folder has no property uid:uid'])
      })

      test('leaves nothing of what it did to a document before it failed, and says no more than that', async () => {
        const { files, query } = await filesInFolder(3)
        failing.add(files[1].uid)
        const status = await done(requireStatus(202, await post('/search/bulk/brittle', { query })))
        assert.deepEqual([status.errorCount, status.errorMessage], [1, 'Internal Server Error'])
        const sources = await Promise.all(files.map(async ({ uid }) => (await bench.readProperties(uid))['dc:source']))
        assert.deepEqual(sources, ['touched', null, 'touched'])
      })

      test('is given up where its query is none any more', async () => {
        const query = 'SELECT * FROM TypeOfAPluginThatIsGone'
        const status = await server.inSession('bob', (session) =>
          submitBulk(session, slowly, { parameters: {}, query, isUnrestricted: false }),
        )
        const { state, errorMessage } = await done({ commandId: status.command.id })
        assert.deepEqual(
          [state, errorMessage],
          ['ABORTED', `Failed to execute query: ${query}, Unknown type: TypeOfAPluginThatIsGone`],
        )
      })

      test('is given up where who asked for it is gone', async () => {
        const { query } = await filesInFolder(3)
        const status = await server.inSession('leaving', async (session) => {
          const submitted = await submitBulk(session, slowly, { parameters: {}, query, isUnrestricted: false })
          await session.tx.directories.remove(userDirectory, 'leaving')
          return submitted
        })
        const { state, error, errorMessage } = await done({ commandId: status.command.id }, 'Administrator')
        assert.deepEqual([state, error, errorMessage], ['ABORTED', true, 'There is no user leaving any more'])
      })
    })

    describe('for administrators', () => {
      test('puts documents into the trash and takes them out again', async () => {
        const { files, query } = await filesInFolder(2)
        const trashed = async () => Promise.all(files.map(async ({ uid }) => (await bench.read(uid)).isTrashed))
        await done(requireStatus(202, await post('/search/bulk/trash', { query }, {}, 'Administrator')), 'Administrator')
        assert.deepEqual(await trashed(), [true, true])
        const back = await post('/search/bulk/trash', { query }, { value: false }, 'Administrator')
        await done(requireStatus(202, back), 'Administrator')
        assert.deepEqual(await trashed(), [false, false])
        assert.equal((await post('/search/bulk/trash', { query }, { value: 'no' }, 'Administrator')).status, 400)
      })

      test('removes proxies and nothing else', async () => {
        const { files, folder } = await filesInFolder(1)
        const proxy = await bench.createProxy(folder.uid, files[0].uid)
        const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`
        const status = await done(
          requireStatus(202, await post('/search/bulk/removeProxy', { query }, {}, 'Administrator')),
          'Administrator',
        )
        assert.deepEqual([status.total, status.errorCount], [2, 0])
        assert.equal((await server.as('Administrator').get(`/id/${proxy}`)).status, 404)
        assert.equal((await server.as('Administrator').get(`/id/${files[0].uid}`)).status, 200)
      })
    })

    describe('that is under way', () => {
      test('lets requests in after each document', async () => {
        const { query } = await filesInFolder(10)
        turnsOfDocuments.length = 0
        isCounting = true
        countTurns()
        await done(requireStatus(202, await post('/search/bulk/counted', { query })))
        isCounting = false
        assert.equal(new Set(turnsOfDocuments).size, 10)
      })

      test('is listed for administrators as long as it is not over, and for nobody else', async () => {
        const { query } = await filesInFolder(40)
        const { commandId } = requireStatus(202, await post('/search/bulk/slowly', { query }))
        const running = async () => requireStatus(200, await server.as('Administrator').get('/management/bulk'))
        const { entries } = await running()
        const listed = entries.find((entry: Answered) => entry.commandId === commandId)
        assert.deepEqual([listed?.action, listed?.username], ['slowly', 'bob'])
        assert.equal((await server.as('bob').get('/management/bulk')).status, 403)
        await done(requireStatus(200, await server.as('bob').put(`/bulk/${commandId}/abort`)))
        assert.deepEqual((await running()).entries, [])
      })

      test('can be given up: what was done stays, what was not is left', async () => {
        const { query } = await filesInFolder(40)
        const { commandId } = requireStatus(202, await post('/search/bulk/slowly', { query }))
        const status = requireStatus(200, await server.as('bob').put(`/bulk/${commandId}/abort`))
        assert.equal(status.state, 'ABORTED')
        const after = await done(status)
        assert.equal(after.state, 'ABORTED')
        assert.ok(after.processed < 40)
        assert.notEqual(after.completed, null)
      })

      test('stays completed when it is given up too late', async () => {
        const { query } = await filesInFolder(1)
        const { commandId } = await done(requireStatus(202, await post('/search/bulk/setProperties', { query })))
        const status = requireStatus(200, await server.as('bob').put(`/bulk/${commandId}/abort`))
        assert.equal(status.state, 'COMPLETED')
      })

      test('is shown to who asked for it and to administrators alone', async () => {
        const { query } = await filesInFolder(1)
        const { commandId } = await done(requireStatus(202, await post('/search/bulk/setProperties', { query })))
        requireStatus(200, await server.as('Administrator').get(`/bulk/${commandId}`))
        const message = `Bulk command with id=${commandId} doesn't exist`
        assert.equal(requireStatus(404, await server.as('ann').get(`/bulk/${commandId}`)).message, message)
        assert.equal(requireStatus(404, await server.as('ann').put(`/bulk/${commandId}/abort`)).message, message)
      })
    })
  },
  { plugins: [actions] },
)
