import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

onEachServer('4.1 GET /id/{id}/@audit', (server) => {
  const bench = workbenchOn(server)
  const administrator = () => server.as('Administrator')
  const history = async (uid: string, query = '', user = 'Administrator'): Promise<Answered> =>
    requireStatus(200, await server.as(user).get(`/id/${uid}/@audit${query}`))
  const events = async (uid: string, query = '', user = 'Administrator'): Promise<readonly string[]> =>
    (await history(uid, query, user)).entries.map(({ eventId }: Answered) => eventId)
  const run = async (operation: string, input: string, params: object = {}) => {
    const answer = await administrator().post(`/automation/${operation}`, { input: `doc:${input}`, params })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  before(async () => {
    await server.addUser('ann', ['members'])
    await server.addUser('bob', ['members'])
  })

  test('answers rows with exactly their fields, the newest first', async () => {
    const { uid, path } = await bench.create('File', { 'dc:title': 'Plan' })
    await bench.update(uid, { 'dc:title': 'Other plan' }, { 'Update-Comment': 'better' })
    const list = await history(uid)
    assert.deepEqual(Object.keys(list), [
      'entity-type',
      'isPaginable',
      'resultsCount',
      'pageSize',
      'maxPageSize',
      'resultsCountLimit',
      'currentPageSize',
      'currentPageIndex',
      'currentPageOffset',
      'numberOfPages',
      'isPreviousPageAvailable',
      'isNextPageAvailable',
      'isLastPageAvailable',
      'isSortable',
      'hasError',
      'errorMessage',
      'pageIndex',
      'pageCount',
      'entries',
    ])
    assert.deepEqual([list['entity-type'], list.resultsCount, list.pageSize, list.maxPageSize], ['logEntries', 2, 50, 1000])
    const [newest, oldest] = list.entries
    const { id, eventDate, logDate, ...fields } = newest
    assert.deepEqual(fields, {
      'entity-type': 'logEntry',
      category: 'eventDocumentCategory',
      principalName: 'Administrator',
      comment: 'better',
      docLifeCycle: 'project',
      docPath: path,
      docType: 'File',
      docUUID: uid,
      eventId: 'documentModified',
      repositoryId: 'default',
      extended: {},
    })
    assert.ok(Number.isInteger(id) && id > oldest.id)
    assert.match(eventDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(logDate >= eventDate && eventDate >= oldest.eventDate)
    assert.deepEqual([oldest.eventId, oldest.comment], ['documentCreated', null])
  })

  test('says so in its content type', async () => {
    const { uid } = await bench.create('File')
    const answer = await administrator().get(`/id/${uid}/@audit`)
    assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=logEntries')
  })

  test('has no row for a save that changes nothing', async () => {
    const { uid } = await bench.create('File', { 'dc:title': 'Same' })
    await bench.update(uid, { 'dc:title': 'Same' })
    assert.deepEqual(await events(uid), ['documentCreated'])
  })

  test('has no row of what was rolled back', async () => {
    const { uid } = await bench.create('File')
    const chain = { input: `doc:${uid}`, params: { xpath: 'dc:nothing', value: 'x' } }
    assert.ok((await administrator().post('/automation/Document.SetProperty', chain)).status >= 400)
    assert.deepEqual(await events(uid), ['documentCreated'])
  })

  describe('filters', () => {
    let uid = ''
    before(async () => {
      uid = (await bench.create('File', { 'dc:title': 'a' })).uid
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('ann', 'Everything')] }])
      requireStatus(
        200,
        await server.as('ann').put(`/id/${uid}`, { 'entity-type': 'document', properties: { 'dc:title': 'by ann' } }),
      )
      await run('Document.Lock', uid)
      await run('Document.SetLifeCycle', uid, { value: 'approve' })
    })
    const rows: [query: string, expected: readonly string[]][] = [
      ['?eventId=documentCreated', ['documentCreated']],
      ['?eventId=documentCreated&eventId=documentLocked', ['documentLocked', 'documentCreated']],
      ['?eventId=documentCreated,documentLocked', ['documentLocked', 'documentCreated']],
      ['?eventId=none', []],
      ['?category=eventLifeCycleCategory', ['lifecycle_transition_event']],
      // The first save by another user makes a version of what was there.
      ['?principalName=ann', ['documentModified', 'documentCheckedIn']],
      ['?principalName=ann,Administrator&eventId=documentModified,documentLocked', ['documentLocked', 'documentModified']],
      ['?principalName=ann&eventId=documentLocked', []],
      ['?startEventDate=2999-01-01', []],
      ['?endEventDate=2001-01-01', []],
      ['?startEventDate=2001-01-01&endEventDate=2999-01-01T00:00:00Z&eventId=documentLocked', ['documentLocked']],
    ]
    for (const [query, expected] of rows) {
      test(query, async () => assert.deepEqual(await events(uid, query), expected))
    }

    test('by date with bounds that belong to it', async () => {
      const [{ eventDate }] = (await history(uid, '?eventId=documentLocked')).entries
      assert.deepEqual(await events(uid, `?startEventDate=${eventDate}&endEventDate=${eventDate}&eventId=documentLocked`), [
        'documentLocked',
      ])
    })

    test('the state of a transition is the one that it led to', async () => {
      const [entry] = (await history(uid, '?category=eventLifeCycleCategory')).entries
      assert.equal(entry.docLifeCycle, 'approved')
    })

    test('are refused where they are none', async () => {
      for (const query of [
        '?startEventDate=yesterday',
        '?endEventDate=2026-13-40',
        '?startEventDate=2026',
        '?pageSize=x',
        '?currentPageIndex=x',
        '?sortBy=extended',
        '?sortBy=id;DROP',
        `?eventId=${Array.from({ length: 101 }, (_, index) => `e${index}`).join()}`,
        '?eventId=%00',
      ]) {
        const { status, body } = await administrator().get(`/id/${uid}/@audit${query}`)
        assert.equal(status, 400, query)
        assert.ok(body.message.length > 10)
      }
    })

    test('page through all rows, each once', async () => {
      const all = (await history(uid)).entries.map(({ id }: Answered) => id)
      const paged: number[] = []
      for (let page = 0; ; page += 1) {
        const list = await history(uid, `?pageSize=2&currentPageIndex=${page}`)
        assert.equal(list.resultsCount, all.length)
        paged.push(...list.entries.map(({ id }: Answered) => id))
        if (!list.isNextPageAvailable) break
      }
      assert.deepEqual(paged, all)
    })

    test('are sorted as asked', async () => {
      const ids = async (query: string) => (await history(uid, query)).entries.map(({ id }: Answered) => id)
      const ascending = await ids('?sortBy=id&sortOrder=asc')
      assert.deepEqual(
        ascending,
        ascending.toSorted((left: number, right: number) => left - right),
      )
      assert.deepEqual(await ids('?sortBy=eventDate,id&sortOrder=ASC,asc'), ascending)
      assert.deepEqual(await ids('?sortBy=id'), ascending.toReversed())
      for (const field of [
        'eventId',
        'logDate',
        'category',
        'principalName',
        'docUUID',
        'docType',
        'docPath',
        'docLifeCycle',
        'repositoryId',
        'comment',
      ])
        assert.equal((await ids(`?sortBy=${field}&sortOrder=asc`)).length, ascending.length, field)
      const names = await events(uid, '?sortBy=eventId&sortOrder=asc')
      assert.deepEqual(names, names.toSorted())
    })

    test('a page beyond the end and one as long as allowed', async () => {
      const all = await events(uid)
      assert.deepEqual(await events(uid, '?currentPageIndex=99'), [])
      assert.deepEqual(await events(uid, '?pageSize=0'), all)
      assert.deepEqual(await events(uid, '?pageSize=-1'), all)
      assert.deepEqual(await events(uid, '?pageSize=9007199254740991&currentPageIndex=9007199254740991'), [])
    })
  })

  describe('comments', () => {
    const commentOf = async (uid: string, eventId: string) => (await history(uid, `?eventId=${eventId}`)).entries[0]?.comment

    test('of a copy name the other one', async () => {
      const source = await bench.create('File')
      const copy = await run('Document.Copy', source.uid, { target: workspaces, name: `copy-of-${source.uid}` })
      assert.equal(await commentOf(copy.uid, 'documentCreatedByCopy'), `default:${source.uid}`)
      assert.equal(await commentOf(source.uid, 'documentDuplicated'), `default:${copy.uid}`)
    })

    test('of a move name the former folder', async () => {
      const folder = await bench.create('Folder')
      const { uid, parentRef } = await bench.create('File')
      await run('Document.Move', uid, { target: folder.uid })
      assert.equal(await commentOf(uid, 'documentMoved'), `default:${parentRef}`)
    })

    test('of a check-in and a restore name the version', async () => {
      const { uid } = await bench.create('File')
      await run('Document.CreateVersion', uid, { increment: 'Minor' })
      const [version] = requireStatus(
        200,
        await administrator().post('/automation/Document.GetVersions', { input: `doc:${uid}` }),
      ).entries
      await bench.update(uid, { 'dc:title': 'later' })
      await run('Document.RestoreVersion', version.uid)
      assert.equal(await commentOf(uid, 'documentCheckedIn'), '0.1')
      assert.equal(await commentOf(uid, 'documentRestored'), '0.1')
    })

    test('of a removal say that the document is gone', async () => {
      const { uid } = await bench.create('File')
      assert.equal((await administrator().delete(`/id/${uid}`)).status, 204)
      assert.equal((await administrator().get(`/id/${uid}/@audit`)).status, 404)
      const list = requireStatus(
        200,
        await administrator().get(`/search/pp/DOCUMENT_HISTORY_PROVIDER/execute?queryParams=${uid}`),
      )
      assert.deepEqual(
        list.entries.map(({ eventId, comment }: Answered) => [eventId, comment]),
        [
          ['documentRemoved', 'The document does not exist any more'],
          ['documentCreated', null],
        ],
      )
      await server.addUser('eve', ['members'])
      assert.equal((await server.as('eve').get(`/search/pp/DOCUMENT_HISTORY_PROVIDER/execute?queryParams=${uid}`)).status, 404)
    })
  })

  describe('of a document that was moved', () => {
    let hidden: Answered
    let open: Answered
    let moved: Answered
    before(async () => {
      ;[hidden, open] = [await bench.create('Folder', {}, { name: 'hidden-merger' }), await bench.create('Folder')]
      await bench.restrict(hidden.uid)
      const { uid } = await bench.create('File', {}, { parent: hidden.path, name: 'plan' })
      await run('Document.Move', uid, { target: open.uid })
      moved = requireStatus(200, await administrator().get(`/id/${uid}`))
    })
    const places = (entries: readonly Answered[]) => entries.map(({ eventId, docPath, comment }) => [eventId, docPath, comment])
    const everywhere: { readonly [door: string]: (user: string) => Promise<readonly Answered[]> } = {
      '@audit': async (user) => (await history(moved.uid, '', user)).entries,
      'the enricher': async (user) => {
        const answer = await server.as(user).get(`/id/${moved.uid}`, { 'enrichers-document': 'audit' })
        return requireStatus(200, answer).contextParameters.audit
      },
      'its page provider': async (user) => {
        const answer = await server.as(user).get(`/search/pp/DOCUMENT_HISTORY_PROVIDER/execute?queryParams=${moved.uid}`)
        return requireStatus(200, answer).entries
      },
    }

    for (const [door, listAt] of Object.entries(everywhere)) {
      test(`tells by ${door} where it was only to those who may look there`, async () => {
        const said = `default:${hidden.uid}`
        const former = `${hidden.path}/plan`
        assert.deepEqual(places(await listAt('Administrator')), [
          ['documentMoved', moved.path, said],
          ['documentCreated', former, null],
        ])
        assert.deepEqual(places(await listAt('ann')), [
          ['documentMoved', moved.path, null],
          ['documentCreated', moved.path, null],
        ])
        await bench.restrict(hidden.uid, grant('ann', 'Read'))
        assert.deepEqual(places(await listAt('ann')), places(await listAt('Administrator')))
        await bench.restrict(hidden.uid)
      })
    }

    test('tells nothing of it by a filter or the order', async () => {
      const found = async (path: string, user: string): Promise<Answered> => {
        const query = `queryParams=${moved.uid}&targetDocumentPath=${encodeURIComponent(path)}&pageSize=1&currentPageIndex=1`
        return requireStatus(200, await server.as(user).get(`/search/pp/DOCUMENT_HISTORY_PROVIDER/execute?${query}`))
      }
      assert.equal((await found(`${hidden.path}/plan`, 'Administrator')).resultsCount, 1)
      assert.equal((await found(`${hidden.path}/plan`, 'ann')).resultsCount, 0)
      assert.equal((await found(moved.path, 'ann')).resultsCount, 1)
      for (const column of ['docPath', 'comment']) {
        const orders = ['asc', 'desc'].map((order) => events(moved.uid, `?sortBy=${column}&sortOrder=${order}`, 'ann'))
        const [ascending, descending] = await Promise.all(orders)
        assert.deepEqual(ascending, descending)
      }
    })

    test('keeps its former names in the folder where it is', async () => {
      const { uid, path } = await bench.create('File', {}, { parent: open.path, name: 'draft' })
      await bench.restrict(open.uid)
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('ann', 'Read')] }])
      await run('Document.Move', uid, { target: open.uid, name: 'final' })
      const { entries } = await history(uid, '?eventId=documentCreated', 'ann')
      assert.equal(entries[0].docPath, path)
    })
  })

  describe('of versions and proxies', () => {
    let uid = ''
    let version = ''
    before(async () => {
      uid = (await bench.create('File', { 'dc:title': 'v' })).uid
      await run('Document.CreateVersion', uid, { increment: 'Minor' })
      version = requireStatus(200, await administrator().post('/automation/Document.GetVersions', { input: `doc:${uid}` }))
        .entries[0].uid
      await new Promise((resolve) => setTimeout(resolve, 5))
      await bench.update(uid, { 'dc:title': 'after the version' })
    })

    test('has the rows of the live document up to the version', async () => {
      const entries = (await history(version)).entries as Answered[]
      assert.deepEqual(entries.map(({ eventId, docUUID }) => [eventId, docUUID === uid]).toSorted(), [
        ['documentCheckedIn', true],
        ['documentCreated', false],
        ['documentCreated', true],
      ])
      assert.ok((await events(uid)).includes('documentModified'))
    })

    test('of a proxy only to whoever may read the live document', async () => {
      const section = await bench.create('Folder')
      await bench.setAcls(section.uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
      const shown = await run('Document.PublishToSection', uid, { target: section.uid })
      const seen = (await history(shown.uid)).entries as Answered[]
      assert.ok(seen.some(({ docUUID }) => docUUID === uid))
      await bench.restrict(uid)
      const bobs = (await history(shown.uid, '', 'bob')).entries as Answered[]
      assert.ok(bobs.length > 0)
      assert.deepEqual([...new Set(bobs.map(({ docUUID }) => docUUID))], [shown.uid])
    })
  })

  test('is refused without Read, and gone with the right', async () => {
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('ann', 'Read'))
    assert.deepEqual(await events(uid, '?eventId=documentCreated', 'ann'), ['documentCreated'])
    assert.equal((await server.as('bob').get(`/id/${uid}/@audit`)).status, 403)
    assert.equal((await server.as('bob').get(`/search/pp/DOCUMENT_HISTORY_PROVIDER/execute?queryParams=${uid}`)).status, 403)
    await bench.restrict(uid)
    assert.equal((await server.as('ann').get(`/id/${uid}/@audit`)).status, 403)
  })

  describe('4.2 the enricher', () => {
    const enriched = async (uid: string, headers: { readonly [name: string]: string } = {}, query = '') =>
      requireStatus(
        200,
        await administrator().get(`/id/${uid}${query}`, { 'enrichers.document': 'audit', ...headers }),
      ).contextParameters.audit.map(({ eventId }: Answered) => eventId)

    test('shows the newest ten', async () => {
      const { uid } = await bench.create('File')
      for (let index = 0; index < 11; index += 1) await bench.update(uid, { 'dc:title': `t${index}` })
      assert.deepEqual(
        await enriched(uid),
        Array.from({ length: 10 }, () => 'documentModified'),
      )
      assert.deepEqual(await enriched(uid, { eventId: 'documentCreated' }), ['documentCreated'])
      assert.deepEqual(await enriched(uid, {}, '?EVENTID=documentCreated'), ['documentCreated'])
    })

    test('shows the row of the very request', async () => {
      const body = { 'entity-type': 'document', type: 'File', name: 'fresh', properties: {} }
      const created = requireStatus(
        201,
        await administrator().post(`/path${workspaces}`, body, { 'enrichers.document': 'audit' }),
      )
      assert.deepEqual(
        created.contextParameters.audit.map(({ eventId }: Answered) => eventId),
        ['documentCreated'],
      )
    })

    test('is empty for a document that is not stored', async () => {
      const empty = requireStatus(
        200,
        await administrator().get(`/path${workspaces}/@emptyWithDefault?type=File`, { 'enrichers.document': 'audit' }),
      )
      assert.deepEqual(empty.contextParameters.audit, [])
    })
  })
})
